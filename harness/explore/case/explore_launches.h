/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches that a program makes: what they break is no relation that its
 * callers keep to. A launch is a JSON object, one of an array:
 *
 *	{"global": [64, 1, 1], "local": [16, 1, 1], "numbers": [0, 100],
 *	 "bytes": [400, -1]}
 *
 * local is missing where the driver chooses; numbers and bytes have an entry for
 * each argument; bytes: of a buffer or of local memory, else -1.
 */
#ifndef CLAW_EXPLORE_LAUNCHES_H
#define CLAW_EXPLORE_LAUNCHES_H

#include "explore_case.h"
#include "harness/cases/clw/clw.h"

/* Of that kernel's test; a new reference. */
json_t *claw_explore_launch_of(const struct claw_explore_kernel *kernel,
			       const struct claw_clw_test *test);
/* Leaves the plan those readings and lengths that all launches keep to: a
 * buffer may be longer than a length, not shorter. Adds lengths that explain the
 * first launch's buffers exactly. launches: or NULL. */
void claw_explore_plan_restrict(struct claw_explore_plan *plan,
				const json_t *launches);

#endif
