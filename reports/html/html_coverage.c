/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of kernels on a page and in Markdown, from DIR/coverage.info
 * (lcov.c): a table of files, and each file's source with how often each line
 * ran. Another run's tracefile reads as well; what is wrong with one is left out.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cover/coverage_baseline.h"
#include "harness/cover/coverage_output.h"
#include "harness/base/text.h"
#include "harness/base/text_clean.h"
#include "reports/coverage_part.h"
#include "html.h"

enum {
	FILES_SHOWN = 200,
	SOURCES_SHOWN = 40,
	LINES_SHOWN = 5000,		/* of one source */
	MISSED_SHOWN = 60,		/* lines in Markdown */
};

/* Lines of one file, [first, end) of the set. */
struct part {
	const struct claw_code_line *first;
	size_t count, hit;
};

/* False: there is no coverage. */
static bool read_lines(const struct claw_report_head *head,
		       struct claw_code_lines *lines)
{
	char *path = head->directory ? claw_path_in(head->directory,
						    CLAW_COVERAGE_TRACEFILE) :
		NULL;
	char error[256];
	int ret = -1;

	*lines = (struct claw_code_lines) { .items = NULL };
	if (path)
		ret = claw_tracefile_read(path, lines, error, sizeof(error));
	free(path);
	if (ret < 0)
		return false;
	claw_code_lines_sort(lines);
	return lines->count > 0;
}

/* From *at on, which goes behind it. */
static bool next_part(const struct claw_code_lines *lines, size_t *at,
		      struct part *part)
{
	size_t i = *at;

	if (i == lines->count)
		return false;
	*part = (struct part) { .first = &lines->items[i] };
	for (; i < lines->count && strcmp(lines->items[i].file,
					  part->first->file) == 0; i++)
		part->hit += lines->items[i].runs > 0;
	part->count = i - *at;
	*at = i;
	return true;
}

static double percent(const struct part *part)
{
	return 100.0 * (double)part->hit / (double)part->count;
}

static FILE *open_source(const struct claw_report_head *head,
			 const struct part *part)
{
	const struct claw_result nobodys = { .file = NULL };

	return claw_report_open_source(head, &nobodys, part->first->file);
}

/* Of the part's lines the one of that number, or NULL. *next: the first that
 * may be it, which goes on. */
static const struct claw_code_line *line_of(const struct part *part,
					    size_t *next, unsigned int number)
{
	while (*next < part->count && part->first[*next].number < number)
		++*next;
	return *next < part->count && part->first[*next].number == number ?
		&part->first[*next] : NULL;
}

/* ---- the page ------------------------------------------------------------ */

static void put_row(FILE *out, const struct claw_report_head *head,
		    const struct part *part)
{
	fputs("<tr><th scope=\"row\">", out);
	claw_html_place(out, head, part->first->file, 0);
	fprintf(out, "</th><td class=\"num\">%zu of %zu</td><td class=\"num\">"
		"%.1f %%</td></tr>\n", part->hit, part->count, percent(part));
}

static void put_table(FILE *out, const struct claw_report_head *head,
		      const struct claw_code_lines *lines)
{
	struct part part;
	size_t shown = 0;

	fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label="
	      "\"Files\"><table>\n<thead><tr><th scope=\"col\">File</th>"
	      "<th scope=\"col\" class=\"num\">Lines that ran</th>"
	      "<th scope=\"col\" class=\"num\">Part</th></tr></thead>\n"
	      "<tbody>\n", out);
	for (size_t at = 0; next_part(lines, &at, &part);)
		if (shown++ < FILES_SHOWN)
			put_row(out, head, &part);
	fputs("</tbody></table></div>\n", out);
	if (shown > FILES_SHOWN)
		fprintf(out, "<p class=\"cut\">%d more files are left out."
			"</p>\n", (int)(shown - FILES_SHOWN));
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
	if (clean)
		claw_html_bytes(out, clean, strlen(clean));
	fputs(is_missed ? "</mark>\n" : "\n", out);
	free(clean);
}

static void put_source(FILE *out, const struct claw_report_head *head,
		       const struct part *part)
{
	FILE *in = open_source(head, part);
	unsigned int last = part->first[part->count - 1].number, number = 1;
	size_t room = 0, next = 0;
	char *text = NULL;

	if (!in)
		return;
	fputs("<details open><summary>", out);
	claw_html_place(out, head, part->first->file, 0);
	fprintf(out, ": %zu of %zu lines</summary>\n<pre class=\"source\" "
		"tabindex=\"0\">", part->hit, part->count);
	for (; number <= last && number <= LINES_SHOWN; number++) {
		ssize_t length = getline(&text, &room, in);

		if (length < 0 || strlen(text) != (size_t)length)
			break;		/* it is no text */
		put_line(out, line_of(part, &next, number), number, text);
	}
	fputs("</pre></details>\n", out);
	if (number <= last)
		fputs("<p class=\"cut\">The rest of this file is left out."
		      "</p>\n", out);
	free(text);
	fclose(in);
}

void claw_html_put_coverage(FILE *out, const struct claw_report_head *head)
{
	struct claw_code_lines lines;
	struct part part;
	size_t shown = 0;

	if (read_lines(head, &lines)) {
		fputs("<section id=\"coverage\" aria-labelledby=\"coverage-h\">"
		      "\n<h2 id=\"coverage-h\">Coverage</h2>\n", out);
		put_table(out, head, &lines);
		fputs("<p>How often each line ran; marked lines never did."
		      "</p>\n", out);
		for (size_t at = 0; shown < SOURCES_SHOWN &&
		     next_part(&lines, &at, &part); shown++)
			put_source(out, head, &part);
		fputs("</section>\n", out);
	}
	claw_code_lines_release(&lines);
}

/* ---- Markdown ------------------------------------------------------------ */

static void put_missed(FILE *out, const struct claw_report_head *head,
		       const struct part *part, unsigned int *shown)
{
	FILE *in = open_source(head, part);
	unsigned int number = 1, last = part->first[part->count - 1].number;
	size_t room = 0, next = 0;
	char *text = NULL;

	if (!in)
		return;
	fputs("\nNever ran in ", out);
	claw_report_put_markdown(out, claw_report_path(head,
						       part->first->file));
	fputs(":\n\n", out);
	for (; number <= last && *shown < MISSED_SHOWN; number++) {
		const struct claw_code_line *line = line_of(part, &next,
							    number);
		char numbered[512];

		if (getline(&text, &room, in) < 0)
			break;
		if (!line || line->runs > 0)
			continue;
		++*shown;
		text[strcspn(text, "\r\n")] = '\0';
		snprintf(numbered, sizeof(numbered), "%5u  %s", number, text);
		claw_report_lines(out, "    ", numbered, 1);
	}
	free(text);
	fclose(in);
}

void claw_report_put_coverage_markdown(FILE *out,
				       const struct claw_report_head *head)
{
	struct claw_code_lines lines;
	struct part part;
	unsigned int shown = 0;

	if (read_lines(head, &lines)) {
		fputs("\n## Coverage\n\n| file | lines that ran | |\n"
		      "| --- | --- | --- |\n", out);
		for (size_t at = 0; next_part(&lines, &at, &part);) {
			fputs("| ", out);
			claw_report_put_markdown(out, claw_report_path(head,
				part.first->file));
			fprintf(out, " | %zu of %zu | %.1f %% |\n", part.hit,
				part.count, percent(&part));
		}
		for (size_t at = 0; shown < MISSED_SHOWN &&
		     next_part(&lines, &at, &part);)
			if (part.hit < part.count)
				put_missed(out, head, &part, &shown);
		if (shown == MISSED_SHOWN)
			fputs("\nMore lines never ran: report.html has all.\n",
			      out);
	}
	claw_code_lines_release(&lines);
}
