/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions that were evaluated, and never went one of their ways. */
#include "config.h"

#include "explore.h"

#include <stdlib.h>
#include <string.h>

#include "harness/files/outside_file.h"

enum { LINES = 20, FILE_BYTES_MAX = 16 << 20 };

/* A line from 1, without the blanks at its begin; "" where there is none. */
static void put_line(const char *text, unsigned int number, FILE *out)
{
	for (; text && number > 1; number--) {
		text = strchr(text, '\n');
		text += text != NULL;
	}
	if (!text)
		return;
	text += strspn(text, " \t");
	fprintf(out, ": %.*s", (int)strcspn(text, "\r\n"), text);
}

static void put_branch(const struct claw_coverage_file *file,
		       const struct claw_coverage_branch *branch,
		       const char *text, FILE *out)
{
	bool is_case = strcmp(branch->kind, "case") == 0;

	fprintf(out, "not reached: %s:%u: ", file->path, branch->line);
	if (is_case)
		fprintf(out, "way %u of this switch", branch->arm + 1);
	else
		fprintf(out, "%s never %s", branch->kind,
			branch->arm ? "false" : "true");
	put_line(text, branch->line, out);
	fputc('\n', out);
}

static void put_file(const struct claw_coverage_file *file, unsigned int *count,
		     FILE *out)
{
	char *text = NULL;
	size_t size;

	claw_outside_read(file->path, 0, FILE_BYTES_MAX, &text, &size);
	for (size_t i = 0; i < file->branch_count; i++) {
		const struct claw_coverage_branch *branch = &file->branches[i];

		if (branch->taken || !branch->is_reached)
			continue;
		if ((*count)++ < LINES)
			put_branch(file, branch, text, out);
	}
	free(text);
}

void claw_explore_put_missed(const struct claw_coverage *coverage, FILE *out)
{
	unsigned int count = 0;

	for (size_t i = 0; i < coverage->count; i++)
		put_file(&coverage->files[i], &count, out);
	if (count > LINES)
		fprintf(out, "not reached: %u more, see coverage.info\n",
			count - LINES);
}
