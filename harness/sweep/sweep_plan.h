/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A finding of a sweep as a fault plan that also holds for a later build of
 * the program: by functions, not by the hash of a stack.
 */
#ifndef CLAW_SWEEP_PLAN_H
#define CLAW_SWEEP_PLAN_H

#include "sweep.h"

struct claw_sweep_plan {
	char **rules;		/* "clCreateBuffer:oom:when=1:at=load", or
				 * NULL: there is no such plan; text_list.h */
	char *why;		/* there is none */
};

/*
 * Run the program with the group's rules, name the calls that they hit by the
 * functions they come from, run it with these rules, and see whether it does
 * the same.
 *
 * directory: for what the runs leave; removed.
 *
 * The caller releases.
 */
void claw_sweep_plan_make(const struct claw_sweep *sweep,
			  const struct claw_sweep_group *group,
			  const char *directory,
			  struct claw_sweep_plan *ret_plan);
void claw_sweep_plan_release(struct claw_sweep_plan *plan);

/* Write it to directory/<signature>.yaml, or with a number where one of the
 * names (text_list.h) is that; the new path is added to them.
 * 0 or -CLAW_E_IO (errno set). */
int claw_sweep_plan_write(const struct claw_sweep *sweep,
			  const struct claw_sweep_group *group,
			  const struct claw_sweep_plan *plan,
			  const char *directory, char ***names);

#endif
