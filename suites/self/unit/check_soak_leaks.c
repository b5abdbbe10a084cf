/* SPDX-License-Identifier: Apache-2.0 */
/* What runs of a program leave, added up by site. */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/soak/run/soak_leaks.h"

static struct claw_soak_leaks leaks;

static void teardown(void)
{
	claw_soak_leaks_release(&leaks);
}

static void add(uint64_t at_load, uint64_t again_at_load)
{
	struct claw_soak_forgotten all[] = {
		{ .site = "clCreateBuffer < load", .place = "load (t.c:8)",
		  .text = "a buffer", .objects = at_load },
		{ .site = "clCreateBuffer < load", .text = "another",
		  .objects = again_at_load },
	};
	const struct claw_soak_left left = {
		.leaks = all, .leak_count = again_at_load ? 2 : at_load ? 1 : 0,
	};

	claw_soak_leaks_add(&leaks, &left);
}

static void check_text(uint64_t runs, const char *expected)
{
	char *text;

	ck_assert_uint_eq(leaks.count, 1);
	text = claw_soak_leak_text(&leaks.items[0], runs);
	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(leaks__runs_without_any_are_judged)
{
	add(0, 0);
	claw_soak_leaks_add(&leaks, NULL);
	ck_assert_uint_eq(leaks.count, 0);
	ck_assert_uint_eq(leaks.judged, 2);
}
END_TEST

START_TEST(leaks__each_run_counts_once)
{
	add(3, 0);
	check_text(1, "a buffer: at the end of 1 of 1 run, 3 in each");
	add(2, 3);		/* of two processes */
	add(0, 0);
	check_text(4, "a buffer: at the end of 2 of 4 runs, 3 to 5 in each");
	ck_assert_uint_eq(leaks.judged, 3);
}
END_TEST

START_TEST(leaks__of_before_go_on)
{
	claw_soak_leaks_recall(&leaks, "clCreateBuffer < load", "a buffer", 4);
	check_text(9, "a buffer: at the end of 4 of 9 runs");
	ck_assert_uint_eq(leaks.items[0].told, 4);
	add(1, 0);
	check_text(10, "a buffer: at the end of 5 of 10 runs");
}
END_TEST

START_TEST(leaks__the_first_reason_stays)
{
	claw_soak_leaks_doubt(&leaks, "no ledger");
	claw_soak_leaks_doubt(&leaks, "other");
	ck_assert_uint_eq(leaks.unknown, 2);
	ck_assert_str_eq(leaks.why, "no ledger");
}
END_TEST

START_TEST(leaks__sites_without_room_are_counted)
{
	for (int i = 0; i <= CLAW_SOAK_LEAKS; i++) {
		char site[32];
		struct claw_soak_forgotten one = {
			.site = site, .text = "x", .objects = 1,
		};
		const struct claw_soak_left left = {
			.leaks = &one, .leak_count = 1,
		};

		snprintf(site, sizeof(site), "site %d", i);
		claw_soak_leaks_add(&leaks, &left);
	}
	ck_assert_uint_eq(leaks.count, CLAW_SOAK_LEAKS);
	ck_assert_uint_eq(leaks.others, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("soak_leaks");
	TCase *tests = tcase_create("table");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, leaks__runs_without_any_are_judged);
	tcase_add_test(tests, leaks__each_run_counts_once);
	tcase_add_test(tests, leaks__of_before_go_on);
	tcase_add_test(tests, leaks__the_first_reason_stays);
	tcase_add_test(tests, leaks__sites_without_room_are_counted);
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
