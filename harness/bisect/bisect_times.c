/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which side of a slowdown the times of passing cases are on. The limit is the
 * middle of the ends' medians; the ends' times must not overlap.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "bisect.h"
#include "harness/base/memory.h"

/* As openclaw history: less is noise. Of five runs one may be an outlier. */
enum { LEAST_US = 2000, RUNS_PER_OUTLIER = 5 };

struct sums {
	double *us;
	size_t count;
};

static int by_size(const void *a, const void *b)
{
	const double *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

static double median_of(const struct sums *sums)
{
	return (sums->us[(sums->count - 1) / 2] + sums->us[sums->count / 2]) / 2;
}

/* Of each run the time of these cases, sorted. False: one did not always pass. */
static bool add_up(const json_t *object, const json_t *cases,
		   struct sums *ret_sums)
{
	const json_t *runs = json_object_get(object, "times");
	size_t count = json_array_size(runs);
	struct sums sums = { claw_calloc(count, sizeof(*sums.us)), count };
	bool is_whole = count > 0 && json_object_size(cases) > 0;

	for (size_t i = 0; i < count; i++) {
		const json_t *run = json_array_get(runs, i);

		for (void *at = json_object_iter((json_t *)(uintptr_t)cases); at;
		     at = json_object_iter_next((json_t *)(uintptr_t)cases, at)) {
			const json_t *us = json_object_get(run,
				json_object_iter_key(at));

			is_whole = is_whole && json_is_number(us);
			sums.us[i] += json_number_value(us);
		}
	}
	qsort(sums.us, count, sizeof(*sums.us), by_size);
	if (is_whole)
		*ret_sums = sums;
	else
		free(sums.us);
	return is_whole;
}

/* A case stays that is in each run. */
static void keep_common(json_t *cases, const json_t *object)
{
	const json_t *runs = json_object_get(object, "times");

	for (size_t i = 0; i < json_array_size(runs); i++) {
		const json_t *run = json_array_get(runs, i);
		const char *name;
		void *next;
		json_t *value;

		json_object_foreach_safe(cases, next, name, value)
			if (!json_object_get(run, name))
				json_object_del(cases, name);
	}
}

static bool compare(struct claw_bisect_limits *limits, const struct sums *good,
		    const struct sums *bad, uint64_t percent, char *error,
		    size_t size)
{
	double least;

	limits->good_us = median_of(good);
	limits->bad_us = median_of(bad);
	limits->limit_us = (limits->good_us + limits->bad_us) / 2;
	least = limits->good_us * (double)percent / 100;
	if (limits->bad_us - limits->good_us <
	    (least > LEAST_US ? least : LEAST_US))
		snprintf(error, size, "the bad end is not slower by %llu %% and "
			 "%d ms: medians are %.3f s and %.3f s",
			 (unsigned long long)percent, LEAST_US / 1000,
			 limits->good_us / 1e6, limits->bad_us / 1e6);
	else if (good->us[good->count - 1] >= bad->us[0])
		snprintf(error, size, "the ends' times overlap: good up to "
			 "%.3f s, bad from %.3f s; increase --repeat, or select "
			 "fewer cases", good->us[good->count - 1] / 1e6,
			 bad->us[0] / 1e6);
	else
		return true;
	return false;
}

bool claw_bisect_limits_init(struct claw_bisect_limits *limits,
			     const json_t *good, const json_t *bad,
			     uint64_t percent, char *error, size_t size)
{
	const json_t *first = json_array_get(json_object_get(good, "times"), 0);
	struct sums of_good = { .us = NULL }, of_bad = { .us = NULL };
	bool is_clear = false;

	limits->cases = claw_made(first ? json_copy((json_t *)(uintptr_t)first) :
				  json_object());
	keep_common(limits->cases, good);
	keep_common(limits->cases, bad);
	if (add_up(good, limits->cases, &of_good) &&
	    add_up(bad, limits->cases, &of_bad))
		is_clear = compare(limits, &of_good, &of_bad, percent, error,
				   size);
	else
		snprintf(error, size, "no case passed in each run of both ends");
	free(of_good.us);
	free(of_bad.us);
	return is_clear;
}

void claw_bisect_limits_release(struct claw_bisect_limits *limits)
{
	json_decref(limits->cases);
	limits->cases = NULL;
}

void claw_bisect_times_answer(const struct claw_bisect_limits *limits,
			      json_t *object)
{
	const char *answer = "skip";
	char *why = NULL;
	struct sums sums;
	size_t slow = 0;

	if (!add_up(object, limits->cases, &sums)) {
		why = claw_strdup("a case that passes at both ends did not pass "
				  "in each run");
	} else {
		for (size_t i = 0; i < sums.count; i++)
			slow += sums.us[i] > limits->limit_us;
		if (slow <= sums.count / RUNS_PER_OUTLIER)
			answer = "good";
		else if (sums.count - slow <= sums.count / RUNS_PER_OUTLIER)
			answer = "bad";
		else
			why = claw_format("%zu of %zu runs took longer than "
					  "%.3f s", slow, sums.count,
					  limits->limit_us / 1e6);
		json_object_set_new(object, "median_us",
				    json_real(median_of(&sums)));
		free(sums.us);
	}
	json_object_set_new(object, "answer", json_string(answer));
	if (why)
		json_object_set_new(object, "why", json_string(why));
	free(why);
}
