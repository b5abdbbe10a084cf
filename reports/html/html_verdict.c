/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict of a run, first on its page.
 */
#include "config.h"

#include "html.h"
#include "reports/coverage_part.h"

#include <inttypes.h>
#include <string.h>

static uint64_t count_class(const struct claw_report_head *head, char class)
{
	uint64_t count = 0;

	for (int i = 0; i < CLAW_VERDICT_COUNT; i++)
		if (claw_verdict_class((enum claw_verdict)i) == class)
			count += head->counts[i];
	return count;
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void append(char *text, size_t size, const char *more)
{
	size_t length = strlen(text);

	snprintf(text + length, size - length, "%s", more);
}

/* Of a soak what a person asks first, not how many series say it. */
static void put_soak_findings(char *text, size_t size,
			      const struct claw_report_head *head)
{
	static const struct {
		enum claw_verdict verdict;
		const char *words;
	} words[] = {
		{ CLAW_LEAK, "leaks" }, { CLAW_SLOWDOWN, "slows down" },
		{ CLAW_CRASH, "crashes" }, { CLAW_HANG, "hangs" },
		{ CLAW_FAILED, "fails" },
	};
	const char *before = "It ";

	*text = '\0';
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (head->counts[words[i].verdict] == 0)
			continue;
		append(text, size, before);
		append(text, size, words[i].words);
		before = ", ";
	}
	if (!*text)
		snprintf(text, size, "Findings");
}

static void put_findings(char *text, size_t size, const struct claw_html *html,
			 uint64_t findings)
{
	uint64_t count = html->head->result_count;
	size_t mistakes = html->swept.mistakes.count;

	if (claw_html_is_soak(&html->soak))
		put_soak_findings(text, size, html->head);
	else if (mistakes > 0)
		snprintf(text, size, "%zu finding%s, at %" PRIu64 " of %" PRIu64
			 " points", mistakes, plural(mistakes), findings,
			 count);
	else
		snprintf(text, size, "%" PRIu64 " finding%s in %" PRIu64
			 " result%s", findings, plural(findings), count,
			 plural(count));
}

/* Of "openclaw cover" the number that it was run for. */
static bool put_coverage(char *text, size_t size,
			 const struct claw_report_head *head)
{
	struct claw_code_lines lines;
	struct claw_covered part, all = { .first = NULL };

	if (!claw_report_same(head->verb, "cover"))
		return false;
	claw_covered_lines(head, &lines);
	for (size_t at = 0; claw_covered_next(&lines, &at, &part);) {
		all.count += part.count;
		all.hit += part.hit;
	}
	claw_code_lines_release(&lines);
	if (all.count == 0)
		return false;
	snprintf(text, size, "%.1f %% of %zu line%s ran",
		 claw_covered_percent(&all), all.count, plural(all.count));
	return true;
}

void claw_html_conclude(const struct claw_html *html, char *text, size_t size,
			char *ret_class)
{
	const struct claw_report_head *head = html->head;
	uint64_t findings = count_class(head, 'f');
	uint64_t unknown = count_class(head, 'u');
	uint64_t passed = count_class(head, 'p') + count_class(head, 'n');
	char missing[CLAW_REPORT_MISSING];
	bool is_part = claw_report_missing(head, head->result_count, missing,
					   sizeof(missing));

	*ret_class = 'u';
	if (findings > 0) {
		put_findings(text, size, html, findings);
		if (is_part)
			append(text, size, ", and the run is incomplete");
		*ret_class = 'f';
	} else if (is_part) {
		snprintf(text, size, "%.*s", (int)strcspn(missing, ":"),
			 missing);
	} else if (unknown > 0) {
		snprintf(text, size, "%" PRIu64 " of %" PRIu64 " result%s "
			 "inconclusive", unknown, head->result_count,
			 plural(head->result_count));
	} else if (head->damaged_lines > 0) {
		snprintf(text, size, "Damaged: %" PRIu64 " line%s of the "
			 "records cannot be read", head->damaged_lines,
			 plural(head->damaged_lines));
	} else if (passed == 0) {
		snprintf(text, size, head->result_count ?
			 "Nothing could run here" : "Nothing was run");
	} else if (head->exit_status == 1) {
		snprintf(text, size, "Findings: the run exited with status 1");
		*ret_class = 'f';
	} else if (head->exit_status != 0) {
		snprintf(text, size, "Inconclusive: the run exited with "
				     "status %d",
			 head->exit_status);
	} else {
		if (!put_coverage(text, size, head))
			snprintf(text, size, "No findings in %" PRIu64
				 " result%s", head->result_count,
				 plural(head->result_count));
		*ret_class = 'p';
	}
}

void claw_html_verdict(FILE *out, enum claw_verdict verdict)
{
	fprintf(out, "<span class=\"v %c\">%s</span>",
		claw_verdict_class(verdict), claw_verdict_name(verdict));
}

/* A bar of all results, the worst first; the list beside it says the same. */
static void put_bar(FILE *out, const struct claw_report_head *head)
{
	static const char classes[] = "funsp";
	double at = 0;

	fputs("<svg class=\"bar\" viewBox=\"0 0 1000 14\" "
	      "preserveAspectRatio=\"none\" aria-hidden=\"true\">", out);
	for (const char *class = classes; *class; class++) {
		double width = 1000.0 * (double)count_class(head, *class) /
			       (double)head->result_count;

		/* One of very many is seen, too. */
		if (width > 0 && width < 6)
			width = 6;
		if (at + width > 1000)
			width = 1000 - at;
		if (width > 0)
			fprintf(out, "<rect class=\"%c\" x=\"%.1f\" "
				"width=\"%.1f\" height=\"14\"/>", *class, at,
				width);
		at += width;
	}
	fputs("</svg>\n", out);
}

static void put_counts(FILE *out, const struct claw_report_head *head)
{
	static const char classes[] = "funsp";

	if (head->result_count == 0)
		return;
	put_bar(out, head);
	fputs("<ul class=\"counts\">\n", out);
	for (const char *class = classes; *class; class++)
		for (int i = 0; i < CLAW_VERDICT_COUNT; i++) {
			if (head->counts[i] == 0 || *class !=
			    claw_verdict_class((enum claw_verdict)i))
				continue;
			fprintf(out, "<li><b>%" PRIu64 "</b> ",
				head->counts[i]);
			claw_html_verdict(out, (enum claw_verdict)i);
			fputs("</li>\n", out);
		}
	fputs("</ul>\n", out);
}

/* What a person must know before anything else. */
static void put_warnings(FILE *out, const struct claw_report_head *head)
{
	char missing[CLAW_REPORT_MISSING];

	if (claw_report_missing(head, head->result_count, missing,
				sizeof(missing))) {
		fputs("<p class=\"warning\">", out);
		claw_html_text(out, missing);
		fputs(".</p>\n", out);
	}
	if (head->damaged_lines > 0)
		fprintf(out, "<p class=\"warning\">Damaged: %" PRIu64 " lines "
			"of the records are ignored.</p>\n",
			head->damaged_lines);
}

void claw_html_put_verdict(FILE *out, const struct claw_html *html)
{
	char text[256], class;

	claw_html_conclude(html, text, sizeof(text), &class);
	fprintf(out, "<p class=\"verdict %c\">%s</p>\n", class, text);
	put_warnings(out, html->head);
	put_counts(out, html->head);
}
