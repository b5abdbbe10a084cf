/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of kernels on a page: a table of files, and each file's source with
 * how often each line ran.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text_clean.h"
#include "reports/coverage_part.h"
#include "html.h"

enum {
	FILES_SHOWN = 200,
	SOURCES_SHOWN = 40,
	LINES_SHOWN = 5000,		/* of one source */
};

static void put_row(FILE *out, const struct claw_report_head *head,
		    const struct claw_covered *part)
{
	fputs("<tr><th scope=\"row\">", out);
	claw_html_place(out, head, part->first->file, 0, 0);
	fprintf(out, "</th><td class=\"num\">%zu of %zu</td><td class=\"num\">"
		"%.1f %%</td></tr>\n", part->hit, part->count,
		claw_covered_percent(part));
}

static void put_table(FILE *out, const struct claw_report_head *head,
		      const struct claw_code_lines *lines)
{
	struct claw_covered part;
	size_t shown = 0;

	fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label="
	      "\"Files\"><table>\n<thead><tr><th scope=\"col\">File</th>"
	      "<th scope=\"col\" class=\"num\">Lines that ran</th>"
	      "<th scope=\"col\" class=\"num\">Part</th></tr></thead>\n"
	      "<tbody>\n", out);
	for (size_t at = 0; claw_covered_next(lines, &at, &part);)
		if (shown++ < FILES_SHOWN)
			put_row(out, head, &part);
	fputs("</tbody></table></div>\n", out);
	if (shown > FILES_SHOWN)
		fprintf(out, "<p class=\"cut\">%d more files are "
			"omitted.</p>\n", (int)(shown - FILES_SHOWN));
}

static void put_line(FILE *out, const struct claw_code_line *line,
		     unsigned int number, const char *text)
{
	char *clean = claw_text_clean(text, strcspn(text, "\r\n"));
	bool is_missed = line && line->runs == 0;

	fprintf(out, "%s<span class=\"n\">%5u</span> ", is_missed ? "<mark>" :
		"", number);
	if (line)
		fprintf(out, "%10" PRIu64 "  ", line->runs);
	else
		fprintf(out, "%10s  ", "");
	claw_html_bytes(out, clean, strlen(clean));
	fputs(is_missed ? "</mark>\n" : "\n", out);
	free(clean);
}

static void put_source(FILE *out, const struct claw_report_head *head,
		       const struct claw_covered *part)
{
	FILE *in = claw_covered_open(head, part);
	unsigned int last = part->first[part->count - 1].number, number = 1;
	size_t room = 0, next = 0;
	char *text = NULL;

	if (!in)
		return;
	fputs("<details open><summary><code>", out);
	claw_html_text(out, claw_report_path(head, part->first->file));
	fprintf(out, "</code>: %zu of %zu lines</summary>\n<pre class=\"source\" "
		"tabindex=\"0\">", part->hit, part->count);
	for (; number <= last && number <= LINES_SHOWN; number++) {
		ssize_t length = claw_getline(&text, &room, in);

		if (length < 0 || strlen(text) != (size_t)length)
			break;		/* it is no text */
		put_line(out, claw_covered_line(part, &next, number), number,
			 text);
	}
	fputs("</pre></details>\n", out);
	if (number <= last)
		fputs("<p class=\"cut\">The rest of this file is "
		      "omitted.</p>\n", out);
	free(text);
	fclose(in);
}

void claw_html_put_coverage(FILE *out, const struct claw_report_head *head)
{
	struct claw_code_lines lines;
	struct claw_covered part;
	size_t shown = 0;

	if (claw_covered_lines(head, &lines)) {
		fputs("<section id=\"coverage\" aria-labelledby=\"coverage-title\">"
		      "\n<h2 id=\"coverage-title\">Coverage</h2>\n", out);
		put_table(out, head, &lines);
		fputs("<p>Execution count per line; marked lines never "
		      "ran.</p>\n", out);
		for (size_t at = 0; shown < SOURCES_SHOWN &&
		     claw_covered_next(&lines, &at, &part); shown++)
			put_source(out, head, &part);
		fputs("</section>\n", out);
	}
	claw_code_lines_release(&lines);
}
