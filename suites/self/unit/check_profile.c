/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fragments of ledgers that are made up, and a value over time: places and
 * points are known.
 */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/soak/monitor/profile_fragments.h"
#include "harness/soak/monitor/profile_timeline.h"
#include "suites/self/lib/run_suite.h"

enum { KIB = 1024, OBJECTS = 8 };

static struct claw_fragments fragments;
static struct claw_ledger_entry entries[OBJECTS];
static struct claw_ledger ledger;
static struct claw_timeline timeline;

static void setup(void)
{
	claw_fragments_init(&fragments, 16 * KIB);
	ledger = (struct claw_ledger){ .entries = entries };
	claw_timeline_init(&timeline, 10);
}

static void teardown(void)
{
	claw_fragments_release(&fragments);
}

/* The ledger has one more. */
static struct claw_ledger_entry *add(uint64_t serial, uint64_t bytes)
{
	struct claw_ledger_entry *entry = &entries[ledger.count++];

	*entry = (struct claw_ledger_entry){
		.serial = serial, .object = CLAW_OBJ_MEM, .bytes = bytes,
	};
	return entry;
}

static void look(void)
{
	claw_fragments_look(&fragments, &ledger);
}

static void forget(void)
{
	ledger.count = 0;
}

static void expect(const struct claw_fragments_moment *moment, uint64_t used,
		   uint64_t largest)
{
	ck_assert_uint_eq(moment->used_bytes, used);
	ck_assert_uint_eq(moment->free_bytes, fragments.device_bytes - used);
	ck_assert_uint_eq(moment->largest_bytes, largest);
}

START_TEST(fragments__nothing_is_one_extent)
{
	look();
	expect(&fragments.worst, 0, 16 * KIB);
	ck_assert_double_eq(claw_fragments_part(&fragments.worst), 0);
}
END_TEST

START_TEST(fragments__holes_are_between_what_is_left)
{
	for (uint64_t i = 1; i <= 8; i++)
		add(i, KIB);
	look();
	expect(&fragments.peak, 8 * KIB, 8 * KIB);
	forget();
	for (uint64_t i = 2; i <= 8; i += 2)
		add(i, KIB);
	look();
	/* 1 free, 1 used, ..., and 8 behind them all. */
	expect(&fragments.worst, 4 * KIB, 8 * KIB);
	ck_assert_double_eq_tol(claw_fragments_part(&fragments.worst),
				1 - 8.0 / 12, 1e-9);
	expect(&fragments.peak, 8 * KIB, 8 * KIB);
	ck_assert_uint_eq(fragments.looks, 2);
}
END_TEST

START_TEST(fragments__the_first_hole_that_fits_is_taken)
{
	for (uint64_t i = 1; i <= 4; i++)
		add(i, (i == 2 ? 2 : 1) * KIB);
	look();
	forget();
	add(2, 2 * KIB);
	add(4, KIB);		/* free: 0..1, 3..4, 5..16 */
	add(5, 2 * KIB);	/* 5..7 */
	add(6, KIB);		/* 0..1 */
	look();
	expect(&fragments.peak, 6 * KIB, 9 * KIB);
	ck_assert_double_eq_tol(claw_fragments_part(&fragments.worst),
				1 - 9.0 / 10, 1e-9);
}
END_TEST

START_TEST(fragments__what_takes_no_memory_is_left_out)
{
	add(1, KIB)->flags = CLAW_LEDGER_SUB;
	add(2, KIB)->flags = CLAW_LEDGER_HOST_PTR;
	add(3, KIB)->object = CLAW_OBJ_KERNEL;
	add(4, 0);
	add(5, 100);
	look();
	expect(&fragments.peak, 256, 16 * KIB - 256);
}
END_TEST

/* Its shard had been read already when it was made, the later one's not. */
START_TEST(fragments__an_earlier_object_that_a_look_missed)
{
	add(2, KIB);
	look();
	expect(&fragments.peak, KIB, 15 * KIB);
	forget();
	add(1, 2 * KIB);
	add(2, KIB);
	look();
	expect(&fragments.peak, 3 * KIB, 13 * KIB);
}
END_TEST

START_TEST(fragments__a_full_device_ends_it)
{
	add(1, 16 * KIB);
	look();
	expect(&fragments.peak, 16 * KIB, 0);
	ck_assert_double_eq(claw_fragments_part(&fragments.peak), 0);
	add(2, 1);
	look();
	ck_assert(fragments.overflowed);
	ck_assert_uint_eq(fragments.looks, 1);
	add(3, UINT64_MAX);
	look();
	ck_assert_uint_eq(fragments.looks, 1);
}
END_TEST

/* A size that is not a multiple of the unit does not reach beyond the end. */
START_TEST(fragments__a_size_near_the_largest_number)
{
	add(1, UINT64_MAX);
	look();
	ck_assert(fragments.overflowed);
	ck_assert_uint_eq(fragments.count, 0);
}
END_TEST

START_TEST(timeline__a_point_is_the_highest_of_its_time)
{
	claw_timeline_add(&timeline, 100, 1);
	claw_timeline_add(&timeline, 104, 7);
	claw_timeline_add(&timeline, 109, 3);
	claw_timeline_add(&timeline, 110, NAN);
	claw_timeline_add(&timeline, 125, 2);
	ck_assert_uint_eq(timeline.count, 3);
	ck_assert_double_eq(timeline.values[0], 7);
	/* Between it was as before. */
	ck_assert_double_eq(timeline.values[1], 7);
	ck_assert_double_eq(timeline.last_ms, 125);
}
END_TEST

START_TEST(timeline__is_halved_when_it_is_full)
{
	for (int i = 0; i < 3 * CLAW_TIMELINE_POINTS; i++)
		claw_timeline_add(&timeline, 10.0 * i, i);
	ck_assert_double_eq(timeline.step_ms, 40);
	ck_assert_uint_eq(timeline.count, 3 * CLAW_TIMELINE_POINTS / 4);
	for (size_t i = 0; i < timeline.count; i++)
		ck_assert_double_eq(timeline.values[i], 4.0 * (double)i + 3);
}
END_TEST

START_TEST(timeline__a_long_gap)
{
	claw_timeline_add(&timeline, 0, 5);
	claw_timeline_add(&timeline, 1e9, 6);
	ck_assert_uint_le(timeline.count, CLAW_TIMELINE_POINTS);
	ck_assert_double_eq(timeline.values[0], 5);
	ck_assert_double_eq(timeline.values[timeline.count - 1], 6);
}
END_TEST

static char *print(uint64_t peak)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	claw_timeline_print(out, "title", &timeline, peak);
	fclose(out);
	return text;
}

START_TEST(timeline__is_printed_as_rows)
{
	char *text;

	claw_timeline_add(&timeline, 0, 512);
	claw_timeline_add(&timeline, 10, 1024);
	text = print(0);
	ck_assert_ptr_nonnull(strstr(text, "title\n     1.0 KiB | #\n"));
	ck_assert_ptr_nonnull(strstr(text, "   512 bytes |##\n"));
	ck_assert_ptr_nonnull(strstr(text, "|##\n             +--\n"));
	free(text);
}
END_TEST

START_TEST(timeline__the_times_are_apart)
{
	char *text;

	claw_timeline_add(&timeline, 0, 512);
	claw_timeline_add(&timeline, 10, 1024);
	timeline.last_ms = 302;
	text = print(0);
	ck_assert_ptr_nonnull(strstr(text, "  0 0.302 s\n"));
	free(text);
}
END_TEST

START_TEST(timeline__a_peak_that_no_look_saw_is_told)
{
	char *text;

	claw_timeline_add(&timeline, 0, 512);
	claw_timeline_add(&timeline, 10, 1024);
	text = print(1024);
	ck_assert_ptr_null(strstr(text, "peak"));
	free(text);
	text = print(2048);
	ck_assert_ptr_nonnull(strstr(text,
				     "no sample saw the peak of 2.0 KiB\n"));
	free(text);
}
END_TEST

START_TEST(timeline__nothing_is_printed_of_nothing)
{
	char *text = print(0);

	ck_assert_str_eq(text, "");
	free(text);
	claw_timeline_add(&timeline, 0, 0);
	claw_timeline_add(&timeline, 100, 0);
	text = print(0);
	ck_assert_str_eq(text, "");
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("profile");
	TCase *tests = tcase_create("profile");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, fragments__nothing_is_one_extent);
	tcase_add_test(tests, fragments__holes_are_between_what_is_left);
	tcase_add_test(tests, fragments__the_first_hole_that_fits_is_taken);
	tcase_add_test(tests, fragments__what_takes_no_memory_is_left_out);
	tcase_add_test(tests, fragments__an_earlier_object_that_a_look_missed);
	tcase_add_test(tests, fragments__a_full_device_ends_it);
	tcase_add_test(tests, fragments__a_size_near_the_largest_number);
	tcase_add_test(tests, timeline__a_point_is_the_highest_of_its_time);
	tcase_add_test(tests, timeline__is_halved_when_it_is_full);
	tcase_add_test(tests, timeline__a_long_gap);
	tcase_add_test(tests, timeline__is_printed_as_rows);
	tcase_add_test(tests, timeline__the_times_are_apart);
	tcase_add_test(tests, timeline__a_peak_that_no_look_saw_is_told);
	tcase_add_test(tests, timeline__nothing_is_printed_of_nothing);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
