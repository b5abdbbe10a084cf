/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of cases and tools on a page. Where it would be too long, rows
 * without a result that a person must look at are left out first.
 */
#include "config.h"

#include "html.h"

#include <inttypes.h>
#include <string.h>

enum { ROWS_SHOWN = 3000 };

/* Without the texts that the table does not show: there can be many. */
void claw_html_tests_add(struct claw_html *html,
			 const struct claw_result *result)
{
	struct claw_result shorter = *result;

	shorter.detail = shorter.reproduce = shorter.first_run = NULL;
	if (!claw_html_is_finding(result)) {
		shorter.findings = NULL;
		shorter.file = shorter.metrics = NULL;
	}
	claw_report_cases_add(&html->cases, &shorter);
}

static char class_of(const struct claw_result *result)
{
	return result ? claw_verdict_class(result->verdict) : 'p';
}

static bool is_quiet(const struct claw_report_row *row)
{
	for (size_t i = 0; i < row->room; i++)
		if (claw_report_cases_find(row, i) &&
		    class_of(claw_report_cases_find(row, i)) != 'p')
			return false;
	return true;
}

static void put_cell(FILE *out, const struct claw_html *html,
		     const struct claw_result *result)
{
	size_t number = result && claw_html_is_finding(result) ?
		claw_html_findings_find(&html->findings, result) : 0;

	if (!result) {
		fputs("<td class=\"none\">not run</td>", out);
		return;
	}
	fputs("<td>", out);
	if (number > 0)
		fprintf(out, "<a href=\"#finding-%zu\">", number);
	claw_html_verdict(out, result->verdict);
	fputs(number > 0 ? "</a>" : "", out);
	if (result->seen) {
		fputs(" <span class=\"seen\">", out);
		claw_html_text(out, result->seen);
		fputs("</span>", out);
	}
	if (result->flaky)
		fputs(" <span class=\"flaky\">flaky</span>", out);
	if (class_of(result) == 's' && result->message && !result->seen) {
		fputs(" <span class=\"seen\">", out);
		claw_html_text(out, result->message);
		fputs("</span>", out);
	}
	fputs("</td>", out);
}

/* For the filter: all verdicts of the row. */
static void put_verdicts(FILE *out, const struct claw_report_row *row)
{
	const char *blank = "";

	fputs(" data-v=\"", out);
	for (size_t i = 0; i < row->room; i++) {
		const struct claw_result *result =
			claw_report_cases_find(row, i);

		if (!result)
			continue;
		fprintf(out, "%s%s", blank, claw_verdict_name(result->verdict));
		blank = " ";
	}
	fputs("\"", out);
}

static void put_row(FILE *out, const struct claw_html *html,
		    const struct claw_report_row *row)
{
	const char *expects = NULL;

	for (size_t i = 0; i < row->room && !expects; i++)
		if (claw_report_cases_find(row, i))
			expects = claw_report_cases_find(row, i)->expects;
	fputs("<tr", out);
	put_verdicts(out, row);
	fputs("><th scope=\"row\">", out);
	claw_html_text(out, row->name);
	if (expects) {
		fputs("<span class=\"expects\">must be found: ", out);
		claw_html_text(out, expects);
		fputs("</span>", out);
	}
	fputs("</th>", out);
	for (size_t i = 0; i < html->cases.tool_count; i++)
		put_cell(out, html, claw_report_cases_find(row, i));
	fputs("</tr>\n", out);
}

static void put_suite(FILE *out, const struct claw_html *html,
		      const char *suite)
{
	fprintf(out, "<tbody>\n<tr class=\"suite\"><th colspan=\"%zu\" "
		"scope=\"rowgroup\">", html->cases.tool_count + 1);
	claw_html_text(out, *suite ? suite : "without a suite");
	fputs("</th></tr>\n", out);
}

static void put_rows(FILE *out, const struct claw_html *html, size_t quiet_room,
		     size_t loud_room, uint64_t *ret_quiet, uint64_t *ret_loud)
{
	const char *suite = NULL;

	for (size_t i = 0; i < html->cases.row_count; i++) {
		const struct claw_report_row *row = &html->cases.rows[i];
		bool quiet = is_quiet(row);
		size_t *room = quiet ? &quiet_room : &loud_room;

		if (*room == 0) {
			++*(quiet ? ret_quiet : ret_loud);
			continue;
		}
		--*room;
		if (!suite || strcmp(suite, row->suite) != 0) {
			fputs(suite ? "</tbody>\n" : "", out);
			put_suite(out, html, row->suite);
		}
		suite = row->suite;
		put_row(out, html, row);
	}
	fputs(suite ? "</tbody>\n" : "", out);
}

static void put_left_out(FILE *out, const struct claw_html *html,
			 uint64_t quiet, uint64_t loud)
{
	if (quiet + loud == 0)
		return;
	fprintf(out, "<p class=\"cut\">Omitted from this table: %" PRIu64 " "
		"cases that passed, %" PRIu64 " others. See <a href=\"",
		quiet, loud);
	claw_html_address(out, html->head->link_base, "records.jsonl");
	fputs("\">records.jsonl</a>.</p>\n", out);
}

void claw_html_put_tests(FILE *out, const struct claw_html *html)
{
	const struct claw_report_cases *cases = &html->cases;
	uint64_t quiet_left = 0, loud_left = 0;
	size_t loud = 0;

	if (cases->row_count == 0)
		return;
	for (size_t i = 0; i < cases->row_count; i++)
		loud += !is_quiet(&cases->rows[i]);
	if (loud > ROWS_SHOWN)
		loud = ROWS_SHOWN;
	fputs("<section id=\"cases\" aria-labelledby=\"cases-title\">\n<h2 id="
	      "\"cases-title\">Cases and tools</h2>\n<div class=\"wide\" "
	      "tabindex=\"0\" role=\"region\" aria-labelledby=\"cases-title\">"
	      "<table class=\"cases\">\n<thead><tr><th scope=\"col\">Case</th>",
	      out);
	for (size_t i = 0; i < cases->tool_count; i++) {
		fputs("<th scope=\"col\">", out);
		claw_html_text(out, cases->tools[i]);
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n", out);
	put_rows(out, html, ROWS_SHOWN - loud, loud, &quiet_left, &loud_left);
	fputs("</table></div>\n", out);
	put_left_out(out, html, quiet_left, loud_left);
	fputs("</section>\n", out);
}
