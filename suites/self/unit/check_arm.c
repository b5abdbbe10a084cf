/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw.h in a process of its own, beneath the loader and the real layer:
 * what CLAW_FAULT arms, when it fails a test, and that no way out of its block
 * leaves a fault behind. The driver is the stub when it has been built, else
 * what the machine has.
 *
 * The file includes openclaw.h as a user does, with a CLAW_FAULT_FAIL that
 * returns: the failures are what is looked at.
 */
#include "config.h"

#include <check.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 300
static void note_failure(const char *file, int line, const char *message);
#define CLAW_FAULT_FAIL(file_, line_, message_) \
	note_failure(file_, line_, message_)
#include "faults/shared/openclaw.h"
#include "suites/self/lib/run_suite.h"

static char program[PATH_MAX];	/* this one */
static char scratch[] = "/tmp/check-arm.XXXXXX";

static unsigned int failures;
static int failure_line;
static char failure_file[256], failure_message[2 * CLAW_MESSAGE_MAX];

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;

static void note_failure(const char *file, int line, const char *message)
{
	failures++;
	failure_line = line;
	snprintf(failure_file, sizeof(failure_file), "%s", file);
	snprintf(failure_message, sizeof(failure_message), "%s", message);
}

static void ck_assert_failure(const char *text)
{
	ck_assert_uint_eq(failures, 1);
	ck_assert_msg(strstr(failure_message, text), "got \"%s\", expected "
		      "\"%s\" in it", failure_message, text);
}

/* What clCreateBuffer says now. */
static cl_int create(size_t bytes)
{
	cl_int err = CL_SUCCESS;
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL,
				    &err);

	if (mem)
		clReleaseMemObject(mem);
	ck_assert_int_eq(mem != NULL, err == CL_SUCCESS);
	return err;
}

static void setup(void)
{
	cl_int err;

	failures = 0;
	ck_assert_int_eq(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	ck_assert_int_eq(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
					&device, NULL), CL_SUCCESS);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	ck_assert_int_eq(err, CL_SUCCESS);
}

static void teardown(void)
{
	claw_disarm_all();
	clReleaseContext(context);
}

/* ---- arming */

START_TEST(arm__layer_is_there)
{
	ck_assert(claw_loaded());
}
END_TEST

START_TEST(fault__fires_in_its_block_and_not_after_it)
{
	cl_int inside = CL_SUCCESS;
	unsigned int runs = 0;

	ck_assert_int_eq(create(4096), CL_SUCCESS);
	CLAW_FAULT("clCreateBuffer:oom") {
		inside = create(4096);
		runs++;
	}
	ck_assert_int_eq(inside, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	ck_assert_uint_eq(runs, 1);
	ck_assert_int_eq(create(4096), CL_SUCCESS);
	ck_assert_uint_eq(failures, 0);
}
END_TEST

START_TEST(fault__when_counts_from_the_start_of_the_block)
{
	for (int round = 0; round < 3; round++) {
		create(4096);
		CLAW_FAULT("clCreateBuffer:oom:when=2") {
			ck_assert_int_eq(create(4096), CL_SUCCESS);
			ck_assert_int_eq(create(4096),
					 CL_MEM_OBJECT_ALLOCATION_FAILURE);
			ck_assert_int_eq(create(4096), CL_SUCCESS);
		}
	}
	ck_assert_uint_eq(failures, 0);
}
END_TEST

START_TEST(fault__conditions_are_heeded)
{
	CLAW_FAULT("clCreateBuffer:error=CL_OUT_OF_RESOURCES:above=8KiB") {
		ck_assert_int_eq(create(4096), CL_SUCCESS);
		ck_assert_int_eq(create(16384), CL_OUT_OF_RESOURCES);
	}
	ck_assert_uint_eq(failures, 0);
}
END_TEST

START_TEST(fault__nested_blocks_each_have_their_own)
{
	cl_uint count;

	CLAW_FAULT("clCreateBuffer:error=CL_OUT_OF_RESOURCES") {
		CLAW_FAULT("clGetDeviceIDs:error=CL_OUT_OF_HOST_MEMORY")
			ck_assert_int_eq(clGetDeviceIDs(platform,
				CL_DEVICE_TYPE_ALL, 0, NULL, &count),
				CL_OUT_OF_HOST_MEMORY);
		ck_assert_int_eq(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL,
						0, NULL, &count), CL_SUCCESS);
		ck_assert_int_eq(create(4096), CL_OUT_OF_RESOURCES);
	}
	ck_assert_uint_eq(failures, 0);
}
END_TEST

static void *create_elsewhere(void *ret_err)
{
	*(cl_int *)ret_err = create(4096);
	return NULL;
}

START_TEST(fault__fires_in_other_threads)
{
	cl_int err = CL_SUCCESS;
	pthread_t thread;

	CLAW_FAULT("clCreateBuffer:oom") {
		ck_assert_int_eq(pthread_create(&thread, NULL,
						create_elsewhere, &err), 0);
		pthread_join(thread, NULL);
	}
	ck_assert_int_eq(err, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	ck_assert_uint_eq(failures, 0);
}
END_TEST

/* The header's own calls are not the program's: a fault about
 * clGetPlatformIDs must not be set off by asking whether it fired. */
START_TEST(fault__header_does_not_set_it_off)
{
	CLAW_FAULT("@any:error=CL_OUT_OF_HOST_MEMORY")
		(void)claw_loaded();
	ck_assert_failure("never fired");
}
END_TEST

/* ---- failing */

START_TEST(fault__that_never_fires_fails_the_test)
{
	int line = 0;

	CLAW_FAULT("clCreateBuffer:oom:when=2") { line = __LINE__;
		create(4096);
	}
	ck_assert_failure("\"clCreateBuffer:oom:when=2\"");
	ck_assert_failure("never fired");
	ck_assert_int_eq(failure_line, line);
	ck_assert_str_eq(failure_file, __FILE__);
}
END_TEST

static const struct {
	const char *rule, *message;
} refused[] = {
	{ "", "column 1:" },
	{ "clCreateBufer:oom", "clCreateBufer" },
	{ "clCreateBuffer", "expected" },
	{ "clCreateBuffer:oom:oom", "column" },
	{ "clCreateBuffer:error=CL_INVALID_EVENT", "CL_INVALID_EVENT" },
	{ "clCreateBuffer:delay=5", "unit" },
	{ "clCreateBuffer:oom:at=main", "at=" },
};

START_TEST(fault__that_is_refused_fails_the_test_and_leaves_the_block_out)
{
	bool ran = false;

	CLAW_FAULT(refused[_i].rule)
		ran = true;
	ck_assert(!ran);
	ck_assert_failure(refused[_i].message);
	ck_assert_failure("CLAW_FAULT(");
	ck_assert_int_eq(create(4096), CL_SUCCESS);
}
END_TEST

/* ---- leaving the block */

START_TEST(fault__break_disarms)
{
	CLAW_FAULT("clCreateBuffer:oom") {
		create(4096);
		if (failures == 0)
			break;
		ck_abort_msg("after the break");
	}
	ck_assert_int_eq(create(4096), CL_SUCCESS);
	ck_assert_uint_eq(failures, 0);
}
END_TEST

START_TEST(fault__break_before_it_fired_fails_the_test)
{
	CLAW_FAULT("clCreateBuffer:oom")
		break;
	ck_assert_failure("never fired");
	ck_assert_int_eq(create(4096), CL_SUCCESS);
}
END_TEST

START_TEST(fault__continue_ends_the_block)
{
	unsigned int runs = 0;

	CLAW_FAULT("clCreateBuffer:oom") {
		runs++;
		create(4096);
		continue;
	}
	ck_assert_uint_eq(runs, 1);
	ck_assert_int_eq(create(4096), CL_SUCCESS);
	ck_assert_uint_eq(failures, 0);
}
END_TEST

static int leave_by_return(bool create_first)
{
	CLAW_FAULT("clCreateBuffer:oom") {
		if (create_first)
			create(4096);
		return 1;
	}
	return 2;
}

START_TEST(fault__return_disarms)
{
	ck_assert_int_eq(leave_by_return(true), 1);
	ck_assert_int_eq(create(4096), CL_SUCCESS);
	ck_assert_uint_eq(failures, 0);
}
END_TEST

START_TEST(fault__return_before_it_fired_fails_the_test)
{
	ck_assert_int_eq(leave_by_return(false), 1);
	ck_assert_failure("never fired");
	ck_assert_int_eq(create(4096), CL_SUCCESS);
}
END_TEST

START_TEST(fault__goto_disarms)
{
	CLAW_FAULT("clCreateBuffer:oom") {
		create(4096);
		goto out;
	}
out:
	ck_assert_int_eq(create(4096), CL_SUCCESS);
	ck_assert_uint_eq(failures, 0);
}
END_TEST

/* ---- by hand */

START_TEST(arm__counts_and_disarms)
{
	char error[CLAW_MESSAGE_MAX] = "";
	int id = claw_arm("clCreateBuffer:oom:when=2..", error, sizeof(error));

	ck_assert_msg(id >= 0, "%s", error);
	ck_assert_uint_eq(claw_fired(id), 0);
	for (int i = 0; i < 4; i++)
		create(4096);
	ck_assert_uint_eq(claw_fired(id), 3);
	ck_assert_int_eq(claw_disarm(id), 0);
	ck_assert_int_eq(create(4096), CL_SUCCESS);
	ck_assert_uint_eq(claw_fired(id), 3);
}
END_TEST

START_TEST(arm__same_rule_again_counts_from_zero)
{
	for (int round = 0; round < 1000; round++) {
		int id = claw_arm("clCreateBuffer:oom:when=1", NULL, 0);

		ck_assert_int_ge(id, 0);
		ck_assert_uint_eq(claw_fired(id), 0);
		ck_assert_int_ne(create(4096), CL_SUCCESS);
		ck_assert_int_eq(create(4096), CL_SUCCESS);
		ck_assert_uint_eq(claw_fired(id), 1);
		claw_disarm(id);
	}
}
END_TEST

START_TEST(arm__disarm_all_takes_what_a_longjmp_left)
{
	int first = claw_arm("clCreateBuffer:oom", NULL, 0);
	int second = claw_arm("clCreateContext:error=CL_OUT_OF_HOST_MEMORY",
			      NULL, 0);

	ck_assert_int_ge(first, 0);
	ck_assert_int_ge(second, 0);
	ck_assert_int_ne(create(4096), CL_SUCCESS);
	claw_disarm_all();
	ck_assert_int_eq(create(4096), CL_SUCCESS);
}
END_TEST

START_TEST(arm__ids_that_are_none_do_no_harm)
{
	static const int none[] = { -1, INT_MIN, 100000, INT_MAX };

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		ck_assert_uint_eq(claw_fired(none[i]), 0);
		(void)claw_disarm(none[i]);
	}
	ck_assert_int_eq(claw_disarm(-1), -1);
	ck_assert_int_eq(create(4096), CL_SUCCESS);
}
END_TEST

START_TEST(arm__message_is_cut_to_its_room)
{
	char error[9] = "xxxxxxxx";

	ck_assert_int_eq(claw_arm("nonsense", error, 4), -1);
	ck_assert_uint_eq(strlen(error), 3);
	ck_assert_int_eq(error[4], 'x');
	ck_assert_int_eq(claw_arm("nonsense", NULL, 0), -1);
	ck_assert_int_eq(claw_arm(NULL, error, sizeof(error)), -1);
}
END_TEST

START_TEST(arm__too_many_rules_are_refused)
{
	char rule[128], error[CLAW_MESSAGE_MAX] = "";
	int id = 0, last = -1;

	for (int i = 0; id >= 0 && i < 10 * CLAW_IDS_MAX; i++) {
		snprintf(rule, sizeof(rule), "clCreateBuffer:oom:when=%d",
			 1000000 + i);
		last = id;
		id = claw_arm(rule, error, sizeof(error));
	}
	ck_assert_int_eq(id, -1);
	ck_assert_int_eq(last, CLAW_IDS_MAX - 1);
	ck_assert_ptr_nonnull(strstr(error, "room"));
	ck_assert_int_eq(create(4096), CL_SUCCESS);
}
END_TEST

/* ---- other processes */

/* Run this program again as ROLE, the layer in it or not; its status. */
static int run_again(const char *role, bool with_layer)
{
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		if (!with_layer) {
			unsetenv("OPENCL_LAYERS");
			unsetenv("OPENCLAW_LAYERS");
		}
		execl(program, program, role, (char *)NULL);
		_exit(98);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* The roles: 0 when it is as it should be. */
static int play_without_layer(void)
{
	char error[CLAW_MESSAGE_MAX] = "";
	bool ran = false;

	if (claw_loaded())
		return 1;
	CLAW_FAULT("clCreateBuffer:oom")
		ran = true;
	if (ran || failures != 1)
		return 2;
	if (!strstr(failure_message, "layer is not loaded"))
		return 3;
	if (claw_arm("clCreateBuffer:oom", error, sizeof(error)) != -1 ||
	    !strstr(error, "layer is not loaded"))
		return 4;
	if (claw_fired(0) != 0 || claw_disarm(0) != -1)
		return 5;
	return 0;
}

static int play_without_platform(void)
{
	bool ran = false;

	CLAW_FAULT("clCreateBuffer:oom")
		ran = true;
	if (ran || failures != 1)
		return 2;
	return strstr(failure_message, "no OpenCL platform") ? 0 : 3;
}

START_TEST(fault__without_the_layer_fails_the_test)
{
	ck_assert_int_eq(run_again("without-layer", false), 0);
}
END_TEST

START_TEST(fault__without_a_platform_fails_the_test)
{
	char empty[PATH_MAX];

	snprintf(empty, sizeof(empty), "%s/none", scratch);
	setenv("OCL_ICD_VENDORS", empty, 1);
	ck_assert_int_eq(run_again("without-platform", true), 0);
}
END_TEST

/* ---- */

static Suite *make_suite(void)
{
	Suite *suite = suite_create("arm");
	TCase *tcase = tcase_create("in_process");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, arm__layer_is_there);
	tcase_add_test(tcase, fault__fires_in_its_block_and_not_after_it);
	tcase_add_test(tcase, fault__when_counts_from_the_start_of_the_block);
	tcase_add_test(tcase, fault__conditions_are_heeded);
	tcase_add_test(tcase, fault__nested_blocks_each_have_their_own);
	tcase_add_test(tcase, fault__fires_in_other_threads);
	tcase_add_test(tcase, fault__header_does_not_set_it_off);
	tcase_add_test(tcase, fault__that_never_fires_fails_the_test);
	tcase_add_loop_test(tcase,
		fault__that_is_refused_fails_the_test_and_leaves_the_block_out,
		0, sizeof(refused) / sizeof(*refused));
	tcase_add_test(tcase, fault__break_disarms);
	tcase_add_test(tcase, fault__break_before_it_fired_fails_the_test);
	tcase_add_test(tcase, fault__continue_ends_the_block);
	tcase_add_test(tcase, fault__return_disarms);
	tcase_add_test(tcase, fault__return_before_it_fired_fails_the_test);
	tcase_add_test(tcase, fault__goto_disarms);
	tcase_add_test(tcase, arm__counts_and_disarms);
	tcase_add_test(tcase, arm__same_rule_again_counts_from_zero);
	tcase_add_test(tcase, arm__disarm_all_takes_what_a_longjmp_left);
	tcase_add_test(tcase, arm__ids_that_are_none_do_no_harm);
	tcase_add_test(tcase, arm__message_is_cut_to_its_room);
	tcase_add_test(tcase, arm__too_many_rules_are_refused);
	suite_add_tcase(suite, tcase);

	tcase = tcase_create("other_process");
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, fault__without_the_layer_fails_the_test);
	tcase_add_test(tcase, fault__without_a_platform_fails_the_test);
	suite_add_tcase(suite, tcase);
	return suite;
}

/* Point the loader at the layer and the stub beside the openclaw under test,
 * before OpenCL's first call. False when that cannot be done. */
static bool set_environment(void)
{
	const char *openclaw = getenv("OPENCLAW");
	const char *slash = openclaw ? strrchr(openclaw, '/') : NULL;
	int length = slash ? (int)(slash - openclaw) : 1;
	char path[PATH_MAX], real[PATH_MAX], name[64];
	FILE *icd;

	if (!slash)
		openclaw = ".";
	snprintf(path, sizeof(path), "%.*s/libopenclaw-layer.so", length,
		 openclaw);
	if (!realpath(path, real))
		return false;
	setenv("OPENCL_LAYERS", real, 1);
	unsetenv("OPENCLAW_LAYERS");
	unsetenv("OPENCLAW_SESSION");
	unsetenv("OPENCLAW_FAULTS");

	if (!mkdtemp(scratch))
		return false;
	snprintf(path, sizeof(path), "%s/none", scratch);
	if (mkdir(path, 0700) < 0)
		return false;
	snprintf(path, sizeof(path), "%.*s/suites/self/driver/stub_icd.so", length,
		 openclaw);
	if (!realpath(path, real))
		return true;
	snprintf(name, sizeof(name), "%s/stub.icd", scratch);
	icd = fopen(name, "w");
	if (!icd || fprintf(icd, "%s\n", real) < 0 || fclose(icd) != 0)
		return false;
	setenv("OCL_ICD_VENDORS", name, 1);
	return true;
}

static void clear_scratch(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/stub.icd", scratch);
	unlink(path);
	snprintf(path, sizeof(path), "%s/none", scratch);
	rmdir(path);
	rmdir(scratch);
}

int main(int argc, char **argv)
{
	ssize_t length = readlink("/proc/self/exe", program,
				  sizeof(program) - 1);
	int failed;

	if (argc > 1)
		return strcmp(argv[1], "without-layer") == 0 ?
			play_without_layer() : play_without_platform();
	if (length < 0 || !set_environment()) {
		fprintf(stderr, "check_arm: no layer beside $OPENCLAW, or no "
			"scratch directory\n");
		return 99;
	}
	failed = run_suite(make_suite());
	clear_scratch();
	return failed;
}
