/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose code a fatal signal was met in, and what that makes of the end: with
 * journals made by hand, of crashes in a driver, its threads, a kernel, the
 * program, and of one that nobody could write down.
 */
#include "config.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/crash/facts/crash.h"
#include "harness/readers/symbolize.h"
#include "suites/self/lib/found_maker.h"
#include "suites/self/lib/journal_maker.h"
#include "suites/self/lib/trace_maker.h"
#include "suites/self/lib/run_suite.h"

static const char libc[] = "/lib/libc.so.6", pocl[] = "/lib/libpocl.so.2.10.0",
	kernel_file[] = "/cache/GK/store/256-1-1/store.so",
	program_file[] = "/nowhere/program";

static struct made_trace made;
static struct made_journal made_it;
static struct made_found found;
static struct claw_crash crash;
static claw_object_id queue, kernel;

static const char source[] = "kernel void store(global int *v) { v[0] = 7; }";

static void setup(void)
{
	memset(&crash, 0, sizeof(crash));
	made_journal_init(&made_it);
	made_init(&made, "signal", -SIGSEGV);
	made_create(&made, CLAW_API_clCreateContext, 0);
	queue = made_create(&made, CLAW_API_clCreateCommandQueue, 0);
	kernel = made_kernel(&made, source, "store");
}

static void teardown(void)
{
	claw_crash_release(&crash);
	claw_journal_free(made.dump.journal);
	made_release(&made);
}

static struct claw_trace_call *launch(void)
{
	claw_object_id mem = made_create(&made, CLAW_API_clCreateBuffer, 4096);
	struct claw_trace_call *call = made_launch(&made, queue, kernel, 64, 0);

	made_kernel_arg(call, mem);
	return call;
}

/* A call that its thread had not come back from; its number. */
static uint32_t is_in(enum claw_api api, uint32_t thread)
{
	struct claw_trace_call *call = made_call(&made, api, 0);

	if (api == CLAW_API_clFinish)
		made_use(call, "command_queue", queue);
	call->returned = false;
	call->thread = thread;
	return made_number(&made, call);
}

static void find(enum claw_crash_class kind, const char *signature)
{
	made.dump.journal = made_journal_read(&made_it);
	ck_assert_ptr_nonnull(made.dump.journal);
	claw_crash_find(&made.dump, &crash);
	ck_assert_str_eq(claw_crash_kind_name(crash.kind),
			 claw_crash_kind_name(kind));
	ck_assert_str_eq(crash.signature, signature);
}

/* ---- nobody could write it down --------------------------------------- */

/* A launch was under way, and the call only waits for it. */
START_TEST(last_words__none_in_a_wait_is_the_launchs)
{
	launch();
	is_in(CLAW_API_clFinish, 1);
	find(CLAW_CRASH_GPU, "gpu-crash in store");
	ck_assert_uint_eq(crash.percent, 70);
}
END_TEST

START_TEST(last_words__none_in_a_launch_is_the_launchs)
{
	launch()->returned = false;
	find(CLAW_CRASH_GPU, "gpu-crash in store");
}
END_TEST

START_TEST(last_words__none_in_another_call_is_that_calls)
{
	launch();
	is_in(CLAW_API_clBuildProgram, 1);
	find(CLAW_CRASH_DRIVER, "driver-crash SIGSEGV in clBuildProgram");
	ck_assert_uint_eq(crash.percent, 90);
}
END_TEST

START_TEST(last_words__none_without_a_launch_is_the_waits)
{
	is_in(CLAW_API_clFinish, 1);
	find(CLAW_CRASH_DRIVER, "driver-crash SIGSEGV in clFinish");
}
END_TEST

/* It says that the thread was in the call when it crashed. */
START_TEST(last_words__of_the_waiting_thread_are_the_waits)
{
	launch();
	is_in(CLAW_API_clFinish, 1);
	made_frame(&made_it, libc);
	made_frame(&made_it, pocl);
	made_crash(&made_it, SIGSEGV, 1);
	find(CLAW_CRASH_DRIVER, "driver-crash SIGSEGV in clFinish");
	ck_assert_uint_eq(crash.percent, 90);
}
END_TEST

/* ---- threads of the driver -------------------------------------------- */

START_TEST(worker__with_a_launch_under_way_is_the_launchs)
{
	launch();
	is_in(CLAW_API_clFinish, 1);
	made_frame(&made_it, pocl);
	made_crash(&made_it, SIGSEGV, 0);
	find(CLAW_CRASH_GPU, "gpu-crash in store");
	ck_assert_uint_eq(crash.percent, 70);
}
END_TEST

START_TEST(worker__without_a_launch_is_the_drivers)
{
	is_in(CLAW_API_clFinish, 1);
	made_frame(&made_it, pocl);
	made_crash(&made_it, SIGSEGV, 0);
	find(CLAW_CRASH_DRIVER,
	     "driver-crash SIGSEGV in a thread of the driver");
	ck_assert_uint_eq(crash.percent, 70);
}
END_TEST

/* ---- whose frames ----------------------------------------------------- */

/* In no call: the first frame that is nobody's library tells. */
static const struct whose {
	const char *frames[3];
	enum claw_crash_class kind;
	const char *signature;
} whose[] = {
	{ { libc, pocl, program_file }, CLAW_CRASH_DRIVER,
	  "driver-crash SIGSEGV in a thread of the driver" },
	{ { libc, "/opt/libLLVM-15.so.1", NULL }, CLAW_CRASH_DRIVER,
	  "driver-crash SIGSEGV in a thread of the driver" },
	{ { libc, program_file, pocl }, CLAW_CRASH_SIGNAL,
	  "signal SIGSEGV in program < libpocl.so.2.10.0" },
	{ { kernel_file, pocl, NULL }, CLAW_CRASH_GPU, "gpu-crash in store" },
	{ { "/h/.cache/pocl/kcache/tempfile.so", NULL, NULL }, CLAW_CRASH_GPU,
	  "gpu-crash in store" },
	{ { "/opt/store/256-1-1/other.so", NULL, NULL }, CLAW_CRASH_SIGNAL,
	  "signal SIGSEGV in other.so" },
};

START_TEST(frame__says_whose_code_it_was)
{
	const struct whose *w = &whose[_i];

	launch();
	for (size_t i = 0; i < 3 && w->frames[i]; i++)
		made_frame(&made_it, w->frames[i]);
	made_crash(&made_it, SIGSEGV, 1);
	find(w->kind, w->signature);
}
END_TEST

/* What pocl compiles for a launch and takes away again. */
START_TEST(frame__of_no_file_is_a_kernels)
{
	launch();
	is_in(CLAW_API_clFinish, 1);
	made_frame(&made_it, NULL);
	made_crash(&made_it, SIGSEGV, 0);
	find(CLAW_CRASH_GPU, "gpu-crash in store");
	ck_assert_uint_eq(crash.percent, 90);
}
END_TEST

static const struct cut {
	const char *symbol, *name;
} cuts[] = {
	{ "new_ints.isra.0", "new_ints" }, { "f.constprop.0.isra.0", "f" },
	{ "f.part.1.cold", "f" }, { "f.lto_priv.3", "f" },
	{ "start@@GLIBC_2.34", "start" }, { "f(int) [clone .isra.0]", "f(int)" },
	{ "plain", "plain" }, { "a.partner", "a.partner" }, { "@", "@" },
	{ ".cold", ".cold" }, { "", "" },
};

START_TEST(name__is_what_the_programmer_wrote)
{
	char name[64];

	snprintf(name, sizeof(name), "%s", cuts[_i].symbol);
	claw_symbol_cut(name);
	ck_assert_str_eq(name, cuts[_i].name);
}
END_TEST

/* ---- two threads wait ------------------------------------------------- */

START_TEST(wait__of_the_thread_that_crashed)
{
	uint32_t own = is_in(CLAW_API_clFinish, 1);

	is_in(CLAW_API_clWaitForEvents, 2);
	made_frame(&made_it, pocl);
	made_crash(&made_it, SIGSEGV, 1);
	find(CLAW_CRASH_DRIVER, "driver-crash SIGSEGV in clFinish");
	ck_assert_uint_eq(crash.call, own);
}
END_TEST

START_TEST(wait__the_last_where_no_thread_of_theirs_did)
{
	uint32_t last;

	launch();
	is_in(CLAW_API_clFinish, 1);
	last = is_in(CLAW_API_clWaitForEvents, 2);
	made_frame(&made_it, kernel_file);
	made_crash(&made_it, SIGSEGV, 0);
	find(CLAW_CRASH_GPU, "gpu-crash in store");
	ck_assert_uint_eq(crash.call, last);
}
END_TEST

START_TEST(wait__of_others_is_not_a_third_threads_end)
{
	is_in(CLAW_API_clFinish, 1);
	is_in(CLAW_API_clWaitForEvents, 2);
	made_frame(&made_it, program_file);
	made_crash(&made_it, SIGSEGV, 3);
	find(CLAW_CRASH_SIGNAL, "signal SIGSEGV in program");
	ck_assert_uint_eq(crash.call, 0);
}
END_TEST

/* ---- what the layer found --------------------------------------------- */

START_TEST(found__a_sure_one_is_the_first_cause)
{
	made_found_init(&found);
	made_found_add(&found, CLAW_FOUND_USE_RELEASED, "buffer");
	found.entries[0].sure = CLAW_SURE_CERTAIN;
	made.dump.found = &found;
	made.dump.found_size = sizeof(found);
	launch();
	is_in(CLAW_API_clFinish, 1);
	find(CLAW_CRASH_GPU, "gpu-crash in store");
	ck_assert_uint_gt(crash.cause_count, 0);
	ck_assert_ptr_nonnull(strstr(crash.causes[0].text,
				     "the layer reported an error before the end"));
	ck_assert_uint_eq(crash.causes[0].percent, 95);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("crash_ends");
	TCase *tests = tcase_create("crash_ends");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, last_words__none_in_a_wait_is_the_launchs);
	tcase_add_test(tests, last_words__none_in_a_launch_is_the_launchs);
	tcase_add_test(tests, last_words__none_in_another_call_is_that_calls);
	tcase_add_test(tests, last_words__none_without_a_launch_is_the_waits);
	tcase_add_test(tests, last_words__of_the_waiting_thread_are_the_waits);
	tcase_add_test(tests, worker__with_a_launch_under_way_is_the_launchs);
	tcase_add_test(tests, worker__without_a_launch_is_the_drivers);
	tcase_add_loop_test(tests, frame__says_whose_code_it_was, 0,
			    sizeof(whose) / sizeof(*whose));
	tcase_add_test(tests, frame__of_no_file_is_a_kernels);
	tcase_add_loop_test(tests, name__is_what_the_programmer_wrote, 0,
			    sizeof(cuts) / sizeof(*cuts));
	tcase_add_test(tests, wait__of_the_thread_that_crashed);
	tcase_add_test(tests, wait__the_last_where_no_thread_of_theirs_did);
	tcase_add_test(tests, wait__of_others_is_not_a_third_threads_end);
	tcase_add_test(tests, found__a_sure_one_is_the_first_cause);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
