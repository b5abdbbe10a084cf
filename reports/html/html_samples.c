/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Put samples into buckets. When there are too many, buckets become twice as
 * wide, and neighbours one.
 */
#include "config.h"

#include "html_samples.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"

double claw_html_mean(const struct claw_html_value *value)
{
	return value->count ? value->sum / value->count : NAN;
}

void claw_html_value_join(struct claw_html_value *a,
			  const struct claw_html_value *b)
{
	if (b->count == 0)
		return;
	if (a->count == 0 || b->least < a->least)
		a->least = b->least;
	if (a->count == 0 || b->largest > a->largest)
		a->largest = b->largest;
	a->sum += b->sum;
	a->count += b->count;
}

static void join_bucket(struct claw_html_bucket *a,
			const struct claw_html_bucket *b)
{
	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		claw_html_value_join(&a->values[i], &b->values[i]);
}

static void widen(struct claw_html_samples *samples)
{
	size_t kept = 0;

	samples->width_ms *= 2;
	for (size_t i = 0; i < samples->count; i++) {
		struct claw_html_bucket *one = &samples->items[i];

		one->number /= 2;
		if (kept > 0 && samples->items[kept - 1].number == one->number)
			join_bucket(&samples->items[kept - 1], one);
		else
			samples->items[kept++] = *one;
	}
	samples->count = kept;
}

/* No axis ends beyond: records can be anybody's. */
static bool is_measured(double value)
{
	return isfinite(value) && fabs(value) < 1e24;
}

static void add_values(struct claw_html_value *values,
		       const struct claw_sample *sample)
{
	for (int i = 0; i < CLAW_SERIES_COUNT; i++) {
		double y = sample->values[i];

		if (is_measured(y))
			claw_html_value_join(&values[i],
				&(struct claw_html_value){ y, y, y, 1 });
	}
}

/* Time that goes backwards is in the last bucket: the axis never does. */
static struct claw_html_bucket *find_bucket(struct claw_html_samples *samples,
					    const struct claw_sample *sample)
{
	struct claw_html_bucket *last = samples->count ?
		&samples->items[samples->count - 1] : NULL;
	uint64_t number = sample->t_ms / samples->width_ms;

	if (last && last->number >= number)
		return last;
	while (samples->count >= CLAW_HTML_BUCKETS)
		widen(samples);
	number = sample->t_ms / samples->width_ms;
	last = samples->count ? &samples->items[samples->count - 1] : NULL;
	if (last && last->number >= number)
		return last;
	last = &samples->items[samples->count++];
	*last = (struct claw_html_bucket){
		.number = number, .t_ms = sample->t_ms,
		.wall_ms = sample->wall_ms,
	};
	return last;
}

void claw_html_samples_add(struct claw_html_samples *samples,
			   const struct claw_sample *sample)
{
	if (!samples->items) {
		samples->items = claw_calloc(CLAW_HTML_BUCKETS,
					sizeof(*samples->items));
		samples->width_ms = 1;
		for (int i = 0; i < CLAW_SERIES_COUNT; i++)
			samples->last[i] = NAN;
	}
	add_values(find_bucket(samples, sample)->values, sample);
	add_values(samples->whole, sample);
	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		if (is_measured(sample->values[i]))
			samples->last[i] = sample->values[i];
	samples->samples++;
	if (sample->t_ms > samples->last_ms)
		samples->last_ms = sample->t_ms;
}

void claw_html_samples_release(struct claw_html_samples *samples)
{
	free(samples->items);
	*samples = (struct claw_html_samples){ .items = NULL };
}

bool claw_html_is_measured(const struct claw_html_samples *samples,
			   enum claw_series_id series)
{
	return samples->whole[series].count > 0;
}

bool claw_html_is_constant(const struct claw_html_samples *samples,
			   enum claw_series_id series)
{
	const struct claw_html_value *whole = &samples->whole[series];

	return whole->count > 0 && !(whole->least < whole->largest);
}
