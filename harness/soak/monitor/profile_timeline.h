/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A value over time for a terminal: as many points as a line has columns, each
 * the highest of its time.
 */
#ifndef CLAW_PROFILE_TIMELINE_H
#define CLAW_PROFILE_TIMELINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CLAW_TIMELINE_POINTS = 120 };	/* an even number */

struct claw_timeline {
	double values[CLAW_TIMELINE_POINTS];
	size_t count;
	double first_ms, last_ms;
	double step_ms;		/* of a point; doubles when they are used up */
};

/* step_ms: to begin with. */
void claw_timeline_init(struct claw_timeline *timeline, double step_ms);
/* t_ms: not before the last one. NAN is passed over. */
void claw_timeline_add(struct claw_timeline *timeline, double t_ms,
		       double value);
/* Of bytes, below that title. Nothing of less than two points. peak: the exact
 * one, which is said where it is higher than all that was seen; or 0. */
void claw_timeline_print(FILE *out, const char *title,
			 const struct claw_timeline *timeline, uint64_t peak);

#endif
