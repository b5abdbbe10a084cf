/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that may handle an error, of those that no run without faults runs. */
#ifndef CLAW_SWEEP_UNRUN_H
#define CLAW_SWEEP_UNRUN_H

#include "harness/cover/code_lines.h"
#include "sweep_points.h"

/* The values of CLAW_SWEEP_UNRUN and CLAW_SWEEP_UNRUN_ELSEWHERE (code_lines.h),
 * malloced. */
void claw_sweep_unrun(const struct claw_code_lines *lines,
		      const struct claw_sweep_points *points,
		      char **ret_unrun, char **ret_elsewhere);

#endif
