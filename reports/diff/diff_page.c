/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs beside each other, as a page: tables, and charts of both. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "reports/html/html.h"
#include "reports/html/html_chart.h"
#include "harness/base/memory.h"

static int unit_of(const json_t *object)
{
	return (int)json_integer_value(json_object_get(object, "unit"));
}

static void begin_section(FILE *out, const char *id, const char *title)
{
	fprintf(out, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id="
		"\"%s-title\">%s</h2>\n", id, id, id, title);
}

/* "#Old": a column of numbers. */
static void begin_table(FILE *out, const char *const *columns)
{
	fputs("<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>", out);
	for (size_t i = 0; columns[i]; i++) {
		bool is_number = *columns[i] == '#';

		fprintf(out, "<th scope=\"col\"%s>%s</th>",
			is_number ? " class=\"num\"" : "",
			columns[i] + is_number);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
}

static void end_table(FILE *out)
{
	fputs("</tbody></table></div>\n</section>\n", out);
}

static void put_cell(FILE *out, const char *text)
{
	fputs("<td>", out);
	claw_html_text(out, text);
	fputs("</td>", out);
}

static void put_row_name(FILE *out, const char *text)
{
	fputs("<tr><th scope=\"row\">", out);
	claw_html_text(out, text);
	fputs("</th>", out);
}

static void put_value(FILE *out, const json_t *object, const char *name,
		      int unit)
{
	char text[64];

	fprintf(out, "<td class=\"num\">%s</td>",
		claw_diff_value(text, sizeof(text), object, name, unit));
}

/* In the colour of what it is. */
static void put_state(FILE *out, const char *state)
{
	static const struct {
		const char *state;
		char class;
	} classes[] = {
		{ "newly failing", 'f' }, { "new", 'f' },
		{ "grows faster", 'f' }, { "still failing", 'n' },
		{ "grows as before", 'n' }, { "grows slower", 'n' },
		{ "unknown now", 'u' }, { "fixed", 'p' }, { "gone", 'p' },
	};
	char class = 's';

	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (strcmp(state, classes[i].state) == 0)
			class = classes[i].class;
	fputs("<td>", out);
	if (*state) {
		fprintf(out, "<span class=\"v %c\">", class);
		claw_html_text(out, state);
		fputs("</span>", out);
	}
	fputs("</td>", out);
}

/* ---- what they are ----------------------------------------------------- */

static void put_sides(FILE *out, const json_t *diff)
{
	static const char *const names[] = { "old", "new" };
	static const char *const columns[] = {
		"Run", "Directory", "Started", "Command", "Complete", NULL,
	};

	begin_section(out, "runs", "Two runs");
	begin_table(out, columns);
	for (size_t i = 0; i < 2; i++) {
		const json_t *side = json_object_get(diff, names[i]);

		put_row_name(out, names[i]);
		put_cell(out, claw_diff_text(side, "directory"));
		put_cell(out, claw_diff_text(side, "started"));
		put_cell(out, claw_diff_text(side, "command"));
		put_cell(out, json_is_true(json_object_get(side, "complete")) ?
			 "yes" : "no");
		fputs("</tr>\n", out);
	}
	end_table(out);
}

static void put_environment(FILE *out, const json_t *all)
{
	static const char *const columns[] = {
		"Fact", "Of", "Old", "New", NULL,
	};
	const json_t *fact;
	size_t i;

	if (!json_array_size(all))
		return;
	begin_section(out, "environment", "Different environment");
	begin_table(out, columns);
	json_array_foreach(all, i, fact) {
		put_row_name(out, claw_diff_text(fact, "key"));
		put_cell(out, claw_diff_text(fact, "configuration"));
		put_cell(out, claw_diff_text(fact, "old"));
		put_cell(out, claw_diff_text(fact, "new"));
		fputs("</tr>\n", out);
	}
	end_table(out);
}

static void put_changes(FILE *out, const json_t *all)
{
	static const char *const columns[] = {
		"Case", "Tool", "Change", "What", NULL,
	};
	const json_t *change;
	size_t i;

	if (!json_array_size(all))
		return;
	begin_section(out, "changes", "Changes");
	begin_table(out, columns);
	json_array_foreach(all, i, change) {
		fputs("<tr><th scope=\"row\">", out);
		claw_html_text(out, claw_diff_text(change, "suite"));
		fputs("/", out);
		claw_html_text(out, claw_diff_text(change, "name"));
		fputs("</th>", out);
		put_cell(out, claw_diff_text(change, "configuration"));
		put_state(out, claw_diff_text(change, "change"));
		put_cell(out, claw_diff_text(change, "text"));
		fputs("</tr>\n", out);
	}
	end_table(out);
}

/* ---- rows -------------------------------------------------------------- */

static void put_rows(FILE *out, const char *id, const char *title,
		     const json_t *rows)
{
	static const char *const columns[] = { "", "#Old", "#New", "#Ratio",
					       NULL };
	const json_t *row;
	size_t i;

	if (!json_array_size(rows))
		return;
	begin_section(out, id, title);
	begin_table(out, columns);
	json_array_foreach(rows, i, row) {
		double ratio = claw_diff_get(row, "ratio");

		put_row_name(out, claw_diff_text(row, "title"));
		put_value(out, row, "old", unit_of(row));
		put_value(out, row, "new", unit_of(row));
		if (isnan(ratio))
			fputs("<td></td></tr>\n", out);
		else
			fprintf(out, "<td class=\"num\">%.2f</td></tr>\n",
				ratio);
	}
	end_table(out);
}

static void put_owners(FILE *out, const json_t *owners)
{
	static const char *const columns[] = {
		"Created at", "Place", "#Old", "#New", NULL,
	};
	const json_t *owner;
	size_t i;

	if (!json_array_size(owners))
		return;
	begin_section(out, "owners", "Owners at the peak");
	begin_table(out, columns);
	json_array_foreach(owners, i, owner) {
		put_row_name(out, claw_diff_text(owner, "name"));
		put_cell(out, claw_diff_text(owner, "title"));
		put_value(out, owner, "old", unit_of(owner));
		put_value(out, owner, "new", unit_of(owner));
		fputs("</tr>\n", out);
	}
	end_table(out);
}

static void put_named(FILE *out, const char *id, const char *title,
		      const json_t *all)
{
	static const char *const columns[] = {
		"Name", "Change", "Old", "New", NULL,
	};
	const json_t *row;
	size_t i;

	if (!json_array_size(all))
		return;
	begin_section(out, id, title);
	begin_table(out, columns);
	json_array_foreach(all, i, row) {
		put_row_name(out, claw_diff_text(row, "name"));
		put_state(out, claw_diff_text(row, "state"));
		put_cell(out, claw_diff_text(json_object_get(row, "old"),
					     "message"));
		put_cell(out, claw_diff_text(json_object_get(row, "new"),
					     "message"));
		fputs("</tr>\n", out);
	}
	end_table(out);
}

/* ---- series ------------------------------------------------------------ */

static void put_series_side(FILE *out, const json_t *side, int unit)
{
	put_cell(out, claw_diff_text(side, "verdict"));
	put_value(out, side, "start", unit);
	put_value(out, side, "end", unit);
	put_value(out, side, "slope", unit);
}

static void put_series(FILE *out, const json_t *series)
{
	static const char *const columns[] = {
		"Series", "Change", "Old", "#Start", "#End", "#Per hour", "New",
		"#Start", "#End", "#Per hour", NULL,
	};
	const json_t *row;
	size_t i;

	if (!json_array_size(series))
		return;
	begin_section(out, "series", "Series");
	begin_table(out, columns);
	json_array_foreach(series, i, row) {
		put_row_name(out, claw_diff_text(row, "title"));
		put_state(out, claw_diff_text(row, "state"));
		put_series_side(out, json_object_get(row, "old"),
				unit_of(row));
		put_series_side(out, json_object_get(row, "new"),
				unit_of(row));
		fputs("</tr>\n", out);
	}
	end_table(out);
}

static bool is_drawn(const struct claw_diff_side *old,
		     const struct claw_diff_side *new, enum claw_series_id id)
{
	return (claw_html_is_measured(&old->samples, id) &&
		!claw_html_is_constant(&old->samples, id)) ||
	       (claw_html_is_measured(&new->samples, id) &&
		!claw_html_is_constant(&new->samples, id));
}

/* What the chart shows, for who cannot see it. */
static void put_numbers(FILE *out, enum claw_series_id id,
			const struct claw_diff_side *const *sides,
			const char *const *names)
{
	const struct claw_series *series = &claw_series[id];

	fprintf(out, "<details><summary>In numbers</summary><div class=\"wide\" "
		"tabindex=\"0\"><table><caption>%s</caption>\n<thead><tr><th "
		"scope=\"col\">Run</th><th scope=\"col\">Least</th><th scope="
		"\"col\">Mean</th><th scope=\"col\">Largest</th></tr></thead>\n"
		"<tbody>", series->title);
	for (size_t i = 0; i < 2; i++) {
		const struct claw_html_value *whole =
			&sides[i]->samples.whole[id];
		const double values[] = {
			whole->least, claw_html_mean(whole), whole->largest,
		};

		fprintf(out, "<tr><th scope=\"row\">%s</th>", names[i]);
		for (size_t j = 0; j < 3; j++) {
			char text[64] = "";

			if (whole->count)
				claw_series_print(text, sizeof(text),
						  series->unit, values[j]);
			fprintf(out, "<td class=\"num\">%s</td>", text);
		}
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div></details>\n", out);
}

static void put_charts(FILE *out, const struct claw_diff_side *old,
		       const struct claw_diff_side *new)
{
	static const char *const names[] = { "old", "new" };
	const struct claw_diff_side *const sides[] = { old, new };

	if (!old->samples.count || !new->samples.count)
		return;
	begin_section(out, "charts", "Over time");
	fputs("<ul class=\"legend\">", out);
	for (size_t k = 0; k < 2; k++)
		fprintf(out, "<li><svg class=\"key\" viewBox=\"0 0 28 10\" "
			"aria-hidden=\"true\"><path class=\"line s%zu\" d=\"M0 "
			"5h28\"/></svg> %s</li>", k, names[k]);
	fputs("</ul>\n", out);
	for (int i = 0; i < CLAW_SERIES_COUNT; i++) {
		enum claw_series_id id = (enum claw_series_id)i;

		if (!is_drawn(old, new, id))
			continue;
		fprintf(out, "<figure class=\"chart\" id=\"chart-%s\">\n"
			"<figcaption><h3>%s</h3></figcaption>\n<div class="
			"\"plot\">\n", claw_series[i].name,
			claw_series[i].title);
		claw_html_chart_draw_pair(out, id, &old->samples,
					  &new->samples);
		fputs("</div>\n", out);
		put_numbers(out, id, sides, names);
		fputs("</figure>\n", out);
	}
	fputs("</section>\n", out);
}

/* ---- all --------------------------------------------------------------- */

static void put_parts(FILE *out, const json_t *diff,
		      const struct claw_diff_side *old,
		      const struct claw_diff_side *new)
{
	put_sides(out, diff);
	put_environment(out, json_object_get(diff, "environment"));
	put_changes(out, json_object_get(diff, "changes"));
	put_named(out, "workload", "Workload",
		  json_object_get(diff, "workload"));
	put_named(out, "crashes", "Crashes and failures",
		  json_object_get(diff, "crashes"));
	put_named(out, "leaks", "Growing call sites",
		  json_object_get(diff, "sites"));
	put_series(out, json_object_get(diff, "series"));
	put_rows(out, "medians", "Medians", json_object_get(diff, "medians"));
	put_rows(out, "memory", "Device memory",
		 json_object_get(diff, "sizes"));
	put_owners(out, json_object_get(diff, "owners"));
	put_charts(out, old, new);
}

void claw_diff_page(FILE *out, const json_t *diff,
		    const struct claw_diff_side *old,
		    const struct claw_diff_side *new)
{
	static const char *const words[] = {
		"Nothing got worse", "Something got worse",
		"Inconclusive: cannot tell whether something got worse",
	};
	static const char classes[] = "pfu";
	int status = claw_diff_status(diff);
	char *page = NULL, *subject;
	size_t size;
	FILE *to_page = claw_text_begin(&page, &size);

	put_parts(to_page, diff, old, new);
	claw_text_end(to_page);
	subject = claw_format("%s %s",
			      claw_diff_text(json_object_get(diff, "old"),
					     "directory"),
			      claw_diff_text(json_object_get(diff, "new"),
					     "directory"));
	claw_html_put_head(out, "report diff", subject, words[status]);
	fputs("<body>\n<a class=\"skip\" href=\"#main\">To the results"
	      "</a>\n<header>\n<h1>openclaw report diff <code>", out);
	claw_html_text(out, subject);
	fprintf(out, "</code></h1>\n<p class=\"verdict %c\">%s</p>\n</header>"
		"\n", classes[status], words[status]);
	free(subject);
	claw_html_put_nav(out, page);
	fputs("<main id=\"main\" tabindex=\"-1\">\n", out);
	fwrite(page, 1, size, out);
	free(page);
	fputs("</main>\n<footer><p>Generated by openclaw ", out);
	claw_html_text(out, PACKAGE_VERSION);
	fputs(" from the records of both runs.</p></footer>\n</body>\n</html>\n",
	      out);
}
