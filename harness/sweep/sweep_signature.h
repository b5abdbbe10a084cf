/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What makes two findings of a sweep the same: a text that is equal for the
 * same mistake of the program, also in a later build of it.
 */
#ifndef CLAW_SWEEP_SIGNATURE_H
#define CLAW_SWEEP_SIGNATURE_H

#include <stddef.h>

#include "harness/judge/judge.h"
#include "harness/check/leak_scan.h"
#include "sweep_points.h"

/*
 * Of a finding. Also puts into ret_judgement->output.detail the leaks that a
 * leak is made of.
 *
 * baseline: leaks of the run without faults.
 *
 * Returns it, malloced.
 */
char *claw_sweep_signature(const struct claw_sweep_points *points, size_t point,
			   const struct claw_judged_run *run,
			   const struct claw_leak_scan *baseline,
			   struct claw_judgement *judgement);

#endif
