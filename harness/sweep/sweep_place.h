/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the call that a rule has hit to a rule that says by functions which one
 * it was: at= and when=.
 */
#ifndef CLAW_SWEEP_PLACE_H
#define CLAW_SWEEP_PLACE_H

#include "harness/judge/judge.h"
#include "sweep_points.h"

enum claw_sweep_place_by {
	CLAW_SWEEP_PLACE_BEST,	/* the function on the stack with the fewest such
				 * calls before; of these the innermost */
	CLAW_SWEEP_PLACE_OUTER,	/* the outermost */
	CLAW_SWEEP_PLACE_NONE,	/* none: the number among all calls */
	CLAW_SWEEP_PLACE_COUNT,
};

/*
 * evidence: of a run in which rule number `rule` (from 0) was that of the
 *	     point, and hit a call.
 * ret_rule: the same rule with its places in this build.
 *
 * Returns its text, which is for any build, malloced; NULL: it cannot be said
 * so.
 */
char *claw_sweep_place_rule(const struct claw_sweep_points *points,
			    size_t point, const struct claw_evidence *evidence,
			    size_t rule, const struct claw_judge *judge,
			    enum claw_sweep_place_by by,
			    struct claw_rule *ret_rule);

#endif
