/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a series of numbers grow? Statistics alone; soak_verdict.h says what it
 * means. Sources: Sen 1968 (slope and its interval, from Kendall's statistic),
 * Theil 1950; Page 1954 (CUSUM); Cliff 1993 (delta, the effect size).
 */
#ifndef CLAW_TREND_H
#define CLAW_TREND_H

#include <stdbool.h>
#include <stddef.h>

struct claw_trend {
	size_t count;		/* of points that were used: NANs are left out */
	size_t warm_up;		/* of points at the begin that were left out */
	double slope;		/* a unit of x: Theil-Sen */
	double low, high;	/* its 95 % interval */
	double start, end;	/* of the fitted line, at the first and last x used */
	double noise;		/* robust standard deviation about the line (1.4826 MAD) */
	double effect;		/* Cliff's delta of the last third over the first, -1..1 */
	double cusum;		/* highest sum over its alarm limit: >= 1 is an alarm */
	double alarm_x;		/* x where it first alarmed, NAN: never */
	bool monotone;		/* no point is below an earlier one */
};

/* x ascending. Of more than 2,000 points, 2,000 medians of equal blocks are
 * looked at. 0 or -CLAW_E_NO_MEMORY. With fewer than 8 points after the warm-up
 * all is NAN but the count. */
int claw_trend_find(const double *x, const double *y, size_t count,
		    struct claw_trend *ret_trend);

#endif
