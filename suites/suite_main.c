/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main() of suite programs: choose the device, run the tests of one case
 * one after the other, and say in words and in the result file what each did.
 */
#include "config.h"

#include "suite_main.h"

#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "case_result.h"
#include "suite_device.h"

#ifndef CLAW_PKGDATADIR
#define CLAW_PKGDATADIR "/usr/local/share/openclaw"
#endif

enum {
	EXIT_HELD = 0, EXIT_FAILED = 1, EXIT_USAGE = 64, EXIT_SKIP = 77,
	EXIT_BROKEN = 99,
	MAX_TESTS = 256, MAX_PROGRAMS = 16,
	CHILD_SECONDS = 30,	/* for a test known to end its process */
};

struct claw_suite_device claw_dev;

static struct claw_suite_test tests[MAX_TESTS];
static size_t test_count;
static struct {
	char file[128];
	cl_program program;
} programs[MAX_PROGRAMS];
static size_t program_count;

static const struct {
	cl_int code;
	const char *name;
} code_names[] = {
#define CODE(code_) { code_, #code_ }
	CODE(CL_SUCCESS), CODE(CL_DEVICE_NOT_FOUND),
	CODE(CL_DEVICE_NOT_AVAILABLE), CODE(CL_COMPILER_NOT_AVAILABLE),
	CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE), CODE(CL_OUT_OF_RESOURCES),
	CODE(CL_OUT_OF_HOST_MEMORY), CODE(CL_PROFILING_INFO_NOT_AVAILABLE),
	CODE(CL_MEM_COPY_OVERLAP), CODE(CL_BUILD_PROGRAM_FAILURE),
	CODE(CL_MAP_FAILURE), CODE(CL_MISALIGNED_SUB_BUFFER_OFFSET),
	CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
	CODE(CL_INVALID_VALUE), CODE(CL_INVALID_PLATFORM),
	CODE(CL_INVALID_DEVICE), CODE(CL_INVALID_CONTEXT),
	CODE(CL_INVALID_QUEUE_PROPERTIES), CODE(CL_INVALID_COMMAND_QUEUE),
	CODE(CL_INVALID_HOST_PTR), CODE(CL_INVALID_MEM_OBJECT),
	CODE(CL_INVALID_SAMPLER), CODE(CL_INVALID_PROGRAM),
	CODE(CL_INVALID_PROGRAM_EXECUTABLE), CODE(CL_INVALID_KERNEL_NAME),
	CODE(CL_INVALID_KERNEL), CODE(CL_INVALID_ARG_INDEX),
	CODE(CL_INVALID_ARG_VALUE), CODE(CL_INVALID_ARG_SIZE),
	CODE(CL_INVALID_KERNEL_ARGS), CODE(CL_INVALID_WORK_DIMENSION),
	CODE(CL_INVALID_WORK_GROUP_SIZE), CODE(CL_INVALID_WORK_ITEM_SIZE),
	CODE(CL_INVALID_GLOBAL_OFFSET), CODE(CL_INVALID_EVENT_WAIT_LIST),
	CODE(CL_INVALID_EVENT), CODE(CL_INVALID_OPERATION),
	CODE(CL_INVALID_BUFFER_SIZE), CODE(CL_INVALID_GLOBAL_WORK_SIZE),
	CODE(CL_INVALID_PROPERTY),
#undef CODE
};

const char *claw_suite_code(cl_int code)
{
	static char texts[8][64];
	static unsigned int next;
	char *text = texts[next++ % 8];

	for (size_t i = 0; i < sizeof(code_names) / sizeof(*code_names); i++) {
		if (code_names[i].code == code) {
			snprintf(text, 64, "%s (%d)", code_names[i].name,
				 (int)code);
			return text;
		}
	}
	snprintf(text, 64, "%d", (int)code);
	return text;
}

void claw_suite_add(const char *in_case, const TTest *test)
{
	if (test_count == MAX_TESTS) {
		fputs("too many tests in this suite\n", stderr);
		exit(EXIT_BROKEN);
	}
	tests[test_count++] = (struct claw_suite_test){ in_case, test };
}

/* Checked fixture of every test: objects are opened where they are used. */
static void open_device(void)
{
	cl_int err = CL_SUCCESS;

	claw_dev.context = clCreateContext(NULL, 1, &claw_dev.device, NULL,
					   NULL, &err);
	claw_expect_code("clCreateContext", err, CL_SUCCESS);
	claw_dev.queue = clCreateCommandQueue(claw_dev.context,
					      claw_dev.device, 0, &err);
	claw_expect_code("clCreateCommandQueue", err, CL_SUCCESS);
}

static void close_device(void)
{
	for (size_t i = 0; i < program_count; i++)
		clReleaseProgram(programs[i].program);
	program_count = 0;
	if (claw_dev.queue)
		clReleaseCommandQueue(claw_dev.queue);
	if (claw_dev.context)
		clReleaseContext(claw_dev.context);
	claw_dev.queue = NULL;
	claw_dev.context = NULL;
}

static bool join_readable(char *path, size_t size, const char *directory,
			  const char *below, const char *file)
{
	int length = snprintf(path, size, "%s%s/%s", directory, below, file);

	return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

/* This program's file, by name: under Valgrind /proc/self/exe can be read, but
 * not executed. */
static bool own_path(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);

	path[length > 0 ? length : 0] = '\0';
	return length > 0;
}

static void own_directory(char *path, size_t size)
{
	char *slash;

	if (!own_path(path, size))
		snprintf(path, size, "./");
	slash = strrchr(path, '/');
	if (slash && slash != path)
		*slash = '\0';
}

static bool find_kernel_file(const char *file, char *path, size_t size)
{
	const char *named = getenv("OPENCLAW_KERNELS");
	char own[PATH_MAX];

	if (named && *named)
		return join_readable(path, size, named, "", file);
	own_directory(own, sizeof(own));
	return join_readable(path, size, own, "/kernels", file) ||
	       join_readable(path, size, own, "/../kernels", file) ||
	       join_readable(path, size, own, "/../../kernels", file) ||
	       join_readable(path, size, CLAW_PKGDATADIR, "/kernels", file);
}

/* The file's text, malloced; NULL when it cannot be read. */
static char *read_text(const char *path)
{
	FILE *in = fopen(path, "rb");
	char *text = NULL;
	long length;

	if (!in)
		return NULL;
	if (fseek(in, 0, SEEK_END) == 0 && (length = ftell(in)) >= 0 &&
	    fseek(in, 0, SEEK_SET) == 0) {
		text = malloc((size_t)length + 1);
		if (text) {
			length = (long)fread(text, 1, (size_t)length, in);
			text[length] = '\0';
		}
	}
	fclose(in);
	return text;
}

static cl_program build_program(const char *file)
{
	char path[PATH_MAX];
	char log[2048] = "";
	cl_program program;
	cl_int err = CL_SUCCESS;
	char *source;

	if (!find_kernel_file(file, path, sizeof(path)))
		ck_abort_msg("kernel file %s not found (set OPENCLAW_KERNELS "
			     "to the directory kernels/)", file);
	source = read_text(path);
	if (!source)
		ck_abort_msg("%s: %s", path, strerror(errno));
	program = clCreateProgramWithSource(claw_dev.context, 1,
					    (const char **)&source, NULL,
					    &err);
	free(source);
	claw_expect_code("clCreateProgramWithSource", err, CL_SUCCESS);
	err = clBuildProgram(program, 1, &claw_dev.device, "", NULL, NULL);
	if (err != CL_SUCCESS) {
		clGetProgramBuildInfo(program, claw_dev.device,
				      CL_PROGRAM_BUILD_LOG, sizeof(log) - 1,
				      log, NULL);
		clReleaseProgram(program);
		ck_abort_msg("clBuildProgram of %s returned %s: %s", file,
			     claw_suite_code(err), log);
	}
	return program;
}

cl_kernel claw_suite_kernel(const char *file, const char *name)
{
	cl_program program = NULL;
	cl_int err = CL_SUCCESS;
	cl_kernel kernel;

	for (size_t i = 0; i < program_count; i++)
		if (strcmp(programs[i].file, file) == 0)
			program = programs[i].program;
	if (!program) {
		ck_assert_uint_lt(program_count, MAX_PROGRAMS);
		program = build_program(file);
		snprintf(programs[program_count].file,
			 sizeof(programs[program_count].file), "%s", file);
		programs[program_count++].program = program;
	}
	kernel = clCreateKernel(program, name, &err);
	claw_expect_code("clCreateKernel", err, CL_SUCCESS);
	ck_assert_ptr_nonnull(kernel);
	return kernel;
}

static const struct claw_suite_deviation *
find_for(const struct claw_suite *suite, const char *test, const char *driver)
{
	for (const struct claw_suite_deviation *d = suite->deviations;
	     d->test; d++)
		if (strcmp(d->test, test) == 0 &&
		    fnmatch(d->driver, driver, 0) == 0)
			return d;
	return NULL;
}

/* Behind "OpenCL 3.0 ": a model's words go with the number of the driver
 * beneath. */
static const char *behind_number(const char *version)
{
	unsigned int major, minor;
	int length = 0;

	return sscanf(version, "OpenCL %u.%u %n", &major, &minor,
		      &length) == 2 && length > 0 ? version + length : version;
}

/* Of what a model shows, the words of the version are enough. */
static const struct claw_suite_deviation *
find_shown(const struct claw_suite *suite, const char *test)
{
	char version[256], pattern[256];

	claw_device_text(claw_dev.device, CL_DEVICE_VERSION, version,
			 sizeof(version));
	for (const struct claw_suite_deviation *d = suite->deviations;
	     d->test; d++) {
		const char *end = strstr(d->driver, ", driver");

		snprintf(pattern, sizeof(pattern), "%.*s",
			 end ? (int)(end - d->driver) :
			 (int)strlen(d->driver), d->driver);
		if (strcmp(d->test, test) == 0 &&
		    fnmatch(behind_number(pattern), behind_number(version),
			    0) == 0)
			return d;
	}
	return NULL;
}

/*
 * Deviations are the driver's, whatever a model shows. A model may have those
 * of the driver that it shows, too; which of them is its own matter
 * (is_shown): the driver beneath may well do it right.
 */
static const struct claw_suite_deviation *
find_deviation(const struct claw_suite *suite, const char *test,
	       bool *ret_is_shown)
{
	const struct claw_suite_deviation *found;
	char version[256], driver[256], both[sizeof(version) + 300];

	*ret_is_shown = false;
	if (!suite->deviations)
		return NULL;
	claw_device_text_beneath(claw_dev.device, CL_DEVICE_VERSION, version,
				 sizeof(version));
	claw_device_text_beneath(claw_dev.device, CL_DRIVER_VERSION, driver,
				 sizeof(driver));
	snprintf(both, sizeof(both), "%s, driver %s", version, driver);
	found = find_for(suite, test, both);
	if (found || !claw_device_is_model(claw_dev.device))
		return found;
	*ret_is_shown = true;
	return find_shown(suite, test);
}

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

/* What one test did. */
struct outcome {
	const char *word;	/* PASSED FAILED XFAIL XPASS NOTRUN */
	char place[512];	/* "file:line", or "" */
	char message[4096];
};

static bool is_word(const struct outcome *outcome, const char *word)
{
	return strcmp(outcome->word, word) == 0;
}

/* Run one test alone in this process; word is PASSED, FAILED or NOTRUN. */
static void run_here(const struct claw_suite *suite, const TTest *test,
		     struct outcome *outcome)
{
	Suite *check_suite = suite_create(suite->name);
	TCase *tcase = tcase_create(test->name);
	TestResult **failures;
	SRunner *runner;

	tcase_set_timeout(tcase, 0);	/* the host watches the time */
	tcase_add_checked_fixture(tcase, open_device, close_device);
	tcase_add_test(tcase, test);
	suite_add_tcase(check_suite, tcase);
	runner = srunner_create(check_suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_SILENT);
	if (srunner_ntests_failed(runner) > 0) {
		failures = srunner_failures(runner);
		outcome->word = "FAILED";
		snprintf(outcome->message, sizeof(outcome->message), "%s",
			 tr_msg(failures[0]));
		snprintf(outcome->place, sizeof(outcome->place), "%s:%d",
			 tr_lfile(failures[0]), tr_lno(failures[0]));
		free(failures);
	} else if (srunner_ntests_run(runner) != 1) {
		outcome->word = "NOTRUN";
		snprintf(outcome->message, sizeof(outcome->message),
			 "libcheck did not run it");
	} else {
		outcome->word = "PASSED";
	}
	srunner_free(runner);
}

/* Run one test in a process of its own, with no checker over it: openclaw
 * tells Valgrind to leave alone what has this word in its arguments. */
static void run_apart(const TTest *test, struct outcome *outcome)
{
	char option[] = "--unchecked-test", *name = strdup(test->name);
	char path[PATH_MAX];
	char *argv[] = { program_invocation_name, option, name, NULL };
	pid_t child;
	int status = 0;

	outcome->word = "NOTRUN";
	unsetenv("OPENCLAW_CASE_RESULT");
	unsetenv("OCLGRIND_LOG");
	fflush(stdout);
	if (!name || !own_path(path, sizeof(path)) ||
	    posix_spawn(&child, path, NULL, NULL, argv, environ) ||
	    waitpid(child, &status, 0) != child)
		snprintf(outcome->message, sizeof(outcome->message),
			 "cannot start a process for it");
	else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_HELD)
		outcome->word = "PASSED";
	else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_USAGE)
		snprintf(outcome->message, sizeof(outcome->message),
			 "its process did not know it");
	else {
		outcome->word = "FAILED";
		snprintf(outcome->message, sizeof(outcome->message),
			 "its process ended with %s %d",
			 WIFSIGNALED(status) ? "signal" : "status",
			 WIFSIGNALED(status) ? WTERMSIG(status) :
			 WEXITSTATUS(status));
	}
	free(name);
}

/* The word for what was seen where a deviation is known. */
static void judge_deviation(const struct claw_suite_deviation *deviation,
			    bool is_shown, struct outcome *outcome)
{
	if (strcmp(outcome->word, "FAILED") == 0) {
		outcome->word = "XFAIL";
	} else if (is_shown) {
		return;
	} else if (strcmp(outcome->word, "PASSED") == 0) {
		outcome->word = deviation->ends_process ? "XFAIL" : "XPASS";
		snprintf(outcome->message, sizeof(outcome->message), "%s",
			 deviation->ends_process ? "held this time" :
			 "held, although this driver is known to fail it: "
			 "remove the deviation");
	}
}

static void run_test(const struct claw_suite *suite, const TTest *test,
		     struct outcome *outcome)
{
	bool is_shown;
	const struct claw_suite_deviation *deviation =
		find_deviation(suite, test->name, &is_shown);
	uint64_t start = now_us();
	char took[32];

	memset(outcome, 0, sizeof(*outcome));
	if (deviation && deviation->ends_process && !is_shown)
		run_apart(test, outcome);
	else
		run_here(suite, test, outcome);
	if (deviation)
		judge_deviation(deviation, is_shown, outcome);
	if (is_word(outcome, "PASSED"))
		deviation = NULL;	/* of a model that is without it */
	snprintf(took, sizeof(took), "%" PRIu64, now_us() - start);
	printf("%-6s %s\n", outcome->word, test->name);
	if (*outcome->message)
		printf("%s%s%s\n", outcome->place,
		       *outcome->place ? ": " : "", outcome->message);
	if (deviation)
		printf("known deviation: %s\n", deviation->reason);
	fflush(stdout);
	claw_case_result_line("test", test->name, outcome->word, took,
			      outcome->place, outcome->message,
			      deviation ? deviation->reason : "", NULL);
}

/* --unchecked-test NAME: the child of run_apart(). */
static int run_one(const struct claw_suite *suite, const char *name)
{
	static const struct rlimit no_core = { 0, 0 };
	const char *why = claw_device_find(&claw_dev.platform, &claw_dev.device);
	struct outcome outcome;

	memset(&outcome, 0, sizeof(outcome));
	if (why) {
		printf("SKIPPED %s: %s\n", name, why);
		return EXIT_SKIP;
	}
	claw_dev.version = claw_device_version(claw_dev.device);
	for (size_t i = 0; i < test_count; i++) {
		if (strcmp(tests[i].test->name, name) != 0)
			continue;
		setrlimit(RLIMIT_CORE, &no_core);
		alarm(CHILD_SECONDS);
		run_here(suite, tests[i].test, &outcome);
		if (*outcome.message)
			fprintf(stderr, "%s: %s\n", outcome.place,
				outcome.message);
		return is_word(&outcome, "PASSED") ? EXIT_HELD : EXIT_FAILED;
	}
	fprintf(stderr, "check_%s: no test %s\n", suite->name, name);
	return EXIT_USAGE;
}

static int run_case(const struct claw_suite *suite, const char *name)
{
	unsigned int run = 0, bad = 0, deviations = 0;
	const char *why = claw_device_find(&claw_dev.platform, &claw_dev.device);
	char run_text[16], bad_text[16];

	claw_case_result_line("case", suite->name, name, NULL);
	if (why) {
		printf("SKIPPED %s: %s\n", name, why);
		claw_case_result_line("skip", why, NULL);
		return EXIT_SKIP;
	}
	claw_device_say(claw_dev.platform, claw_dev.device);
	claw_dev.version = claw_device_version(claw_dev.device);
	for (size_t i = 0; i < test_count; i++) {
		struct outcome outcome;

		if (strcmp(tests[i].in_case, name) != 0)
			continue;
		run_test(suite, tests[i].test, &outcome);
		run++;
		deviations += is_word(&outcome, "XFAIL");
		bad += !is_word(&outcome, "PASSED") &&
		       !is_word(&outcome, "XFAIL");
	}
	if (run == 0) {
		printf("%s holds no test\n", name);
		return EXIT_BROKEN;
	}
	snprintf(run_text, sizeof(run_text), "%u", run);
	snprintf(bad_text, sizeof(bad_text), "%u", bad);
	claw_case_result_line("end", name, run_text, bad_text, NULL);
	printf("%s: %u tests run, %u failed, %u known deviations\n", name, run,
	       bad, deviations);
	return bad ? EXIT_FAILED : EXIT_HELD;
}

static bool is_case(const struct claw_suite *suite, const char *name)
{
	for (const char *const *c = suite->cases; *c; c++)
		if (strcmp(*c, name) == 0)
			return true;
	return false;
}

/* A test whose case is misspelt would never run. */
static void check_registration(const struct claw_suite *suite)
{
	for (size_t i = 0; i < test_count; i++) {
		if (!is_case(suite, tests[i].in_case)) {
			fprintf(stderr, "%s: %s is in no case of %s\n",
				tests[i].test->name, tests[i].in_case,
				suite->name);
			exit(EXIT_BROKEN);
		}
	}
}

/* All cases, one process after the other, for a person without openclaw. */
static int run_all(const struct claw_suite *suite)
{
	int worst = EXIT_HELD;

	for (const char *const *c = suite->cases; *c; c++) {
		int status = run_case(suite, *c);

		if (status == EXIT_SKIP)
			return status;
		if (status > worst)
			worst = status;
	}
	return worst;
}

static int usage(const struct claw_suite *suite, FILE *out, int status)
{
	fprintf(out, "usage: check_%s [--list | --case NAME | --test NAME]\n"
		"Without an option every case runs.\n", suite->name);
	return status;
}

int claw_suite_main(const struct claw_suite *suite, int argc, char **argv)
{
	static const struct option options[] = {
		{ "list", no_argument, NULL, 'l' },
		{ "case", required_argument, NULL, 'c' },
		{ "test", required_argument, NULL, 't' },
		{ "unchecked-test", required_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	const char *name = NULL, *test_name = NULL;
	int letter, status;

	suite->add_tests();
	check_registration(suite);
	while ((letter = getopt_long(argc, argv, "lc:t:h", options, NULL)) != -1) {
		switch (letter) {
		case 'l':
			for (const char *const *c = suite->cases; *c; c++)
				puts(*c);
			return EXIT_HELD;
		case 'c':
			name = optarg;
			break;
		case 't':
			test_name = optarg;
			break;
		case 'h':
			return usage(suite, stdout, EXIT_HELD);
		default:
			return usage(suite, stderr, EXIT_USAGE);
		}
	}
	if (optind < argc)
		return usage(suite, stderr, EXIT_USAGE);
	if (name && !is_case(suite, name)) {
		fprintf(stderr, "check_%s: no case %s\n", suite->name, name);
		return EXIT_USAGE;
	}
	if (test_name)
		return run_one(suite, test_name);
	if (claw_case_result_open() < 0)
		return EXIT_BROKEN;
	status = name ? run_case(suite, name) : run_all(suite);
	if (claw_case_result_close() < 0)
		status = EXIT_BROKEN;
	return status;
}
