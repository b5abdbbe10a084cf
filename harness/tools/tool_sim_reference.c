/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The .ref file beside a .sim file, as Oclgrind's own tests read it (its
 * tests/run_test.py): a line each of "ERROR words" of a report's first line,
 * "EXACT text" and "MATCH words" of a line of output, in that order. Empty
 * lines count nowhere.
 */
#include "config.h"

#include "tool_sim.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/base/text.h"

enum { WORD_LENGTH = 6 };	/* "ERROR ", "EXACT ", "MATCH " */

/* ---- what must be found ------------------------------------------------ */

/* Words of Oclgrind's headlines, which .ref files quote in part. */
static const struct {
	const char *words;
	enum claw_finding_kind kind;
} quoted[] = {
	{ "data race", CLAW_FINDING_RACE },
	{ "Uninitialized", CLAW_FINDING_UNINITIALIZED },
	{ "uninitialized", CLAW_FINDING_UNINITIALIZED },
	{ "divergence", CLAW_FINDING_DIVERGENCE },
	{ "not aligned", CLAW_FINDING_MISALIGNED },
	{ "Unaligned", CLAW_FINDING_MISALIGNED },
	{ "static array size", CLAW_FINDING_ARRAY_INDEX },
	{ "Invalid read", CLAW_FINDING_INVALID_READ },
	{ "Invalid write", CLAW_FINDING_INVALID_WRITE },
	{ "", CLAW_FINDING_KERNEL_OTHER },
};

static struct claw_expected_finding expected_by(const char *text)
{
	const char *at = strstr(text, " at ");
	struct claw_expected_finding expected = { 0 };
	char space[16];
	size_t i = 0;

	while (!strstr(text, quoted[i].words))
		i++;
	expected.kind = quoted[i].kind;
	if (expected.kind != CLAW_FINDING_UNINITIALIZED && at &&
	    sscanf(at, " at %15[a-z] memory", space) == 1 &&
	    claw_space_find(space) >= 0)
		expected.space = (enum claw_address_space)
				 claw_space_find(space);
	return expected;
}

/* 0 also when it is there already. */
static void add_expected(struct claw_expected_finding **list, size_t *count,
			 struct claw_expected_finding expected)
{
	struct claw_expected_finding *grown;

	for (size_t i = 0; i < *count; i++)
		if ((*list)[i].kind == expected.kind &&
		    (*list)[i].space == expected.space)
			return;
	grown = claw_grow(*list, *count + 1, sizeof(*grown));
	grown[(*count)++] = expected;
	*list = grown;
}

void claw_sim_expected(const char *file,
		       struct claw_expected_finding **ret_expected,
		       size_t *ret_count)
{
	struct claw_expected_finding *list = NULL;
	char *path = claw_sim_beside(file, "ref"), *line = NULL;
	FILE *in = claw_outside_fopen(path);
	size_t size = 0, count = 0;

	while (in && claw_getline(&line, &size, in) > 0)
		if (claw_begins(line, "ERROR "))
			add_expected(&list, &count,
				     expected_by(line + WORD_LENGTH));
	if (in)
		fclose(in);
	free(line);
	free(path);
	*ret_expected = list;
	*ret_count = count;
}

/* ---- what must be printed ---------------------------------------------- */

/* A text's lines that are not empty. */
struct lines {
	FILE *in;
	char *text;		/* of the current one; NULL: the end */
	size_t size;
	unsigned int number;
};

static void open_lines(struct lines *lines, const char *path)
{
	*lines = (struct lines){ .in = path ? claw_outside_fopen(path) : NULL };
}

static bool next_line(struct lines *lines)
{
	do {
		if (claw_getline(&lines->text, &lines->size, lines->in) < 0) {
			free(lines->text);
			lines->text = NULL;
			return false;
		}
		lines->number++;
		lines->text[strcspn(lines->text, "\r\n")] = '\0';
	} while (!lines->text[0]);
	return true;
}

static void close_lines(struct lines *lines)
{
	free(lines->text);
	if (lines->in)
		fclose(lines->in);
}

static void differ(struct claw_sim_difference *difference, unsigned int line,
		   const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void differ(struct claw_sim_difference *difference, unsigned int line,
		   const char *format, ...)
{
	va_list args;

	difference->line = line;
	va_start(args, format);
	vsnprintf(difference->text, sizeof(difference->text), format, args);
	va_end(args);
}

/* One line of the reference against the next one of the output. */
static void compare_line(const struct lines *reference, struct lines *output,
			 struct claw_sim_difference *difference)
{
	const char *wanted = reference->text + WORD_LENGTH;
	bool is_exact = claw_begins(reference->text, "EXACT ");

	if (!is_exact && !claw_begins(reference->text, "MATCH "))
		differ(difference, reference->number, "expected ERROR, EXACT "
		       "or MATCH, found \"%.100s\"", reference->text);
	else if (!next_line(output))
		differ(difference, reference->number, "expected \"%.100s\", "
		       "found the end of its output", wanted);
	else if (is_exact ? strcmp(output->text, wanted) != 0 :
		 !strstr(output->text, wanted))
		differ(difference, reference->number, "expected \"%.100s\", "
		       "found \"%.100s\"", wanted, output->text);
}

static void compare_lines(struct lines *reference, struct lines *output,
			  struct claw_sim_difference *difference)
{
	while (!difference->text[0] && next_line(reference))
		if (!claw_begins(reference->text, "ERROR "))
			compare_line(reference, output, difference);
	if (!difference->text[0] && next_line(output))
		differ(difference, reference->number, "expected the end of its "
		       "output, found \"%.100s\"", output->text);
}

int claw_sim_compare(const struct claw_under_run *run,
		     struct claw_sim_difference *ret_difference)
{
	char *path = claw_sim_beside(run->source, "ref");
	struct claw_sim_difference difference = { .line = 0 };
	struct lines reference, output;
	int ret = 0;

	open_lines(&reference, path);
	open_lines(&output, run->stdout_path);
	snprintf(difference.file, sizeof(difference.file), "%s", path);
	if (reference.in && output.in)
		compare_lines(&reference, &output, &difference);
	else if (reference.in)
		ret = -CLAW_E_DAMAGED;
	close_lines(&reference);
	close_lines(&output);
	free(path);
	if (ret == 0)
		*ret_difference = difference;
	return ret;
}
