/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Charts of a soak as SVG: one for series of one unit that belong together,
 * and one of what happened when. The same drawing stands on the page, where
 * styles by class win over the attributes, and in a file of its own.
 */
#ifndef CLAW_HTML_CHART_H
#define CLAW_HTML_CHART_H

#include <stdbool.h>
#include <stdio.h>

#include "html_events.h"
#include "html_samples.h"

enum { CLAW_HTML_CHART_SERIES = 9 };

struct claw_html_chart {
	const char *id, *title;
	bool is_bands;		/* latencies: what is between the lines is filled */
	size_t count;
	enum claw_series_id series[CLAW_HTML_CHART_SERIES];
};
extern const struct claw_html_chart claw_html_charts[];
extern const size_t claw_html_chart_count;

/* Those series of a chart that were measured and are worth a line: not what
 * never changed beside what did. How many. */
size_t claw_html_chart_lines(const struct claw_html_chart *chart,
			     const struct claw_html_samples *samples,
			     enum claw_series_id *ret_series);
/* "longest": of a maximum the largest counts, of all others the mean. */
bool claw_html_is_peak(enum claw_series_id series);
double claw_html_chart_value(enum claw_series_id series,
			     const struct claw_html_value *value);

/* An <svg>; nothing where there are no lines (or lanes). is_file: with a
 * legend, a title and all that a file needs. */
void claw_html_chart_draw(FILE *out, const struct claw_html_chart *chart,
			  const struct claw_html_samples *samples,
			  const struct claw_html_events *events, bool is_file);
/* One series of two runs: the older one's line and the newer's. Nothing where
 * neither was measured. */
void claw_html_chart_draw_pair(FILE *out, enum claw_series_id series,
			       const struct claw_html_samples *old,
			       const struct claw_html_samples *new);
void claw_html_timeline_draw(FILE *out, const struct claw_html_samples *samples,
			     const struct claw_html_events *events,
			     bool is_file);

/* 'f' the program's failure, 'i' injected, 'n' anything else. */
char claw_html_lane_class(const struct claw_html_lane *lane);

#endif
