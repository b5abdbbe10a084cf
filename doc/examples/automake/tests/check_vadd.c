/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What vadd does when OpenCL fails: each test arms one fault of openclaw-faults
 * (7) and says what must come of it. A fault that never fires, and a run
 * without openclaw's layer, are failures, too.
 */
#include <check.h>

#define CLAW_FAULT_FAIL(file_, line_, message_) \
	ck_abort_msg("%s:%d: %s", file_, line_, message_)
#include <openclaw/openclaw.h>

#include "vadd.h"

enum { COUNT = 1000 };

static struct vadd *vadd;
static float a[COUNT], b[COUNT], sum[COUNT];

/* A checked fixture: OpenCL may not be opened before a fork and used after. */
static void setup(void)
{
	for (int i = 0; i < COUNT; i++) {
		a[i] = (float)i;
		b[i] = (float)(3 * i);
		sum[i] = -1;
	}
	ck_assert_int_eq(vadd_open(&vadd), VADD_OK);
}

/* With CK_FORK=no, a failed test jumps out of its CLAW_FAULT block. */
static void teardown(void)
{
	claw_disarm_all();
	vadd_close(vadd);
}

static enum vadd_status run(void)
{
	return vadd_run(vadd, a, b, sum, COUNT);
}

static void sum_is_right(void)
{
	for (int i = 0; i < COUNT; i++)
		ck_assert_msg(sum[i] == (float)(4 * i),
			      "sum[%d] is %g, expected %d", i, sum[i], 4 * i);
}

START_TEST(vadd__two_vectors_are_added)
{
	ck_assert_int_eq(run(), VADD_OK);
	ck_assert_uint_eq(vadd_piece(vadd), COUNT);
	sum_is_right();
}
END_TEST

START_TEST(vadd__no_room_for_whole_vectors_works_in_halves)
{
	CLAW_FAULT("clCreateBuffer:oom:when=1")
		ck_assert_int_eq(run(), VADD_OK);
	ck_assert_uint_eq(vadd_piece(vadd), COUNT / 2);
	sum_is_right();
}
END_TEST

START_TEST(vadd__room_for_two_of_three_works_in_halves)
{
	CLAW_FAULT("clCreateBuffer:oom:when=3")
		ck_assert_int_eq(run(), VADD_OK);
	ck_assert_uint_eq(vadd_piece(vadd), COUNT / 2);
	sum_is_right();
}
END_TEST

START_TEST(vadd__no_room_at_all_is_said_and_can_be_tried_again)
{
	CLAW_FAULT("clCreateBuffer:oom")
		ck_assert_int_eq(run(), VADD_NO_MEMORY);
	ck_assert_int_eq(run(), VADD_OK);
	sum_is_right();
}
END_TEST

START_TEST(vadd__failed_launch_is_no_result)
{
	CLAW_FAULT("clEnqueueNDRangeKernel:error=CL_INVALID_WORK_GROUP_SIZE")
		ck_assert_int_eq(run(), VADD_DEVICE_FAILED);
}
END_TEST

START_TEST(vadd__failed_read_is_no_result)
{
	CLAW_FAULT("clEnqueueReadBuffer:error=CL_INVALID_COMMAND_QUEUE")
		ck_assert_int_eq(run(), VADD_DEVICE_FAILED);
}
END_TEST

START_TEST(open__failed_build_is_said)
{
	struct vadd *other = NULL;

	CLAW_FAULT("clBuildProgram:build-fail")
		ck_assert_int_eq(vadd_open(&other), VADD_BUILD_FAILED);
	ck_assert_ptr_null(other);
}
END_TEST

START_TEST(open__no_device_is_said)
{
	struct vadd *other = NULL;

	CLAW_FAULT("clCreateContext:error=CL_DEVICE_NOT_AVAILABLE")
		ck_assert_int_eq(vadd_open(&other), VADD_NO_DEVICE);
	ck_assert_ptr_null(other);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("vadd");
	TCase *tcase = tcase_create("faults");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, vadd__two_vectors_are_added);
	tcase_add_test(tcase, vadd__no_room_for_whole_vectors_works_in_halves);
	tcase_add_test(tcase, vadd__room_for_two_of_three_works_in_halves);
	tcase_add_test(tcase,
		       vadd__no_room_at_all_is_said_and_can_be_tried_again);
	tcase_add_test(tcase, vadd__failed_launch_is_no_result);
	tcase_add_test(tcase, vadd__failed_read_is_no_result);
	tcase_add_test(tcase, open__failed_build_is_said);
	tcase_add_test(tcase, open__no_device_is_said);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
