/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw history: trends and change points of made-up series, whose truth is
 * known, and what a history keeps of a run.
 */
#include "config.h"

#include "harness/history/history_judge.h"

#include <stdlib.h>
#include <string.h>

#include "harness/explore/case/explore_case.h"
#include "harness/history/history_tell.h"
#include "suites/self/lib/run_suite.h"

enum { MOST = 60, SERIES = 1000 };

static struct claw_history_point points[MOST];
static char commits[MOST][16];
static uint64_t seed;

/* classes: "ppfp", one commit each. */
static struct claw_history_judged judge(const char *classes)
{
	struct claw_history_series series = {
		.points = points, .count = strlen(classes),
	};
	struct claw_history_judged judged;

	for (size_t i = 0; i < series.count; i++) {
		snprintf(commits[i], sizeof(commits[i]), "%zu", i);
		points[i] = (struct claw_history_point) {
			.class = classes[i], .commit = commits[i],
			.started = (int64_t)i,
		};
	}
	claw_history_judge(&series, &judged);
	return judged;
}

START_TEST(trends__are_what_people_call_them)
{
	static const struct {
		const char *classes;
		enum claw_history_trend trend;
		size_t at;
	} rows[] = {
		{ "", CLAW_TREND_NONE, 0 },
		{ "s", CLAW_TREND_NONE, 0 },
		{ "pppp", CLAW_TREND_NONE, 0 },
		{ "ffff", CLAW_TREND_FAILS, 0 },
		{ "ppsff", CLAW_TREND_NEW, 3 },
		{ "pppf", CLAW_TREND_NEW, 3 },
		{ "ffpp", CLAW_TREND_FIXED, 2 },
		{ "ppffpp", CLAW_TREND_FIXED, 4 },
		{ "ffppf", CLAW_TREND_BACK, 4 },
		{ "ppfpp", CLAW_TREND_FLAKY, 3 },
		{ "ffpff", CLAW_TREND_FLAKY, 3 },
		{ "ppffppff", CLAW_TREND_FLAKY, 6 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct claw_history_judged judged = judge(rows[i].classes);

		ck_assert_msg(judged.trend == rows[i].trend &&
			      judged.at == rows[i].at, "%s: %s at %zu",
			      rows[i].classes,
			      claw_history_trend_name(judged.trend), judged.at);
	}
}
END_TEST

START_TEST(trends__one_commit_is_no_reason)
{
	struct claw_history_series series = { .points = points, .count = 2 };
	struct claw_history_judged judged;

	judge("pf");
	points[1].commit = points[0].commit = "abc";
	claw_history_judge(&series, &judged);
	ck_assert_int_eq(judged.trend, CLAW_TREND_FLAKY);
	points[1].commit = points[0].commit = "abc+changes";
	claw_history_judge(&series, &judged);
	ck_assert_int_eq(judged.trend, CLAW_TREND_NEW);
	points[1].commit = points[0].commit = "abc";
	points[1].device++;		/* another driver */
	claw_history_judge(&series, &judged);
	ck_assert_int_eq(judged.trend, CLAW_TREND_NEW);
	points[1].class = 'p';
	points[1].is_flaky = true;	/* of several tries in one run */
	claw_history_judge(&series, &judged);
	ck_assert_int_eq(judged.trend, CLAW_TREND_FLAKY);
}
END_TEST

START_TEST(changes__are_of_the_commit_or_the_driver)
{
	static const struct {
		const char *commits[2], *drivers[2], *text;
	} rows[] = {
		{ { "a", "b" }, { "1", "1" }, "on 2023-11-14, commit b" },
		{ { "a", "a" }, { "1", "1" }, "on 2023-11-14, commit a" },
		{ { "a", "a" }, { "1", "2" }, "on 2023-11-14, driver 1 -> 2" },
		{ { "a", "b" }, { "1", "2" },
		  "on 2023-11-14, commit b, driver 1 -> 2" },
		{ { "", "" }, { "", "" }, "on 2023-11-14" },
		{ { NULL, NULL }, { NULL, NULL }, "on 2023-11-14" },
		{ { "0123456789abcdef", "123456789abcdef0+changes" },
		  { "1", "1" }, "on 2023-11-14, commit 123456789abc" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct claw_history_point both[2];
		char *text;

		for (int j = 0; j < 2; j++)
			both[j] = (struct claw_history_point) {
				.commit = rows[i].commits[j],
				.driver = rows[i].drivers[j],
				.started = 1700000000,
			};
		text = claw_history_change(&both[0], &both[1]);
		ck_assert_str_eq(text, rows[i].text);
		free(text);
	}
}
END_TEST

/* Wilson's interval of 1 of 10: from a table. */
START_TEST(trends__an_interval_says_how_sure)
{
	double low, high;

	claw_history_interval(1, 10, &low, &high);
	ck_assert_double_eq_tol(low, 0.0179, 0.0002);
	ck_assert_double_eq_tol(high, 0.4042, 0.0002);
}
END_TEST

/* ---- made-up times ----------------------------------------------------------- */

static double noise(void)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += (double)(claw_explore_random(&seed) % 1000001) / 1000000;
	return sum - 6;		/* nearly normal */
}

/* Passing results of 100 ms, 5 % noise, now and then one that a busy machine
 * delays; from change on times slower. */
static struct claw_history_judged judge_times(size_t count, size_t change,
					      double times)
{
	struct claw_history_series series = { .points = points, .count = count };
	struct claw_history_judged judged;

	for (size_t i = 0; i < count; i++) {
		double us = 100000 * (1 + 0.05 * noise());

		if (claw_explore_random(&seed) % 20 == 0)
			us *= 2;
		points[i] = (struct claw_history_point) {
			.class = 'p', .commit = "",
			.duration_us = (uint64_t)(i < change ? us : us * times),
		};
	}
	claw_history_judge(&series, &judged);
	return judged;
}

START_TEST(times__changes_are_found_at_their_place)
{
	unsigned int right = 0;

	for (seed = 1; seed <= SERIES;) {
		uint64_t from = seed;
		size_t change = 10 + from % 40;
		struct claw_history_judged judged =
			judge_times(MOST, change, from % 2 ? 1.5 : 1 / 1.5);

		right += judged.ratio > 0 && (judged.ratio > 1) == from % 2 &&
			judged.slower_at + 2 >= change &&
			judged.slower_at <= change + 2;
		seed = from + 1;
	}
	ck_assert_msg(right >= SERIES * 95 / 100, "%u of %d", right, SERIES);
}
END_TEST

START_TEST(times__nothing_is_found_where_nothing_changes)
{
	unsigned int wrong = 0;

	for (seed = 1; seed <= SERIES;) {
		uint64_t from = seed;

		wrong += judge_times(8 + from % 50, MOST, 1).ratio > 0;
		seed = from + 1;
	}
	ck_assert_msg(wrong <= SERIES / 100, "%u of %d", wrong, SERIES);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("history");
	TCase *tests = tcase_create("history");

	tcase_add_test(tests, trends__are_what_people_call_them);
	tcase_add_test(tests, trends__one_commit_is_no_reason);
	tcase_add_test(tests, changes__are_of_the_commit_or_the_driver);
	tcase_add_test(tests, trends__an_interval_says_how_sure);
	tcase_add_test(tests, times__changes_are_found_at_their_place);
	tcase_add_test(tests, times__nothing_is_found_where_nothing_changes);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
