/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A libcheck program that knows nothing of openclaw, as a user has one. Its
 * first argument says which tests it runs, or how it goes wrong as a whole.
 */
#include "config.h"

#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stuck.h"

static const char *mode;

static bool is(const char *name)
{
	return strcmp(mode, name) == 0;
}

static cl_int make_buffer(void)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_int err = clGetPlatformIDs(1, &platform, NULL);
	cl_mem mem;

	if (err == CL_SUCCESS)
		err = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device,
				     NULL);
	if (err != CL_SUCCESS)
		return err;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	if (!context)
		return err;
	mem = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &err);
	if (mem)
		clReleaseMemObject(mem);
	clReleaseContext(context);
	return err;
}

START_TEST(makes_a_buffer)
{
	ck_assert_int_eq(make_buffer(), CL_SUCCESS);
}
END_TEST

START_TEST(fails)
{
	make_buffer();
	ck_assert_msg(0, "got <1> & expected \"2\" \x1b[31m \xff");
}
END_TEST

START_TEST(crashes)
{
	make_buffer();
	raise(SIGSEGV);
}
END_TEST

START_TEST(hangs)
{
	make_buffer();
	for (;;)
		pause();
}
END_TEST

START_TEST(waits)
{
	struct stuck stuck;

	stuck_open(&stuck);
	stuck_launch(&stuck, "k", &stuck.gate);
	clFinish(stuck.queue);
}
END_TEST

START_TEST(loops)
{
	make_buffer();
	ck_assert_int_ne(_i, 1);
}
END_TEST

START_TEST(makes_no_call)
{
	ck_assert(true);
}
END_TEST

START_TEST(leaves)
{
	_exit(0);
}
END_TEST

/* Before libcheck knows where it is. */
static void kill_itself(void)
{
	raise(SIGKILL);
}

static void bad_fixture(void)
{
	ck_abort_msg("a fixture that fails");
}

static void add_tests(TCase *tests)
{
	if (is("empty"))
		return;
	tcase_add_test(tests, is("no-call") ? makes_no_call : makes_a_buffer);
	if (is("leaves"))
		tcase_add_test(tests, leaves);
	if (is("loops"))
		tcase_add_loop_test(tests, loops, 0, 3);
	if (is("fails") || is("all") || is("again") || is("fixture"))
		tcase_add_test(tests, fails);
	if (is("crashes") || is("all"))
		tcase_add_test(tests, crashes);
	if (is("killed-early"))
		tcase_add_checked_fixture(tests, kill_itself, NULL);
	if (is("hangs") || is("hangs-twice"))
		tcase_add_test(tests, hangs);
	if (is("waits") || is("hangs-twice"))
		tcase_add_test(tests, waits);
}

int main(int argc, char **argv)
{
	Suite *suite = suite_create("user's <own> tests");
	Suite *other = suite_create("another");
	TCase *tests = tcase_create("first"), *more = tcase_create("second");
	TCase *again = tcase_create("first");
	SRunner *runner;
	int failed;

	mode = argc > 1 ? argv[1] : "good";
	if (is("crashes-before"))
		raise(SIGSEGV);
	if (is("hangs-before"))
		pause();
	if (is("writes-nothing"))
		return EXIT_SUCCESS;
	tcase_set_timeout(tests, 1);
	add_tests(tests);
	suite_add_tcase(suite, tests);
	if (is("shared") || is("fixture"))
		tcase_add_test(more, makes_a_buffer);
	if (is("fixture"))
		tcase_add_unchecked_fixture(more, bad_fixture, NULL);
	suite_add_tcase(suite, more);
	if (is("again")) {
		tcase_add_test(again, makes_a_buffer);
		tcase_add_test(again, fails);
		tcase_add_test(again, fails);
	}
	suite_add_tcase(other, again);
	runner = srunner_create(suite);
	srunner_add_suite(runner, other);
	if (is("leaves"))
		srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	if (is("lies"))
		return 3;
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
