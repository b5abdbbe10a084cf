/* SPDX-License-Identifier: Apache-2.0 */
/* What a series of results shows. */
#ifndef CLAW_HISTORY_JUDGE_H
#define CLAW_HISTORY_JUDGE_H

#include "history.h"

enum claw_history_trend {
	CLAW_TREND_NONE,		/* it passes, or nothing can be said */
	CLAW_TREND_FAILS,		/* in all runs */
	CLAW_TREND_NEW,			/* it fails, and did not before */
	CLAW_TREND_BACK,		/* it fails again */
	CLAW_TREND_FIXED,		/* it failed before */
	CLAW_TREND_FLAKY,		/* both, without a reason in the commit */
	CLAW_TREND_COUNT,
};

/* "new failure"; "" of NONE. */
const char *claw_history_trend_name(enum claw_history_trend trend);

struct claw_history_judged {
	enum claw_history_trend trend;
	size_t at;			/* NEW, BACK, FIXED: the first point after */
	size_t passed, failed;		/* points */
	double low, high;		/* FLAKY: how often it fails, with 95 % */
	/* A passing result takes longer, or less long (ratio below 1), from the
	 * point slower_at on, which is behind slower_before; ratio 0: it does not. */
	double ratio;
	size_t slower_at, slower_before;
};

/*
 * Trend: a series changes for a reason if it changes at most twice, never
 * between results of one commit, and not for one result between two that differ.
 * Times: the last 400 passing results changed if the largest difference of rank
 * sums (A. N. Pettitt, A non-parametric approach to the change-point problem,
 * 1979) has a chance below 1 in 100, and the medians differ by 20 % and by 2 ms at
 * least; the place is where each side is nearest to its median. low, high: E. B.
 * Wilson's interval (1927).
 */
void claw_history_judge(const struct claw_history_series *series,
			struct claw_history_judged *ret_judged);

#endif
