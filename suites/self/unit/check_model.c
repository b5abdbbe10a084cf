/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Free space of a device model beside a plain map of its units: the first fit
 * is the lowest, what is given back joins its neighbours.
 */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "faults/model/model_extents.h"
#include "suites/self/lib/run_suite.h"

enum { UNITS = 500, PIECES = 200, ROUNDS = 20000 };

static struct claw_extents extents;
static bool taken[UNITS];

/* The lowest run of that many free units, or -1. */
static int plain_first_fit(uint32_t units)
{
	uint32_t run = 0;

	for (uint32_t i = 0; i < UNITS; i++) {
		run = taken[i] ? 0 : run + 1;
		if (run == units)
			return (int)(i + 1 - units);
	}
	return -1;
}

static uint32_t plain_largest(void)
{
	uint32_t run = 0, largest = 0;

	for (uint32_t i = 0; i < UNITS; i++) {
		run = taken[i] ? 0 : run + 1;
		largest = run > largest ? run : largest;
	}
	return largest;
}

static void set(uint32_t start, uint32_t units, bool value)
{
	for (uint32_t i = start; i < start + units; i++)
		taken[i] = value;
}

static void begin(void)
{
	memset(taken, 0, sizeof(taken));
	ck_assert(claw_extents_begin(&extents));
	claw_extents_give(&extents, 0, UNITS);
}

START_TEST(extents__random_use_is_as_a_plain_map_says)
{
	static struct { uint32_t start, units; } pieces[PIECES];
	uint32_t state = 7, free_units = UNITS;

	begin();
	memset(pieces, 0, sizeof(pieces));
	for (unsigned int i = 0; i < ROUNDS; i++) {
		unsigned int at;

		state = state * 1664525u + 1013904223u;
		at = (state >> 8) % PIECES;
		if (pieces[at].units) {
			claw_extents_give(&extents, pieces[at].start,
					  pieces[at].units);
			set(pieces[at].start, pieces[at].units, false);
			free_units += pieces[at].units;
			pieces[at].units = 0;
		} else {
			uint32_t units = 1 + (state >> 20) % 9;
			uint32_t start = UINT32_MAX;
			bool had = claw_extents_take(&extents, units, &start);

			ck_assert_int_eq(had ? (int)start : -1,
					 plain_first_fit(units));
			if (!had)
				continue;
			set(start, units, true);
			free_units -= units;
			pieces[at].start = start;
			pieces[at].units = units;
		}
		ck_assert_uint_eq(extents.free, free_units);
		if (i % 64 == 0)
			ck_assert_uint_eq(claw_extents_largest(&extents),
					  plain_largest());
	}
	for (unsigned int i = 0; i < PIECES; i++)
		claw_extents_give(&extents, pieces[i].start, pieces[i].units);
	ck_assert_uint_eq(claw_extents_largest(&extents), UNITS);
}
END_TEST

START_TEST(extents__the_sum_is_no_piece)
{
	uint32_t starts[10], start;

	begin();
	for (int i = 0; i < 10; i++)
		ck_assert(claw_extents_take(&extents, UNITS / 10, &starts[i]));
	ck_assert(!claw_extents_take(&extents, 1, &start));
	for (int i = 0; i < 10; i += 2)
		claw_extents_give(&extents, starts[i], UNITS / 10);
	ck_assert_uint_eq(extents.free, UNITS / 2);
	ck_assert(!claw_extents_take(&extents, UNITS / 10 + 1, &start));
	ck_assert(claw_extents_take(&extents, UNITS / 10, &start));
	ck_assert_uint_eq(start, starts[0]);
	claw_extents_give(&extents, starts[3], UNITS / 10);
	ck_assert_uint_eq(claw_extents_largest(&extents), 3 * (UNITS / 10));
}
END_TEST

START_TEST(extents__beginning_again_forgets_all)
{
	uint32_t start;

	begin();
	ck_assert(claw_extents_take(&extents, UNITS, &start));
	ck_assert(claw_extents_begin(&extents));
	ck_assert_uint_eq(claw_extents_largest(&extents), 0);
	ck_assert(!claw_extents_take(&extents, 1, &start));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("model");
	TCase *tcase = tcase_create("extents");

	tcase_add_test(tcase, extents__random_use_is_as_a_plain_map_says);
	tcase_add_test(tcase, extents__the_sum_is_no_piece);
	tcase_add_test(tcase, extents__beginning_again_forgets_all);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
