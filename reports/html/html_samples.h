/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of a soak, however many: each series as least, mean and largest value
 * of at most CLAW_HTML_BUCKETS stretches of time.
 */
#ifndef CLAW_HTML_SAMPLES_H
#define CLAW_HTML_SAMPLES_H

#include "harness/records/series.h"

enum { CLAW_HTML_BUCKETS = 2000 };

struct claw_html_value {
	double least, sum, largest;
	uint32_t count;			/* 0: nothing was measured */
};

struct claw_html_bucket {
	uint64_t number;		/* t_ms / width_ms */
	uint64_t t_ms;			/* of its first sample */
	int64_t wall_ms;
	struct claw_html_value values[CLAW_SERIES_COUNT];
};

struct claw_html_samples {
	struct claw_html_bucket *items;
	size_t count;
	uint64_t width_ms;		/* 0: no sample yet */
	uint64_t samples;		/* all */
	uint64_t last_ms;		/* t_ms of the last one */
	struct claw_html_value whole[CLAW_SERIES_COUNT];
	double last[CLAW_SERIES_COUNT];
};

void claw_html_samples_add(struct claw_html_samples *samples,
			   const struct claw_sample *sample);
void claw_html_samples_release(struct claw_html_samples *samples);

/* The mean; NAN where nothing was measured. */
double claw_html_mean(const struct claw_html_value *value);
/* Adds b to a. */
void claw_html_value_join(struct claw_html_value *a,
			  const struct claw_html_value *b);
/* Was it ever measured; did it ever change? */
bool claw_html_is_measured(const struct claw_html_samples *samples,
			   enum claw_series_id series);
bool claw_html_is_constant(const struct claw_html_samples *samples,
			   enum claw_series_id series);

#endif
