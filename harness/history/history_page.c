/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a history: its parts are filled at once, then put one after the
 * other, so that each question is asked once. */
#include "config.h"

#include "history_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "history_plot.h"
#include "history_private.h"
#include "history_tell.h"
#include "reports/html/html.h"

enum {
	ROWS_SHOWN = 500, CHARTS_SHOWN = 40, RUNS_SHOWN = 120,
	CONCLUSION = 300,
};

/* A part of the page. */
struct part {
	FILE *out;
	char *text;
	size_t size, count, most;
};

struct page {
	struct claw_history *history;
	struct part changed, flaky, times, coverage, findings;
	uint64_t trends[CLAW_TREND_COUNT], slower, faster, series;
	int64_t from, to;		/* runs began then */
};

/* ---- tables ------------------------------------------------------------------------ */

static void put_change(FILE *out, const struct claw_history_point *before,
		       const struct claw_history_point *after)
{
	char *text = claw_history_change(before, after);

	claw_html_text(out, text);
	free(text);
}

static void put_name(FILE *out, const struct claw_history_names *names)
{
	char *name = claw_format("%s/%s", names->suite, names->name);

	claw_html_text(out, name);
	free(name);
	fputs(" <span class=\"place\">", out);
	claw_html_text(out, names->configuration);
	if (*names->device) {
		fputs(" on ", out);
		claw_html_text(out, names->device);
	}
	fputs("</span>", out);
}

/* Is there room for one more? */
static bool takes(struct part *part)
{
	return part->count++ < part->most;
}

static void put_changed(struct page *page,
			const struct claw_history_state *state)
{
	FILE *out = page->changed.out;

	if (!takes(&page->changed))
		return;
	fputs("<tr><th scope=\"row\">", out);
	put_name(out, &state->names);
	fprintf(out, "</th><td><span class=\"v %c\">%s</span></td><td>",
		state->trend == CLAW_TREND_FIXED ? 'p' : 'f',
		claw_history_trend_name(state->trend));
	if (state->trend == CLAW_TREND_FAILS)
		claw_history_put_fails(out, state);
	else
		put_change(out, &state->before, &state->after);
	fputs("</td></tr>\n", out);
}

static void put_flaky(struct page *page, const struct claw_history_state *state)
{
	FILE *out = page->flaky.out;
	uint64_t all = state->failed + state->passed;

	if (!takes(&page->flaky))
		return;
	fputs("<tr><th scope=\"row\">", out);
	put_name(out, &state->names);
	fprintf(out, "</th><td class=\"num\">%" PRIu64 " of %" PRIu64 "</td><td "
		"class=\"num\">%.0f to %.0f %%</td><td>", state->failed, all,
		100 * state->low, 100 * state->high);
	claw_history_plot_interval(out, state->low, state->high,
				   (double)state->failed / (double)all);
	fputs("</td></tr>\n", out);
}

static void put_times(struct page *page, const struct claw_history_state *state)
{
	FILE *out = page->times.out;
	double ratio = state->ratio;
	struct claw_history_point *points;
	int count;

	if (!takes(&page->times))
		return;
	fputs("<div class=\"chart\"><h3>", out);
	put_name(out, &state->names);
	fprintf(out, "</h3>\n<p>%s by %.2f ", ratio > 1 ? "Slower" : "Faster",
		ratio > 1 ? ratio : 1 / ratio);
	put_change(out, &state->times_before, &state->times_after);
	fputs("</p>\n", out);
	count = claw_history_read_points(page->history, state->id, INT64_MIN,
					 &points);
	if (count > 0)
		claw_history_plot_times(out, points, (size_t)count,
					state->times_after.run);
	if (count >= 0)
		claw_history_free_points(points, count);
	fputs("</div>\n", out);
}

static void take_series(void *user, const struct claw_history_state *state)
{
	struct page *page = user;

	page->series++;
	page->trends[state->trend]++;
	page->slower += state->ratio > 1;
	page->faster += state->ratio > 0 && state->ratio < 1;
	if (state->trend == CLAW_TREND_FLAKY)
		put_flaky(page, state);
	else if (state->trend != CLAW_TREND_NONE)
		put_changed(page, state);
	if (state->ratio > 0)
		put_times(page, state);
}

static void put_seen(FILE *out, int64_t seconds, const char *commit)
{
	char day[16];

	claw_history_put_day(day, seconds);
	fprintf(out, "<td>%s", day);
	if (*commit) {
		fputs(" <span class=\"place\">", out);
		claw_html_bytes(out, commit, strnlen(commit,
						     CLAW_HISTORY_COMMIT_DIGITS));
		fputs("</span>", out);
	}
	fputs("</td>", out);
}

static void take_finding(void *user, const struct claw_history_finding *one)
{
	struct page *page = user;
	FILE *out = page->findings.out;

	if (!takes(&page->findings))
		return;
	fputs("<tr><th scope=\"row\">", out);
	claw_html_text(out, one->kind);
	if (*one->kernel) {
		fputs(" in <code>", out);
		claw_html_text(out, one->kernel);
		fputs("</code>", out);
	}
	if (*one->file) {
		fputs(" <span class=\"place\">", out);
		claw_html_text(out, one->file);
		if (one->line)
			fprintf(out, ":%u", one->line);
		fputs("</span>", out);
	}
	fputs("</th>", out);
	put_seen(out, one->first, one->first_commit);
	put_seen(out, one->last, one->last_commit);
	fprintf(out, "<td class=\"num\">%" PRIu64 "</td><td>%s</td><td>",
		one->results, one->is_in_last ? "<span class=\"v f\">yes</span>" :
		"no");
	claw_history_plot_span(out, one->first, one->last, page->from, page->to);
	fputs("</td></tr>\n", out);
}

static void take_coverage(void *user, const struct claw_history_names *names,
			  const char *kind,
			  const struct claw_history_covered *points,
			  size_t count)
{
	const struct claw_history_covered *last = &points[count - 1];
	struct page *page = user;
	FILE *out = page->coverage.out;

	if (!takes(&page->coverage))
		return;
	fputs("<div class=\"chart\"><h3>", out);
	put_name(out, names);
	fprintf(out, "</h3>\n<p>%.1f %% of %" PRIu64 " %s in the last of %zu "
		"run%s</p>\n", 100 * (double)last->hit / (double)last->total,
		last->total, kind, count, count == 1 ? "" : "s");
	claw_history_plot_coverage(out, points, count);
	fputs("</div>\n", out);
}

/* ---- the page ---------------------------------------------------------------------- */

/* table: the heads of its columns; NULL: the part is no table. */
static void put_part(FILE *out, struct part *part, const char *id,
		     const char *title, const char *about, const char *table)
{
	claw_text_end(part->out);
	if (part->count) {
		fprintf(out, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n"
			"<h2 id=\"%s-title\">%s</h2>\n%s", id, id, id, title,
			about);
		if (table)
			fprintf(out, "<div class=\"wide\" tabindex=\"0\" role="
				"\"region\" aria-label=\"%s\"><table>\n<thead>"
				"<tr>%s</tr></thead>\n<tbody>\n", title, table);
		fwrite(part->text, 1, part->size, out);
		fputs(table ? "</tbody></table></div>\n" : "", out);
		if (part->count > part->most)
			fprintf(out, "<p class=\"cut\">%zu more are omitted.</p>"
				"\n", part->count - part->most);
		fputs("</section>\n", out);
	}
	free(part->text);
}

#define COLUMN(title_)		"<th scope=\"col\">" title_ "</th>"
#define NUMBERS(title_)		"<th scope=\"col\" class=\"num\">" title_ "</th>"

static void put_parts(FILE *out, struct page *page)
{
	put_part(out, &page->changed, "changed", "What fails, and since when",
		 "", COLUMN("Case") COLUMN("Trend") COLUMN("Since"));
	put_part(out, &page->flaky, "flaky", "Flaky cases", "<p>The bar is how "
		 "often a case fails, with 95 % confidence; the mark is how "
		 "often it did.</p>\n", COLUMN("Case") NUMBERS("Failed")
		 NUMBERS("Fails in") COLUMN("0 to 100 %"));
	put_part(out, &page->times, "times", "Times that changed", "<p>Results "
		 "that passed, in the order of their runs, the median before "
		 "and after the change, and the change.</p>\n", NULL);
	put_part(out, &page->coverage, "coverage", "Coverage", "", NULL);
	put_part(out, &page->findings, "findings", "Findings", "",
		 COLUMN("Finding") COLUMN("First seen") COLUMN("Last seen")
		 NUMBERS("Results") COLUMN("In the last run")
		 COLUMN("From the first run to the last"));
}

static void add_words(char *text, uint64_t count, const char *one,
		      const char *many)
{
	size_t length = strlen(text);

	if (count)
		snprintf(text + length, CONCLUSION - length, "%s%" PRIu64 " %s",
			 length ? ", " : "", count, count == 1 ? one : many);
}

/* Returns its class. */
static char conclude(const struct page *page, char text[CONCLUSION])
{
	const uint64_t *trends = page->trends;

	*text = '\0';
	add_words(text, trends[CLAW_TREND_NEW], "new failure", "new failures");
	add_words(text, trends[CLAW_TREND_BACK], "failure that came back",
		  "failures that came back");
	add_words(text, trends[CLAW_TREND_FAILS], "case that always fails",
		  "cases that always fail");
	add_words(text, trends[CLAW_TREND_FLAKY], "flaky", "flaky");
	add_words(text, page->slower, "slower", "slower");
	if (*text)
		return 'f';
	snprintf(text, CONCLUSION, page->series ? "Nothing fails, nothing is "
		 "slower" : "No run is like what was asked for");
	return page->series ? 'p' : 'u';
}

static void put_asked(FILE *out, const char *before, const char *text)
{
	if (!text)
		return;
	fputs(before, out);
	claw_html_text(out, text);
}

static void put_header(FILE *out, const struct page *page,
		       const struct claw_history_query *query, uint64_t runs)
{
	char text[CONCLUSION], class = conclude(page, text), day[16];

	claw_html_put_head(out, "history", "", text);
	fputs("<body>\n<a class=\"skip\" href=\"#main\">To the results</a>\n"
	      "<header>\n<h1>openclaw history</h1>\n<p class=\"tested\">", out);
	fprintf(out, "%" PRIu64 " run%s in the file", runs, runs == 1 ? "" : "s");
	if (page->series) {
		claw_history_put_day(day, page->from);
		fprintf(out, "; looked at: %s", day);
		claw_history_put_day(day, page->to);
		fprintf(out, " to %s, %" PRIu64 " series", day, page->series);
	}
	put_asked(out, "; cases ", query->name);
	put_asked(out, "; devices ", query->device);
	fprintf(out, "</p>\n<p class=\"verdict %c\">%s</p>\n</header>\n", class,
		text);
}

static void begin(struct part *part, size_t most)
{
	part->out = claw_text_begin(&part->text, &part->size);
	part->most = most;
}

static int fill(struct page *page, const struct claw_history_query *query,
		char *error, size_t size)
{
	int ret = claw_history_each(page->history, query, take_series, page,
				    error, size);

	if (ret == 0)
		ret = claw_history_each_finding(page->history, query,
						take_finding, page, error, size);
	if (ret == 0)
		ret = claw_history_each_coverage(page->history, query,
						 take_coverage, page, error,
						 size);
	return ret;
}

static int put_runs(FILE *out, struct claw_history *history,
		    const struct claw_history_query *query, char *error,
		    size_t size)
{
	struct claw_history_bar *bars = claw_calloc(RUNS_SHOWN, sizeof(*bars));
	int count = claw_history_bars(history, query, RUNS_SHOWN, bars);

	if (count > 0) {
		fprintf(out, "<section id=\"runs\" aria-labelledby=\"runs-title\">"
			"\n<h2 id=\"runs-title\">Runs</h2>\n<p>Results of the "
			"last %d run%s: <span class=\"v f\">failed</span> <span "
			"class=\"v s\">neither</span> <span class=\"v p\">passed"
			"</span></p>\n", count, count == 1 ? "" : "s");
		claw_history_plot_runs(out, bars, (size_t)count);
		fputs("</section>\n", out);
	}
	free(bars);
	return count < 0 ? claw_history_fail(history, error, size) : 0;
}

int claw_history_page(struct claw_history *history,
		      const struct claw_history_query *query, FILE *out,
		      char *error, size_t error_size)
{
	struct page page = { .history = history };
	char *main_text;
	size_t main_size;
	FILE *parts = claw_text_begin(&main_text, &main_size);
	int ret;

	begin(&page.changed, ROWS_SHOWN);
	begin(&page.flaky, ROWS_SHOWN);
	begin(&page.times, CHARTS_SHOWN);
	begin(&page.coverage, CHARTS_SHOWN);
	begin(&page.findings, ROWS_SHOWN);
	claw_history_range(history, query->since, &page.from, &page.to);
	ret = put_runs(parts, history, query, error, error_size);
	if (ret == 0)
		ret = fill(&page, query, error, error_size);
	put_parts(parts, &page);
	claw_text_end(parts);
	put_header(out, &page, query, claw_history_runs(history));
	claw_html_put_nav(out, main_text);
	fputs("<main id=\"main\" tabindex=\"-1\">\n", out);
	fwrite(main_text, 1, main_size, out);
	fputs("</main>\n<footer><p>Generated by openclaw " PACKAGE_VERSION
	      ". This page is self-contained.</p></footer>\n</body>\n</html>\n",
	      out);
	free(main_text);
	return ret;
}
