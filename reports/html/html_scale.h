/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Axes of charts: from values to places, and round values between.
 */
#ifndef CLAW_HTML_SCALE_H
#define CLAW_HTML_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/records/series.h"

enum { CLAW_HTML_TICKS = 24 };

struct claw_html_scale {
	double from, to;		/* values; from < to */
	double start, end;		/* places */
	bool is_log;			/* from > 0 */
	double ticks[CLAW_HTML_TICKS];
	size_t tick_count;
};

/*
 * For values from least to largest: it begins at 0 unless the values are far
 * from there; log: by powers of ten, where the largest is many times the least.
 */
void claw_html_scale_values(struct claw_html_scale *scale,
			    enum claw_series_unit unit, double least,
			    double largest, bool may_be_log);
/* From 0 to last_ms, with ticks of whole minutes, hours, ... */
void claw_html_scale_time(struct claw_html_scale *scale, uint64_t last_ms);

/* The place of a value. */
double claw_html_scale_at(const struct claw_html_scale *scale, double value);

/* "1 d 02:03:04", "2:03:04", "3:04", "12.5 s". */
void claw_html_time(char *text, size_t size, uint64_t t_ms);

#endif
