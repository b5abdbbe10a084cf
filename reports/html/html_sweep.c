/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sweep on a page: its findings by the place that the call was made from, and
 * what became of each fault.
 */
#include "config.h"

#include "html.h"

#include <inttypes.h>
#include <stdlib.h>

#include "harness/base/errors.h"
#include "html_errors.h"
#include "harness/base/memory.h"
#include "reports/points.h"

enum { FINDINGS_SHOWN = 400, FAULTS_SHOWN = 2000 };

/* ---- gather ----------------------------------------------------------- */

/* One more point of a function and fault with this verdict. */
static void count_fault(struct claw_html *html,
			const struct claw_result *result)
{
	char name[512];
	json_t *counts, *old;

	claw_report_point_name(result, name, sizeof(name));
	if (!html->faults)
		html->faults = json_object();
	counts = json_object_get(html->faults, name);
	if (!counts) {
		counts = json_array();
		for (int i = 0; i < CLAW_VERDICT_COUNT; i++)
			json_array_append_new(counts, json_integer(0));
		if (json_object_set_new_nocheck(html->faults, name, counts) < 0)
			claw_made(NULL);
	}
	old = json_array_get(counts, (size_t)result->verdict);
	json_integer_set(old, json_integer_value(old) + 1);
}

void claw_html_sweep_add(struct claw_html *html,
			 const struct claw_result *result)
{
	claw_report_swept_add(&html->swept, result);
	count_fault(html, result);
}

/* ---- findings --------------------------------------------------------- */

static void put_mistake(FILE *out, const struct claw_report_mistake *mistake)
{
	const struct claw_result *shown = &mistake->shown;

	fprintf(out, "<div class=\"mistake\" data-v=\"%s\">\n<h4>",
		claw_verdict_name(shown->verdict));
	claw_html_verdict(out, shown->verdict);
	fputc(' ', out);
	claw_html_text(out, shown->name);
	fputs("</h4>\n<p class=\"message\">", out);
	claw_html_text(out, shown->message);
	fputs("</p>\n<p>", out);
	if (shown->code) {
		fputs("Diagnosis: <code>", out);
		claw_html_text(out, shown->code);
		fputs("</code>. ", out);
	}
	fprintf(out, "%" PRIu64 " %s it.</p>\n", mistake->points,
		mistake->points == 1 ? "point shows" : "points show");
	claw_html_paste(out, shown->reproduce);
	if (shown->detail && *shown->detail) {
		fputs("<details><summary>Details</summary><pre>", out);
		claw_html_block(out, shown->detail);
		fputs("</pre></details>\n", out);
	}
	fputs("</div>\n", out);
}

static bool is_same_place(const struct claw_result *a,
			  const struct claw_result *b)
{
	return a->line == b->line && claw_report_same(a->file, b->file) &&
	       (a->file || claw_report_same(a->seen, b->seen));
}

/* All mistakes at the place of the first; how many. */
static size_t put_site(FILE *out, const struct claw_report_head *head,
		       const struct claw_report_mistakes *mistakes,
		       size_t first, bool *taken)
{
	const struct claw_result *at = &mistakes->items[first].shown;
	size_t count = 0;

	fputs("<article class=\"finding site\">\n<h3>", out);
	if (at->file)
		claw_html_place(out, head, at->file, at->line, 0);
	else
		claw_html_text(out, at->seen);
	fputs("</h3>\n", out);
	if (at->file && at->line)
		claw_html_excerpt(out, head, at, at->file, at->line, 0);
	for (size_t i = first; i < mistakes->count; i++) {
		if (taken[i] || !is_same_place(at, &mistakes->items[i].shown))
			continue;
		taken[i] = true;
		count++;
		put_mistake(out, &mistakes->items[i]);
	}
	fputs("</article>\n", out);
	return count;
}

static void put_sites(FILE *out, const char *id, const char *title,
		      const struct claw_report_head *head,
		      struct claw_report_mistakes *mistakes)
{
	bool *taken = claw_calloc(mistakes->count + 1, sizeof(*taken));
	size_t shown = 0;

	if (mistakes->count == 0) {
		free(taken);
		return;
	}
	claw_report_mistakes_sort(mistakes);
	fprintf(out, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n"
		"<h2 id=\"%s-title\">%s</h2>\n", id, id, id, title);
	for (size_t i = 0; i < mistakes->count && shown < FINDINGS_SHOWN; i++)
		if (!taken[i])
			shown += put_site(out, head, mistakes, i, taken);
	if (shown < mistakes->count) {
		fprintf(out, "<p class=\"cut\">%zu more findings of %zu are "
			"omitted from this page; see <a href=\"",
			mistakes->count - shown, mistakes->count);
		claw_html_address(out, head->link_base, "records.jsonl");
		fputs("\">records.jsonl</a>.</p>\n", out);
	}
	fputs("</section>\n", out);
	free(taken);
}

/* ---- points ----------------------------------------------------------- */

static void put_fault(FILE *out, const char *name, json_t *counts,
		      const bool *columns)
{
	fputs("<tr data-v=\"", out);
	for (size_t i = 0; i < CLAW_VERDICT_COUNT; i++)
		if (json_integer_value(json_array_get(counts, i)) > 0)
			fprintf(out, "%s ",
				claw_verdict_name((enum claw_verdict)i));
	fputs("\"><th scope=\"row\">", out);
	claw_html_text(out, name);
	fputs("</th>", out);
	for (size_t i = 0; i < CLAW_VERDICT_COUNT; i++) {
		json_int_t count = json_integer_value(json_array_get(counts, i));

		if (!columns[i])
			continue;
		if (count > 0)
			fprintf(out, "<td class=\"num %c\">%" JSON_INTEGER_FORMAT
				"</td>", claw_verdict_class(
					(enum claw_verdict)i), count);
		else
			fputs("<td class=\"num\"></td>", out);
	}
	fputs("</tr>\n", out);
}

static void put_faults(FILE *out, const struct claw_html *html)
{
	bool columns[CLAW_VERDICT_COUNT] = { false };
	const char *name;
	json_t *counts;
	size_t shown = 0;

	json_object_foreach(html->faults, name, counts)
		for (size_t i = 0; i < CLAW_VERDICT_COUNT; i++)
			columns[i] |= json_integer_value(
				json_array_get(counts, i)) > 0;
	fputs("<section id=\"faults\" aria-labelledby=\"faults-title\">\n"
	      "<h2 id=\"faults-title\">Verdict by fault</h2>\n"
	      "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
	      "aria-labelledby=\"faults-title\"><table>\n"
	      "<thead><tr><th scope=\"col\">Function and fault</th>", out);
	for (size_t i = 0; i < CLAW_VERDICT_COUNT; i++)
		if (columns[i])
			fprintf(out, "<th scope=\"col\" class=\"num\">%s</th>",
				claw_verdict_name((enum claw_verdict)i));
	fputs("</tr></thead>\n<tbody>\n", out);
	json_object_foreach(html->faults, name, counts)
		if (shown++ < FAULTS_SHOWN)
			put_fault(out, name, counts, columns);
	fputs("</tbody></table></div>\n", out);
	if (shown > FAULTS_SHOWN)
		fprintf(out, "<p class=\"cut\">%zu more are omitted.</p>\n",
			shown - FAULTS_SHOWN);
	fputs("</section>\n", out);
}

static void put_unknown(FILE *out, const struct claw_report_swept *swept)
{
	uint64_t shown = swept->unknown_count < CLAW_REPORT_SWEPT_UNKNOWN ?
			 swept->unknown_count : CLAW_REPORT_SWEPT_UNKNOWN;

	if (shown == 0)
		return;
	fputs("<section id=\"unknown\" aria-labelledby=\"unknown-title\">\n"
	      "<h2 id=\"unknown-title\">Inconclusive points</h2>\n"
	      "<ul>\n", out);
	for (uint64_t i = 0; i < shown; i++) {
		const struct claw_result *result = &swept->unknown[i];

		fputs("<li>", out);
		claw_html_verdict(out, result->verdict);
		fputc(' ', out);
		claw_html_text(out, result->name);
		fputs(result->message ? ": " : "", out);
		claw_html_text(out, result->message);
		fputs("</li>\n", out);
	}
	if (swept->unknown_count > shown)
		fprintf(out, "<li>and %" PRIu64 " more</li>\n",
			swept->unknown_count - shown);
	fputs("</ul>\n</section>\n", out);
}

void claw_html_put_sweep(FILE *out, struct claw_html *html)
{
	struct claw_report_swept *swept = &html->swept;

	if (swept->points == 0)
		return;
	put_sites(out, "findings", "Failures by call site",
		  html->head, &swept->mistakes);
	put_unknown(out, swept);
	put_faults(out, html);
	put_sites(out, "known", "Known findings and hardening", html->head, &swept->known);
	claw_html_put_errors(out, html->head, swept);
}
