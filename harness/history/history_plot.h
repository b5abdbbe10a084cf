/* SPDX-License-Identifier: Apache-2.0 */
/* Plots of a history's page: SVG that its style sheet colours. */
#ifndef CLAW_HISTORY_PLOT_H
#define CLAW_HISTORY_PLOT_H

#include <stdio.h>

#include "history.h"

/* Results of one run. */
struct claw_history_bar {
	int64_t started;
	uint64_t passed, failed, other;
};

/* A bar for each run, oldest first. */
void claw_history_plot_runs(FILE *out, const struct claw_history_bar *bars,
			    size_t count);
/* Times of the results that passed, their medians before and after the run at,
 * from which on they changed. */
void claw_history_plot_times(FILE *out, const struct claw_history_point *points,
			     size_t count, int64_t at);
void claw_history_plot_coverage(FILE *out,
				const struct claw_history_covered *points,
				size_t count);
/* For a cell: from low to high of 0 to 1, and where it was. */
void claw_history_plot_interval(FILE *out, double low, double high, double at);
/* For a cell: from first to last in from to to. */
void claw_history_plot_span(FILE *out, int64_t first, int64_t last,
			    int64_t from, int64_t to);

#endif
