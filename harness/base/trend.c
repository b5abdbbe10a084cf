/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trends of series: Theil-Sen slope with its interval, Cliff's delta, CUSUM.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "trend.h"

enum {
	BLOCKS = 32,			/* most that are looked at */
	PAIRS = BLOCKS * (BLOCKS - 1) / 2,
};

static const double Z_95 = 1.959964, Z_98 = 2.326348;
static const double MAD_TO_SIGMA = 1.4826;
static const double MOST_HANGING = 0.8;	/* of neighbours: a correlation */
/* Page's test for a shift of one standard deviation: half of it is allowed, and
 * the limit makes one false alarm in some 930 points (Montgomery, Introduction
 * to Statistical Quality Control, table 9.3). */
static const double CUSUM_SLACK = 0.5, CUSUM_LIMIT = 5;

struct points {
	double x[BLOCKS], y[BLOCKS];
	size_t count;
};

/* ---- small statistics -------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Sorts the values. */
static double median_of(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_value);
	return count % 2 ? values[count / 2] :
		(values[count / 2 - 1] + values[count / 2]) / 2;
}

static double minimum_of(const double *values, size_t count)
{
	double least = INFINITY;

	for (size_t i = 0; i < count; i++)
		least = fmin(least, values[i]);
	return least;
}

/* Median distance to the median, as a standard deviation. Changes values. */
static double spread_of(double *values, size_t count)
{
	double middle = median_of(values, count);

	for (size_t i = 0; i < count; i++)
		values[i] = fabs(values[i] - middle);
	return MAD_TO_SIGMA * median_of(values, count);
}

/* ---- slope ------------------------------------------------------------- */

static size_t find_slopes(const double *x, const double *y, size_t count,
			  double *slopes)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++)
			if (x[j] > x[i])
				slopes[found++] = (y[j] - y[i]) / (x[j] - x[i]);
	return found;
}

static double slope_of(const double *x, const double *y, size_t count)
{
	double slopes[PAIRS];
	size_t found = find_slopes(x, y, count, slopes);

	return found ? median_of(slopes, found) : NAN;
}

/* Yue and Wang 2004: by so much is the variance of Kendall's statistic larger
 * where neighbours hang together, as those of a machine do that is slow for a
 * while and then fast again. All pairs agreeing is evidence all the same. */
static double inflation_of(const double *rest, size_t count)
{
	double mean = 0, variance = 0, covariance = 0, hang;

	for (size_t i = 0; i < count; i++)
		mean += rest[i] / (double)count;
	for (size_t i = 0; i < count; i++)
		variance += (rest[i] - mean) * (rest[i] - mean);
	for (size_t i = 0; i + 1 < count; i++)
		covariance += (rest[i] - mean) * (rest[i + 1] - mean);
	hang = variance > 0 ? fmin(covariance / variance, MOST_HANGING) : 0;
	return hang > 0 ? (1 + hang) / (1 - hang) : 1;
}

/* Sen 1968: the slopes at the ranks that Kendall's statistic gives. */
static void find_interval(const double *slopes, size_t found, size_t count,
			  double inflation, struct claw_trend *trend)
{
	double n = (double)count, all = (double)found;
	double reach = fmin(Z_95 * sqrt(inflation * n * (n - 1) * (2 * n + 5) /
					18), all - 2);
	double low = floor((all - reach) / 2) - 1, high = ceil((all + reach) / 2);

	trend->low = low < 0 ? -INFINITY : slopes[(size_t)low];
	trend->high = high >= all ? INFINITY : slopes[(size_t)high];
}

static void find_line(const struct points *points, bool hang,
		      struct claw_trend *trend)
{
	double slopes[PAIRS], rest[BLOCKS];
	size_t count = points->count;
	size_t found = find_slopes(points->x, points->y, count, slopes);
	double offset;

	if (!found)
		return;
	trend->slope = median_of(slopes, found);
	for (size_t i = 0; i < count; i++)
		rest[i] = points->y[i] - trend->slope * points->x[i];
	find_interval(slopes, found, count,
		      hang ? inflation_of(rest, count) : 1, trend);
	offset = median_of(rest, count);
	trend->start = offset + trend->slope * points->x[0];
	trend->end = offset + trend->slope * points->x[count - 1];
	trend->noise = spread_of(rest, count);
	trend->late_slope = slope_of(points->x + count / 2,
				     points->y + count / 2, count - count / 2);
}

/* The least slope, with an interval of 98 %. */
static double find_low(const struct points *points)
{
	struct claw_trend trend = { .low = NAN };
	double slopes[PAIRS];
	size_t found = find_slopes(points->x, points->y, points->count, slopes);

	if (!found)
		return NAN;
	qsort(slopes, found, sizeof(*slopes), by_value);
	find_interval(slopes, found, points->count,
		      Z_98 / Z_95 * (Z_98 / Z_95), &trend);
	return trend.low;
}

/* ---- how sure ---------------------------------------------------------- */

/* Cliff 1993: of all pairs, how many are higher less how many are lower. */
static double effect_of(const struct points *points)
{
	size_t third = points->count / 3;
	double sum = 0;

	for (size_t i = 0; i < third; i++)
		for (size_t j = points->count - third; j < points->count; j++)
			sum += (points->y[j] > points->y[i]) -
			       (points->y[j] < points->y[i]);
	return third ? sum / (double)(third * third) : NAN;
}

/* Page 1954, upwards, against the first third; what is noise is told by the
 * steps from one point to the next. */
static void find_cusum(const struct points *points, struct claw_trend *trend)
{
	size_t third = points->count / 3, steps = points->count - 1;
	double values[BLOCKS], middle, sigma, sum = 0;

	for (size_t i = 0; i < third; i++)
		values[i] = points->y[i];
	middle = median_of(values, third);
	for (size_t i = 0; i < steps; i++)
		values[i] = points->y[i + 1] - points->y[i];
	sigma = spread_of(values, steps) / sqrt(2);
	/* Numbers that do not vary: a thousandth counts. */
	sigma = fmax(sigma, fabs(middle) * 1e-3);
	if (sigma == 0)
		sigma = 1e-9;
	trend->cusum = 0;
	for (size_t i = 0; i < points->count; i++) {
		sum = fmax(0, sum + (points->y[i] - middle) / sigma -
			   CUSUM_SLACK);
		trend->cusum = fmax(trend->cusum, sum / CUSUM_LIMIT);
		if (isnan(trend->alarm_x) && sum >= CUSUM_LIMIT)
			trend->alarm_x = points->x[i];
	}
}

static void find_range(const struct points *points, struct claw_trend *trend)
{
	double most = points->y[0];

	for (size_t i = 1; i < points->count; i++)
		most = fmax(most, points->y[i]);
	trend->range = most - minimum_of(points->y, points->count);
}

/* hang: neighbours may be alike for no reason of the program's. */
static void find_all(const struct points *points, bool hang,
		     struct claw_trend *trend)
{
	find_line(points, hang, trend);
	trend->effect = effect_of(points);
	find_cusum(points, trend);
}

/* ---- blocks ------------------------------------------------------------ */

/* Point number `index` of those that have a value, from `at` on. */
static size_t skip_missing(const double *y, size_t count, size_t at)
{
	while (at < count && isnan(y[at]))
		at++;
	return at;
}

static size_t count_present(const double *y, size_t count)
{
	size_t present = 0;

	for (size_t i = 0; i < count; i++)
		present += !isnan(y[i]);
	return present;
}

static void start(struct claw_trend *trend, const double *y, size_t count,
		  size_t *ret_present)
{
	*trend = (struct claw_trend){
		.slope = NAN, .low = NAN, .high = NAN, .start = NAN,
		.end = NAN, .range = NAN, .noise = NAN, .late_slope = NAN, .effect = NAN,
		.cusum = NAN, .alarm_x = NAN,
	};
	*ret_present = count_present(y, count);
	trend->warm_up = *ret_present / CLAW_TREND_WARM_UP;
	trend->count = *ret_present - trend->warm_up;
}

/* A block of neighbours; more than LARGEST are looked at by every so-manyth. */
static double value_of_block(const double *y, size_t count, size_t *at,
			     size_t size, enum claw_trend_block block)
{
	enum { LARGEST = 256 };
	double values[LARGEST];
	size_t step = size / LARGEST + 1, taken = 0;

	for (size_t i = 0; i < size; i++) {
		*at = skip_missing(y, count, *at);
		if (block == CLAW_TREND_MINIMA && taken)
			values[0] = fmin(values[0], y[*at]);
		else if (block == CLAW_TREND_MINIMA || i % step == 0)
			values[taken++] = y[*at];
		++*at;
	}
	return block == CLAW_TREND_MINIMA ? minimum_of(values, taken) :
		median_of(values, taken);
}

/* The points after the warm-up, in equal blocks. */
static void fill_blocks(const double *x, const double *y, size_t count,
			const struct claw_trend *trend,
			enum claw_trend_block block, struct points *points)
{
	size_t blocks = trend->count < 2 * CLAW_TREND_LEAST ? trend->count :
		trend->count / 2 < BLOCKS ? trend->count / 2 : BLOCKS;
	size_t at = 0;

	if (blocks < CLAW_TREND_LEAST)
		blocks = CLAW_TREND_LEAST;
	for (size_t i = 0; i < trend->warm_up; i++)
		at = skip_missing(y, count, at) + 1;
	points->count = blocks;
	for (size_t i = 0; i < blocks; i++) {
		size_t from = trend->count * i / blocks;
		size_t to = trend->count * (i + 1) / blocks;
		size_t first = skip_missing(y, count, at);

		points->y[i] = value_of_block(y, count, &at, to - from, block);
		points->x[i] = (x[first] + x[at - 1]) / 2;
	}
}

void claw_trend_find(const double *x, const double *y, size_t count,
		     enum claw_trend_block block, struct claw_trend *ret_trend)
{
	struct points points;
	size_t present;

	start(ret_trend, y, count, &present);
	if (ret_trend->count < CLAW_TREND_LEAST)
		return;
	fill_blocks(x, y, count, ret_trend, block, &points);
	find_range(&points, ret_trend);
	find_all(&points, block == CLAW_TREND_MEDIANS, ret_trend);
}

/* ---- what does not come back ------------------------------------------- */

/* How often a level came down from its last height by more than that. */
static size_t count_falls(const struct points *points, double more_than)
{
	double top = points->y[0];
	size_t falls = 0;

	for (size_t i = 1; i < points->count; i++) {
		if (top - points->y[i] > more_than) {
			falls++;
			top = points->y[i];
		}
		top = fmax(top, points->y[i]);
	}
	return falls;
}

void claw_trend_find_floor(const double *x, const double *y, size_t count,
			   struct claw_trend *ret_trend, size_t *ret_falls)
{
	struct points points;
	size_t present;
	double low;

	*ret_falls = 0;
	start(ret_trend, y, count, &present);
	if (ret_trend->count < CLAW_TREND_LEAST)
		return;
	fill_blocks(x, y, count, ret_trend, CLAW_TREND_MINIMA, &points);
	find_range(&points, ret_trend);
	*ret_falls = count_falls(&points, ret_trend->range / 2);
	low = find_low(&points);
	for (size_t i = points.count - 1; i-- > 0; )
		points.y[i] = fmin(points.y[i], points.y[i + 1]);
	points.count -= points.count / 4;
	find_all(&points, false, ret_trend);
	/* What is still to come gets less, and its lowest higher, by chance. */
	ret_trend->low = fmin(ret_trend->low, low);
}
