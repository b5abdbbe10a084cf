/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Error paths as a tracefile of lcov, for genhtml: of each line that no run
 * without faults has executed how many faults have led to it. What runs
 * without faults, too, is not in it, and what no fault has led to only where
 * every run has told what it ran.
 */
#include "config.h"

#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep_handlers.h"
#include "harness/base/memory.h"
#include "swept.h"

static int paths_begin(FILE *out, const struct claw_report_head *head,
		       void **ret_state)
{
	struct claw_sweep_handlers *handlers = claw_calloc(1,
							   sizeof(*handlers));

	(void)out;
	claw_report_handlers_begin(head, handlers);
	*ret_state = handlers;
	return 0;
}

static void paths_result(FILE *out, void *state,
			 const struct claw_result *result)
{
	(void)out;
	claw_sweep_handlers_add(state, result->first_run);
}

/* The lines of one file, of which the first is given. never: those that did not
 * run, too. Returns the number of the next line's. */
static size_t put_file(FILE *out, const struct claw_code_lines *lines,
		       size_t first, bool never)
{
	const char *file = lines->items[first].file;
	size_t i = first, found = 0, hit = 0;

	for (; i < lines->count && strcmp(lines->items[i].file, file) == 0;
	     i++) {
		const struct claw_code_line *line = &lines->items[i];

		if (!line->mark || (line->runs == 0 && !never))
			continue;
		if (found++ == 0)
			fprintf(out, "TN:error_paths\nSF:%s\n", file);
		hit += line->runs > 0;
		fprintf(out, "DA:%u,%" PRIu64 "\n", line->number, line->runs);
	}
	if (found > 0)
		fprintf(out, "LF:%zu\nLH:%zu\nend_of_record\n", found, hit);
	return i;
}

static int paths_end(FILE *out, void *state)
{
	struct claw_sweep_handlers *handlers = state;
	const struct claw_code_lines *lines =
		claw_sweep_handlers_lines(handlers);

	for (size_t i = 0; handlers->is_known && i < lines->count;)
		i = put_file(out, lines, i, handlers->unknown == 0);
	claw_sweep_handlers_release(handlers);
	free(handlers);
	return 0;
}

const struct claw_report_format claw_report_error_paths = {
	.summary = "lines that only faults reach, for lcov's genhtml",
	.begin = paths_begin, .result = paths_result, .end = paths_end,
};
