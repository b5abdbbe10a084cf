/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Round numbers for axes.
 */
#include "config.h"

#include "html_scale.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void add_tick(struct claw_html_scale *scale, double value)
{
	if (scale->tick_count < CLAW_HTML_TICKS)
		scale->ticks[scale->tick_count++] = value;
}

/* 1, 2 or 5 times a power of ten (of bytes: times a power of 1024). */
static double round_step(enum claw_series_unit unit, double range)
{
	double step = range / 5, base = 1, power;

	if (unit == CLAW_UNIT_BYTES)
		while (step >= 1024 * base)
			base *= 1024;
	if (unit == CLAW_UNIT_BYTES && step > 500 * base)
		return 1024 * base;
	power = pow(10, floor(log10(step / base)));
	for (int i = 0; i < 3; i++) {
		static const double steps[] = { 1, 2, 5 };

		if (steps[i] * power * base >= step)
			return steps[i] * power * base;
	}
	return 10 * power * base;
}

static void scale_log(struct claw_html_scale *scale, double least,
		      double largest)
{
	scale->is_log = true;
	scale->from = pow(10, floor(log10(least)));
	scale->to = pow(10, ceil(log10(largest * 1.0001)));
	for (double tick = scale->from; tick <= scale->to * 1.0001; tick *= 10)
		add_tick(scale, tick);
}

void claw_html_scale_values(struct claw_html_scale *scale,
			    enum claw_series_unit unit, double least,
			    double largest, bool may_be_log)
{
	double step, range;
	bool is_whole = unit == CLAW_UNIT_COUNT;

	scale->tick_count = 0;
	scale->is_log = false;
	if (may_be_log && least > 0 && largest / least > 20 &&
	    largest / least < 1e12) {
		scale_log(scale, least, largest);
		return;
	}
	if (least > 0 && least < 0.6 * largest)
		least = 0;
	/* What hardly changes is not drawn as if it did. */
	range = fmax(largest - least, 0.02 * fabs(largest));
	if (!(range > 0))
		range = 1;
	step = round_step(unit, range);
	if ((is_whole || unit == CLAW_UNIT_BYTES) && step < 1)
		step = 1;
	scale->from = floor(least / step) * step;
	scale->to = ceil(largest / step) * step;
	if (!(scale->to > scale->from))
		scale->to = scale->from + step;
	for (int i = 0; scale->from + i * step <= scale->to + step / 2; i++)
		add_tick(scale, scale->from + i * step);
}

void claw_html_scale_time(struct claw_html_scale *scale, uint64_t last_ms)
{
	static const double steps[] = {	/* seconds */
		0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900,
		1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000,
		864000, 2592000, 8640000, 31536000, 315360000,
	};
	size_t last = sizeof(steps) / sizeof(*steps) - 1, i = 0;
	double end = last_ms > 0 ? (double)last_ms : 1;

	while (i < last && end / (steps[i] * 1000) > 9)
		i++;
	*scale = (struct claw_html_scale){
		.to = end, .start = scale->start, .end = scale->end,
	};
	for (int k = 0; k * steps[i] * 1000 <= end; k++)
		add_tick(scale, k * steps[i] * 1000);
}

double claw_html_scale_at(const struct claw_html_scale *scale, double value)
{
	double part = scale->is_log ?
		log(fmax(value, scale->from) / scale->from) /
		log(scale->to / scale->from) :
		(value - scale->from) / (scale->to - scale->from);

	return scale->start + part * (scale->end - scale->start);
}

void claw_html_time(char *text, size_t size, uint64_t t_ms)
{
	uint64_t s = t_ms / 1000, days = s / 86400;
	unsigned int hours = (unsigned int)(s / 3600 % 24);
	unsigned int minutes = (unsigned int)(s / 60 % 60);

	if (s < 60)
		snprintf(text, size, "%.*f s", t_ms % 1000 ? 1 : 0,
			 (double)t_ms / 1000);
	else if (s < 3600)
		snprintf(text, size, "%u:%02u min", minutes,
			 (unsigned int)(s % 60));
	else if (days == 0)
		snprintf(text, size, "%u:%02u:%02u h", hours, minutes,
			 (unsigned int)(s % 60));
	else
		snprintf(text, size, "%" PRIu64 " d %02u:%02u:%02u", days,
			 hours, minutes, (unsigned int)(s % 60));
}
