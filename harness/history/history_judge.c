/* SPDX-License-Identifier: Apache-2.0 */
/* Trends, and change points of times: see history_judge.h. */
#include "config.h"

#include "history_judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/records/commit.h"

enum {
	SEGMENT = 5,			/* results on each side of a change */
	LEAST_US = 2000,		/* that medians differ by */
};

static const double times_slower = 1.2, unlikely = 0.01, z95 = 1.959964;

const char *claw_history_trend_name(enum claw_history_trend trend)
{
	static const char *const names[CLAW_TREND_COUNT] = {
		[CLAW_TREND_NONE] = "", [CLAW_TREND_FAILS] = "fails",
		[CLAW_TREND_NEW] = "new failure",
		[CLAW_TREND_BACK] = "failure that came back",
		[CLAW_TREND_FIXED] = "fixed", [CLAW_TREND_FLAKY] = "flaky",
	};

	return names[trend];
}

/* ---- trends ------------------------------------------------------------------- */

static bool counts(const struct claw_history_point *point)
{
	return point->class == 'p' || point->class == 'f';
}

/* What is not committed is another text each time; so is another driver. */
static bool is_same_text(const struct claw_history_point *a,
			 const struct claw_history_point *b)
{
	return a->device == b->device && a->commit && b->commit && *a->commit &&
	       strcmp(a->commit, b->commit) == 0 &&
	       !strstr(a->commit, CLAW_COMMIT_CHANGES);
}

void claw_history_interval(size_t failed, size_t all, double *ret_low,
			   double *ret_high)
{
	double n = (double)all, p = (double)failed / n, z2 = z95 * z95;
	double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
	double half = z95 / (1 + z2 / n) *
		sqrt(p * (1 - p) / n + z2 / (4 * n * n));

	*ret_low = middle - half < 0 ? 0 : middle - half;
	*ret_high = middle + half > 1 ? 1 : middle + half;
}

void claw_history_judge_trend(const struct claw_history_series *series,
			      struct claw_history_judged *to)
{
	const struct claw_history_point *before = NULL;
	bool is_flaky = false;
	size_t changes = 0, alike = 0;	/* results since the last change */
	char first = 0;

	memset(to, 0, sizeof(*to));
	for (size_t i = 0; i < series->count; i++) {
		const struct claw_history_point *point = &series->points[i];

		if (!counts(point))
			continue;
		is_flaky |= point->is_flaky;
		to->failed += point->class == 'f';
		to->passed += point->class == 'p';
		if (before && before->class != point->class) {
			is_flaky |= is_same_text(before, point) ||
				(changes && alike == 1);
			changes++;
			alike = 0;
			to->before = (size_t)(before - series->points);
			to->at = i;
		}
		alike++;
		first = before ? first : point->class;
		before = point;
	}
	if (!before)
		return;
	if (is_flaky || changes > 2) {
		to->trend = CLAW_TREND_FLAKY;
	} else if (!changes) {
		to->trend = first == 'f' ? CLAW_TREND_FAILS : CLAW_TREND_NONE;
	} else if (before->class == 'p') {
		to->trend = CLAW_TREND_FIXED;
	} else {
		to->trend = first == 'f' ? CLAW_TREND_BACK : CLAW_TREND_NEW;
	}
}

/* ---- times ---------------------------------------------------------------------- */

struct timed {
	double us, rank;
	size_t at;
};

static int by_time(const void *a, const void *b)
{
	const struct timed *one = a, *other = b;

	return (one->us > other->us) - (one->us < other->us);
}

static int by_place(const void *a, const void *b)
{
	const struct timed *one = a, *other = b;

	return (one->at > other->at) - (one->at < other->at);
}

/* Equal times have the middle of their ranks. */
static void set_ranks(struct timed *list, size_t count)
{
	qsort(list, count, sizeof(*list), by_time);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && !(list[end].us > list[i].us);
		     end++)
			;
		for (size_t j = i; j < end; j++)
			list[j].rank = (double)(i + end + 1) / 2;
	}
	qsort(list, count, sizeof(*list), by_place);
}

static double median_of(const struct timed *list, size_t count)
{
	struct timed *copy = claw_calloc(count, sizeof(*copy));
	double median;

	memcpy(copy, list, count * sizeof(*copy));
	qsort(copy, count, sizeof(*copy), by_time);
	median = (copy[(count - 1) / 2].us + copy[count / 2].us) / 2;
	free(copy);
	return median;
}

/* How far values are from their median, added up. */
static double spread_of(const double *sorted, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count / 2; i++)
		sum += sorted[count - 1 - i] - sorted[i];
	return sum;
}

static void insert(double *sorted, size_t count, double value)
{
	for (; count > 0 && sorted[count - 1] > value; count--)
		sorted[count] = sorted[count - 1];
	sorted[count] = value;
}

/* The results before the change, where both sides are the most alike: what
 * counts are factors. */
static size_t find_split(const struct timed *list, size_t count)
{
	double *sorted = claw_calloc(count, sizeof(*sorted));
	double *before = claw_calloc(count, sizeof(*before));
	double least = INFINITY;
	size_t split = SEGMENT;

	for (size_t i = 0; i + SEGMENT <= count; i++) {
		before[i] = spread_of(sorted, i);
		insert(sorted, i, log(list[i].us));
	}
	for (size_t i = count; i-- > SEGMENT;) {
		insert(sorted, count - 1 - i, log(list[i].us));
		if (count - i >= SEGMENT && before[i] +
		    spread_of(sorted, count - i) <= least) {
			least = before[i] + spread_of(sorted, count - i);
			split = i;
		}
	}
	free(before);
	free(sorted);
	return split;
}

/* Pettitt's K, and how likely it is by chance. */
static double chance_of_change(const struct timed *list, size_t count)
{
	double n = (double)count, sum = 0, most = 0;

	for (size_t i = 0; i + 1 < count; i++) {
		sum += 2 * list[i].rank - (n + 1);
		if (i + 1 >= SEGMENT && count - i - 1 >= SEGMENT)
			most = fabs(sum) > most ? fabs(sum) : most;
	}
	return most > 0 ? 2 * exp(-6 * most * most / (n * n * n + n * n)) : 1;
}

static size_t read_times(const struct claw_history_series *series,
			 struct timed *list)
{
	size_t count = 0;

	for (size_t i = 0; i < series->count; i++)
		if (series->points[i].class == 'p' &&
		    series->points[i].duration_us)
			list[count++] = (struct timed) {
				.us = (double)series->points[i].duration_us,
				.at = i,
			};
	return count;
}

static void judge_times(const struct claw_history_series *series,
			struct claw_history_judged *to)
{
	struct timed *list = claw_calloc(series->count, sizeof(*list));
	size_t count = read_times(series, list), split;
	double before, after;

	set_ranks(list, count);
	if (count >= 2 * SEGMENT && chance_of_change(list, count) < unlikely) {
		split = find_split(list, count);
		before = median_of(list, split);
		after = median_of(list + split, count - split);
		if (fabs(after - before) >= LEAST_US &&
		    (after >= before * times_slower ||
		     before >= after * times_slower)) {
			to->ratio = after / before;
			to->slower_at = list[split].at;
			to->slower_before = list[split - 1].at;
		}
	}
	free(list);
}

void claw_history_judge(const struct claw_history_series *series,
			struct claw_history_judged *ret_judged)
{
	claw_history_judge_trend(series, ret_judged);
	judge_times(series, ret_judged);
}
