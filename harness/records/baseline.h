/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What became of each case since an earlier run.
 */
#ifndef CLAW_BASELINE_H
#define CLAW_BASELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "past_run.h"

/* A case that passes in both runs is slower when it takes CLAW_SLOWER_TIMES
 * the time and CLAW_SLOWER_US more. */
enum { CLAW_SLOWER_TIMES = 2, CLAW_SLOWER_US = 100 * 1000 };

/* Facts of a run ("environment" in its records) that a comparison needs: the
 * machine it ran on, and what narrowed its plan. */
#define CLAW_FACT_MACHINE "machine"
#define CLAW_FACT_JOBS "jobs"
#define CLAW_FACT_SELECTION "selection"
/* Of a command that runs a program: its name. */
#define CLAW_FACT_PROGRAM "program"

/* This machine: a hash of its name, and its processor. malloced, NULL without
 * memory. */
char *claw_machine_identity(void);
/* "model name" of the first processor; "" when nobody says. */
void claw_processor_name(char *name, size_t size);

struct claw_comparison {
	struct claw_change *changes;	/* own texts; sorted by kind */
	size_t count;
	char *text;	/* what could not be compared and why, or NULL */
};

/*
 * Compare. Cases that old has and new does not are gone, unless new's plan
 * was narrowed (a filter, a shard) or has no case of their suite and tool.
 */
void claw_comparison_init(struct claw_comparison *comparison,
			  const struct claw_past_run *old,
			  const struct claw_past_run *new);
void claw_comparison_release(struct claw_comparison *comparison);

/* Did the case fail already? */
bool claw_comparison_is_known(const struct claw_comparison *comparison,
			      struct claw_case_key key);

#endif
