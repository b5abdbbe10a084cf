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
	double low, high;	/* its 95 % interval; of medians also for neighbours
				 * that hang together */
	double start, end;	/* of the fitted line, at the first and last x used */
	double range;		/* highest less lowest block */
	double noise;		/* robust standard deviation about the line (1.4826 MAD) */
	double late_slope;	/* of the second half alone */
	double effect;		/* Cliff's delta of the last third over the first, -1..1 */
	double cusum;		/* highest sum over its alarm limit: >= 1 is an alarm */
	double alarm_x;		/* x where it first alarmed, NAN: never */
};

enum {
	CLAW_TREND_LEAST = 8,	/* points after the warm-up */
	CLAW_TREND_WARM_UP = 4,	/* one in so many points is warm-up */
};

/* One number for each of the blocks that points are put into. */
enum claw_trend_block {
	CLAW_TREND_MEDIANS,	/* of what is measured with noise on both sides */
	CLAW_TREND_MINIMA,	/* of a level that load raises and lowers */
};

/*
 * x ascending; every pair is used in which y is no NAN. The first quarter is
 * the warm-up. Of the rest at most 32 blocks are looked at, so that neighbours
 * that hang together are not taken for evidence of their own. With fewer than
 * CLAW_TREND_LEAST points after the warm-up all is NAN but the counts.
 */
void claw_trend_find(const double *x, const double *y, size_t count,
		     enum claw_trend_block block, struct claw_trend *ret_trend);

/*
 * A level that falls back again and again is no leak however it rises between:
 * the lowest that is still to come, for each x; of the last quarter nothing is
 * known. Finds the trend of that, at its lowest as slow as the level's own may
 * be, and in ret_falls how often the level fell by more than half of its range.
 */
void claw_trend_find_floor(const double *x, const double *y, size_t count,
			   struct claw_trend *ret_trend, size_t *ret_falls);

#endif
