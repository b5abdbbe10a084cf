/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The line that makes a finding of a sweep again, and whether it does.
 */
#ifndef CLAW_SWEEP_AGAIN_H
#define CLAW_SWEEP_AGAIN_H

#include "sweep.h"

/* "openclaw inject --fault ... --seed 7 -- ./myapp", malloced. */
char *claw_sweep_again_line(const struct claw_sweep *sweep, size_t point,
			    enum claw_verdict verdict);

/* The same with --plan PATH in place of the faults, for a group. */
char *claw_sweep_again_plan_line(const struct claw_sweep *sweep,
				 const struct claw_sweep_group *group,
				 const char *path);

/*
 * Run the line of a group and compare, up to three times: what depends on a
 * race does not end alike each time.
 *
 * directory: for what it leaves; removed.
 * ret_why:   NULL when the same came of it, else why not, malloced, in words
 *	      that follow "not again: ".
 *
 * false: it could not be run.
 */
bool claw_sweep_again_check(const struct claw_sweep *sweep,
			    const struct claw_sweep_group *group,
			    const char *directory, char **ret_why);

#endif
