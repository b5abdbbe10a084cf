/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of a program's result is compared: an equal result means only as
 * much as was looked at.
 */
#ifndef CLAW_COMPARED_H
#define CLAW_COMPARED_H

#include <stdbool.h>
#include <stddef.h>

#include "judged_run.h"
#include "harness/files/unstable.h"

struct claw_compared {
	struct claw_unstable_amount lines;
	size_t artifacts;	/* that a run without faults makes */
	size_t missing, empty;	/* named; without faults, too */
	bool is_silent;		/* it prints nothing */
};

/* What a run is compared with: a run without faults. 0 or -CLAW_E_IO. */
int claw_compared_count(const struct claw_judged_run *baseline,
			const struct claw_unstable *unstable,
			struct claw_compared *ret_compared);

/* Is nothing but the exit status compared, or not all that was named? */
bool claw_compared_is_nothing(const struct claw_compared *compared);

/* "exit status, 12 of 14 lines (3 without numbers that vary), 1 artifact";
 * malloced. */
char *claw_compared_text(const struct claw_compared *compared);

/* Why there is nothing to compare: "it prints nothing". */
const char *claw_compared_why(const struct claw_compared *compared);

/* What helps where two runs without faults differ so (compare_results of
 * judge.c): the name of the result comes first in the words. */
const char *claw_compared_hint(const struct claw_judged_run *run,
			       const char *difference, bool strict_output);

#endif
