/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a person sees of a sweep.
 */
#ifndef CLAW_SWEEP_TEXT_H
#define CLAW_SWEEP_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sweep.h"

/* "baseline: exit 0, 214 OpenCL calls at 31 sites, 0.41 s, ..." and "points:
 * ...", a line each. */
void claw_sweep_print_start(FILE *out, const struct claw_sweep *sweep);

/* "[####----] 71/93  2 crash  1 leak  00:12 left", without a newline. */
void claw_sweep_print_progress(FILE *out, const struct claw_sweep *sweep,
			       uint64_t elapsed_ms);

/* One group: a line, and the line to paste where there is one. */
void claw_sweep_print_group(FILE *out, const struct claw_sweep *sweep,
			    const struct claw_sweep_group *group, bool color);
/* All groups, the known ones first, each worst first, then what became of all
 * points. verbose: points that were not reached, a line each, and details. */
void claw_sweep_print_all(FILE *out, const struct claw_sweep *sweep,
			  bool verbose, bool color);

/* Points in the order in which they are to be tried: "NAME<tab>RULE; RULE". */
void claw_sweep_print_points(FILE *out, const struct claw_sweep *sweep);

/* "93 points: 80 handled, 2 crash, 1 not-reached"; malloced. */
char *claw_sweep_summary(const struct claw_sweep *sweep);

#endif
