/* SPDX-License-Identifier: Apache-2.0 */
/* What a series of results shows. */
#ifndef CLAW_HISTORY_JUDGE_H
#define CLAW_HISTORY_JUDGE_H

#include "history.h"

/* Files have these numbers: another meaning needs another CLAW_HISTORY_JUDGE. */
enum claw_history_trend {
	CLAW_TREND_NONE,		/* it passes, or nothing can be said */
	CLAW_TREND_FAILS,		/* in all runs */
	CLAW_TREND_NEW,			/* it fails, and did not before */
	CLAW_TREND_BACK,		/* it fails again */
	CLAW_TREND_FIXED,		/* it failed before */
	CLAW_TREND_FLAKY,		/* both, without a reason in the commit */
	CLAW_TREND_COUNT,
};

/* These rules: what other rules said is not used any more. */
enum { CLAW_HISTORY_JUDGE = 1 };

/* "new failure"; "" of NONE. */
const char *claw_history_trend_name(enum claw_history_trend trend);

struct claw_history_judged {
	enum claw_history_trend trend;
	size_t before, at;	/* NEW, BACK, FIXED: the points around the change */
	size_t passed, failed;		/* points */
	/* A passing result takes longer, or less long (ratio below 1), from the
	 * point slower_at on, which is behind slower_before; ratio 0: it does not. */
	double ratio;
	size_t slower_at, slower_before;
};

/*
 * Trend: a series changes for a reason if it changes at most twice, never
 * between results of one commit on one driver, and not for one result between two that differ.
 * Times: the passing results changed if the largest difference of rank
 * sums (A. N. Pettitt, A non-parametric approach to the change-point problem,
 * 1979) has a chance below 1 in 100, and the medians differ by 20 % and by 2 ms at
 * least; the place is where each side is nearest to its median.
 */
void claw_history_judge(const struct claw_history_series *series,
			struct claw_history_judged *ret_judged);
/* The trend alone. */
void claw_history_judge_trend(const struct claw_history_series *series,
			      struct claw_history_judged *ret_judged);

/* How often it fails, with 95 %: E. B. Wilson's interval (1927). all > 0. */
void claw_history_interval(size_t failed, size_t all, double *ret_low,
			   double *ret_high);

#endif
