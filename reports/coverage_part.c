/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of kernels in Markdown, from DIR/coverage.info (lcov.c): a table of
 * files, and the lines that never ran. Another run's tracefile reads as well;
 * what is wrong with one is left out.
 */
#include "config.h"

#include "coverage_part.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/cover/coverage_baseline.h"
#include "harness/cover/coverage_output.h"
#include "harness/base/text.h"

enum { MISSED_SHOWN = 60 };		/* lines */

bool claw_covered_lines(const struct claw_report_head *head,
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

bool claw_covered_next(const struct claw_code_lines *lines, size_t *at,
		       struct claw_covered *part)
{
	size_t i = *at;

	if (i == lines->count)
		return false;
	*part = (struct claw_covered) { .first = &lines->items[i] };
	for (; i < lines->count && strcmp(lines->items[i].file,
					  part->first->file) == 0; i++)
		part->hit += lines->items[i].runs > 0;
	part->count = i - *at;
	*at = i;
	return true;
}

double claw_covered_percent(const struct claw_covered *part)
{
	return 100.0 * (double)part->hit / (double)part->count;
}

FILE *claw_covered_open(const struct claw_report_head *head,
			const struct claw_covered *part)
{
	const struct claw_result nobodys = { .file = NULL };

	return claw_report_open_source(head, &nobodys, part->first->file);
}

const struct claw_code_line *claw_covered_line(const struct claw_covered *part,
					       size_t *next,
					       unsigned int number)
{
	while (*next < part->count && part->first[*next].number < number)
		++*next;
	return *next < part->count && part->first[*next].number == number ?
		&part->first[*next] : NULL;
}

static void put_missed(FILE *out, const struct claw_report_head *head,
		       const struct claw_covered *part,
		       unsigned int *shown)
{
	FILE *in = claw_covered_open(head, part);
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
		const struct claw_code_line *line = claw_covered_line(part,
						&next, number);
		char numbered[512];

		if (claw_getline(&text, &room, in) < 0)
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
	struct claw_covered part;
	unsigned int shown = 0;

	if (claw_covered_lines(head, &lines)) {
		fputs("\n## Coverage\n\n| file | lines that ran | |\n"
		      "| --- | --- | --- |\n", out);
		for (size_t at = 0; claw_covered_next(&lines, &at, &part);) {
			fputs("| ", out);
			claw_report_put_markdown(out, claw_report_path(head,
				part.first->file));
			fprintf(out, " | %zu of %zu | %.1f %% |\n", part.hit,
				part.count, claw_covered_percent(&part));
		}
		for (size_t at = 0; shown < MISSED_SHOWN &&
		     claw_covered_next(&lines, &at, &part);)
			if (part.hit < part.count)
				put_missed(out, head, &part, &shown);
		if (shown == MISSED_SHOWN)
			fputs("\nMore lines never ran: report.html has all.\n",
			      out);
	}
	claw_code_lines_release(&lines);
}
