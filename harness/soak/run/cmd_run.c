/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw run": the tests of one kernel file, each with its time, its
 * bandwidth and its result, for a person, and as JSON; or, for long, a soak
 * (cmd_soak.c).
 *
 * Users know it as one command ("openclaw soak" is its other name), and which of
 * the two it is follows from what was given: of its 30 rows of options 13 are a
 * soak's, 9 a single run's, 8 both's.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/crash/capture/capturing.h"
#include "harness/cover/run/cmd_coverage.h"
#include "cmd_run_coverage.h"
#include "cmd_run_json.h"
#include "cmd_run_say.h"
#include "cmd_soak.h"
#include "harness/machine/device_choice.h"
#include "harness/session/door.h"
#include "harness/session/icd_names.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/session/model.h"
#include "faults/shared/nearest.h"
#include "harness/base/options.h"
#include "harness/base/shared_options.h"
#include "harness/base/paths.h"
#include "harness/crash/capture/cmd_inject.h"
#include "harness/session/probe_options.h"
#include "soak.h"
#include "harness/cases/suite/suite.h"
#include "harness/cases/run/run_coverage.h"
#include "harness/base/text_list.h"
#include "harness/session/user_config.h"
#include "harness/crash/capture/workload.h"

#define ASAN_ENABLED "OPENCLAW_ENABLE_GPU_ASAN"

static const char *workload, *test_name, *device, *output;
static uint64_t repeat, seed_given = CLAW_SOAK_NOT_GIVEN, timeout_ms;
static struct claw_strings model_words;
static char *models;
static bool guards;
static const char *under, *coverage_given;
static struct claw_coverage_given coverage_more;
static struct claw_probe_options probe_options;
static uint64_t error_exitcode = CLAW_EXIT_FINDINGS;
static struct claw_run_covering covering;
static struct claw_user_config settings;	/* openclaw.yaml */
static struct claw_fault_plan plan;
static struct claw_soak_given soak = {
	.duration_ms = CLAW_SOAK_NOT_GIVEN, .iterations = CLAW_SOAK_NOT_GIVEN,
	.interval_ms = CLAW_SOAK_NOT_GIVEN, .retries = CLAW_SOAK_NOT_GIVEN,
	.gpu_timeout_ms = CLAW_SOAK_NOT_GIVEN,
};

enum { DEFAULT_RETRIES = 3 };

static const struct claw_option run_options[] = {
	{ "workload", 'w', OPT_STRING, "FILE|SUITE",
	  "kernel file, by path or name of a shipped one; soak: also a suite\n"
	  "matrix_multiply_v2.clw is one that is shipped with openclaw.",
	  &workload },
	{ "test", 0, OPT_STRING, "CASE",
	  "run only this test of the file [default: each in turn]", &test_name },
	CLAW_DEVICE_OPTION('d', "0", &device),
	{ "repeat", 0, OPT_UINT, "N",
	  "number of launches, each with fresh buffers [default: the file's]",
	  &repeat },
	{ "seed", 0, OPT_UINT, "N",
	  "seed of random buffers; soak: also of faults [default: 0; soak: "
	  "random]", &seed_given },
	{ "timeout", 't', OPT_DURATION, "TIME",
	  "kill a test, in a soak a run of the program, after this time "
	  "[default: gpu_timeout_ms of openclaw.yaml, the file's, 60s; soak: "
	  "none]",
	  &timeout_ms },
	CLAW_MODEL_OPTION(&model_words),
	CLAW_ICD_OPTION,
	CLAW_VIA_OPTION,
	{ "guards", 0, OPT_FLAG, NULL,
	  "put guard zones around buffers, outside openclaw-kernel's own",
	  &guards },
	{ "under", 'u', OPT_CHOICE, "native|asan|races",
	  "asan, races: use the kernel sanitizer, for accesses or data races "
	  "[default: native]", &under },
	{ "coverage", 0, OPT_OPTIONAL, "hit|count",
	  "measure coverage of the kernels; count: execution counts [default: "
	  "hit]", &coverage_given },
	CLAW_COVERAGE_OPTIONS(&coverage_more, "with --coverage: ",
			      "coverage-html"),
	CLAW_COVERAGE_BASELINE_OPTION(&coverage_more, "with --coverage: "),
	CLAW_SANITIZER_OPTIONS(&probe_options),
	CLAW_PROBE_OPTIONS(&probe_options),
	CLAW_SOURCE_URL_OPTION,
	CLAW_ERROR_EXITCODE_OPTION("", &error_exitcode),
	{ "output", 'o', OPT_STRING, "FILE",
	  "write results to FILE.json; soak: records to FILE.d, or directory "
	  "FILE [default: openclaw-out/run-TIME]\n"
	  "With --coverage there are records, too.", &output },
	CLAW_HISTORY_OPTION,
	{ "duration", 0, OPT_DURATION, "TIME",
	  "soak: run for this time (24h), across restarts of openclaw",
	  &soak.duration_ms },
	{ "iterations", 0, OPT_UINT, "N",
	  "soak: end after N iterations\n"
	  "An iteration is a pass of the kernel file, a successful run of the "
	  "suite or PROGRAM, or CLAW_ITERATION of the PROGRAM.",
	  &soak.iterations },
	{ "monitor-interval", 0, OPT_DURATION, "TIME",
	  "soak: sampling interval, at least 100ms [default: 1/60 of "
	  "--duration, from 1s to 60s]",
	  &soak.interval_ms },
	CLAW_FAULT_OPTION("", &soak.faults.faults),
	CLAW_PLAN_OPTION("", &soak.faults.plans),
	{ "stop-on", 0, OPT_LIST, "KIND",
	  "soak: end at a crash, hang, error, wrong-result, leak, slowdown or "
	  "any", &soak.stop_on },
	{ "retries", 0, OPT_UINT, "N",
	  "soak: maximum number of failures in a row without an iteration "
	  "[default: max_retry_attempts of openclaw.yaml, 3]",
	  &soak.retries },
	{ "gpu-timeout", 0, OPT_DURATION, "TIME",
	  "soak: report a hang when a call or an iteration takes longer "
	  "[default: gpu_timeout_ms of openclaw.yaml, or 60s for a kernel "
	  "file]", &soak.gpu_timeout_ms },
	{ "max-disk", 0, OPT_STRING, "SIZE",
	  "soak: size limit of the output directory [default: 1GiB]",
	  &soak.max_disk },
	{ "notify", 0, OPT_STRING, "CMD",
	  "soak: run this shell command at the first finding and at the end\n"
	  "OPENCLAW_VERDICT, OPENCLAW_DIR and OPENCLAW_TEXT are set.",
	  &soak.notify },
	{ "metrics", 0, OPT_STRING, "FILE",
	  "soak: write the current state as OpenMetrics text at each sample",
	  &soak.metrics },
	{ "resume", 0, OPT_STRING, "DIR",
	  "resume an interrupted soak with its saved options\n"
	  "For a finished soak that is printed; the exit status is that of "
	  "the soak.",
	  &soak.resume },
	CLAW_BATCH_OPTIONS,
	{ "force", 0, OPT_FLAG, NULL,
	  "soak and --coverage: overwrite DIR of a finished or interrupted "
	  "run",
	  &soak.force },
	{ 0 },
};

static bool is_asan_enabled(void)
{
	const char *enabled = getenv(ASAN_ENABLED);

	return enabled && strcmp(enabled, "1") == 0;
}

/* The kernel sanitizer's, by its tool. */
static uint32_t checks(void)
{
	uint32_t modes = under ? claw_under_find(under)->probes :
		is_asan_enabled() ? CLAW_PROBE_ASAN : 0;

	return modes ? modes | claw_probe_options_more(&probe_options) : 0;
}

static uint32_t probes(void)
{
	return checks() |
		(coverage_given ? claw_test_coverage_mode(coverage_given) : 0);
}

static uint64_t seed(void)
{
	return seed_given == CLAW_SOAK_NOT_GIVEN ? 0 : seed_given;
}

/* ---- which file ------------------------------------------------------ */

static bool is_kernel_file(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (strcmp(dot, ".clw") == 0 || strcmp(dot, ".cl") == 0);
}

/* "expected ...": what there is, and the nearest of it. What is alive at the end
 * is in static variables: no leak. */
_Noreturn static void die_unknown(const char *folder)
{
	static struct dirent **entries;
	static const char *directory;
	struct claw_nearest nearest;
	int count = folder ? scandir(folder, &entries, NULL, alphasort) : 0;

	directory = folder;
	claw_nearest_init(&nearest, workload);
	for (int i = 0; i < count; i++)
		if (is_kernel_file(entries[i]->d_name))
			claw_nearest_offer(&nearest, entries[i]->d_name);
	if (nearest.best)
		claw_die(CLAW_EXIT_USAGE, "run: --workload: cannot find the "
			 "kernel file \"%s\" (did you mean \"%s\"?)",
			 workload, nearest.best);
	claw_die(CLAW_EXIT_USAGE, "run: --workload: cannot find the kernel "
		 "file \"%s\", here or in %s",
		 workload, directory ? directory : "kernels/seeds");
}

/* malloced; one that is nowhere: NULL, or it is an error. */
static char *find_file(bool must_be)
{
	static const char *const suffixes[] = { "", ".clw" };
	char *directory, *path = NULL;

	if (access(workload, F_OK) == 0 || strchr(workload, '/'))
		return claw_strdup(workload);
	directory = claw_data_path("kernels/seeds");
	for (size_t i = 0; directory && i < 2; i++) {
		free(path);
		path = claw_format("%s/%s%s", directory, workload,
				   suffixes[i]);
		if (access(path, F_OK) == 0)
			break;
	}
	if (path && access(path, F_OK) < 0) {
		free(path);
		path = NULL;
	}
	if (!path && must_be)
		die_unknown(directory);
	free(directory);
	return path;
}

static struct claw_clw *read_file(void)
{
	struct claw_clw_error error;
	struct claw_clw *clw = NULL;
	char *path = find_file(true);
	int ret = claw_clw_read(path, &clw, &error);

	free(path);
	if (ret == -CLAW_E_IO)
		claw_die(CLAW_EXIT_USAGE, "run: --workload: expected a kernel "
			 "file, found %s", error.message);
	/* "file:line:column: expected ..." */
	if (ret < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error.message);
	return clw;
}

static void check_test_name(const struct claw_clw *clw)
{
	struct claw_nearest nearest;

	if (!test_name || claw_clw_find(clw, test_name))
		return;
	claw_nearest_init(&nearest, test_name);
	for (size_t i = 0; i < clw->test_count; i++)
		claw_nearest_offer(&nearest, clw->tests[i].case_name);
	claw_die(CLAW_EXIT_USAGE, "run: %s has no test \"%s\"%s%s%s",
		 clw->path, test_name, nearest.best ? " (did you mean \"" : "",
		 nearest.best ? nearest.best : "", nearest.best ? "\"?)" : "");
}

static void read_settings(void)
{
	char error[1024];
	int ret = claw_user_config_read(&settings, error, sizeof(error));

	if (ret < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
}

static void check_device(void)
{
	if (!device || (*device && strspn(device, "0123456789") ==
			strlen(device)))
		return;
	claw_die(CLAW_EXIT_USAGE, "run: option --device: expected a number, "
		 "found \"%s\"", device);
}

/* ---- the command ----------------------------------------------------- */

/* The larger, the worse. */
static const struct {
	int exit_status, badness;
} ends[CLAW_WORKLOAD_END_COUNT] = {
	[CLAW_WORKLOAD_SKIPPED] = { CLAW_EXIT_SKIPPED, 0 },
	[CLAW_WORKLOAD_OK] = { CLAW_EXIT_CLEAN, 1 },
	[CLAW_WORKLOAD_NOT_INJECTED] = { CLAW_EXIT_UNKNOWN, 2 },
	[CLAW_WORKLOAD_FAILED] = { CLAW_EXIT_FINDINGS, 3 },
	[CLAW_WORKLOAD_CRASH] = { CLAW_EXIT_FINDINGS, 4 },
	[CLAW_WORKLOAD_HANG] = { CLAW_EXIT_FINDINGS, 5 },
	[CLAW_WORKLOAD_REFUSED] = { CLAW_EXIT_USAGE, 6 },
	[CLAW_WORKLOAD_INFRA] = { CLAW_EXIT_INFRA, 7 },
	[CLAW_WORKLOAD_CANCELLED] = { CLAW_EXIT_UNKNOWN, 8 },
};

/* Options that say more of others. */
static void check_probe_words(void)
{
	const char *without = claw_cmd_coverage_option(&coverage_more,
						       "coverage-html");

	if (without && !coverage_given)
		claw_die(CLAW_EXIT_USAGE, "run: option --%s: expected "
			 "--coverage as well, found none", without);
	if (coverage_given && !claw_test_coverage_mode(coverage_given))
		claw_die(CLAW_EXIT_USAGE, "run: --coverage: expected hit or "
			 "count, found \"%s\"", coverage_given);
	if (probe_options.arithmetic && !(checks() & CLAW_PROBE_ASAN))
		claw_die(CLAW_EXIT_USAGE, "run: option --arithmetic: expected "
			 "--under asan as well");
	if (probe_options.same_value && !(checks() & CLAW_PROBE_RACES))
		claw_die(CLAW_EXIT_USAGE, "run: option --same-value: expected "
			 "--under races as well");
	if (probe_options.print_limit && !checks())
		claw_die(CLAW_EXIT_USAGE, "run: option --print-limit: expected "
			 "--under asan or races as well");
	if ((claw_probe_options_are_part(&probe_options) ||
	     probe_options.verify) && !probes())
		claw_die(CLAW_EXIT_USAGE, "run: --kernel-name, --launch-skip, "
			 "--launch-count and --verify: expected --under asan "
			 "or --coverage as well");
}

/* Their seed is that of the buffers. */
static void load_faults(void)
{
	struct claw_fault_options options = soak.faults;
	char number[24], *kernel = claw_kernel_program();
	struct claw_program program;

	snprintf(number, sizeof(number), "%" PRIu64, seed());
	options.seed = number;
	claw_inject_load(&options, &plan);
	if (plan.rules.count) {
		claw_inject_look(kernel, &plan, &program);
		claw_program_release(&program);
	}
	free(kernel);
}

/* The directory of --coverage. */
static void begin_coverage(const struct claw_clw *clw, int argc,
			   char *const *argv)
{
	bool has_json;
	char *directory;

	if (!coverage_given)
		return;
	directory = claw_run_directory(output, &has_json);
	claw_cmd_coverage_check(&covering.end, &coverage_more, directory);
	claw_run_cover_begin(&covering, directory, soak.force, argc, argv,
			     clw, test_name);
	if (!has_json)
		output = NULL;
	free(directory);
}

static void run_once(const struct claw_clw *clw,
		     const struct claw_clw_test *test,
		     struct claw_workload_result *ret_result)
{
	struct claw_workload_config config = {
		.device = device, .repeat = repeat, .seed = seed(),
		.timeout_ms = timeout_ms ? timeout_ms :
			settings.gpu_timeout_ms,
		.guards = guards, .models = models, .faults = &plan,
		.probes = claw_probe_options_get(&probe_options, probes()),
		.coverage = coverage_given ? &covering.end.coverage : NULL,
		.dumps = claw_capturing_wanted() ? claw_capturing_default() :
			NULL,
	};
	int ret = claw_workload_run(clw, test, &config, ret_result);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "run: cannot run %s: %s",
			 test->case_name, ret == -CLAW_E_IO ?
			 strerror(errno) : claw_error_text(ret));
}

/* Has the device, or the process for it, come to an end that a new process
 * may not meet? */
static bool is_crash(const struct claw_workload_result *result)
{
	return result->end == CLAW_WORKLOAD_CRASH ||
	       result->end == CLAW_WORKLOAD_HANG ||
	       (!checks() && result->code && (strcmp(result->code, "clw-gpu-crash") == 0 ||
				 strcmp(result->code, "clw-device-lost") == 0));
}

/* Once, and with enable_crash_recovery again after a crash, each time in a
 * new process. Returns how often. */
static uint64_t run_one(const struct claw_clw *clw,
			const struct claw_clw_test *test,
			struct claw_workload_result *ret_result)
{
	uint64_t more = settings.crash_recovery != CLAW_CONFIG_ON ? 0 :
		settings.has_retries ? settings.max_retry_attempts :
		DEFAULT_RETRIES;
	uint64_t attempt = 1;

	claw_run_say_head(clw, test);
	for (;; attempt++) {
		run_once(clw, test, ret_result);
		claw_run_say_crash(clw, ret_result, device);
		if (attempt > more || !is_crash(ret_result))
			break;
		printf("attempt %" PRIu64 " of %" PRIu64 ": %s: %s; retrying "
		       "in a new process\n", attempt, more + 1,
		       claw_workload_end_name(ret_result->end),
		       ret_result->message);
		fflush(stdout);
		claw_workload_result_release(ret_result);
	}
	if (attempt > 1)
		printf("attempts: %" PRIu64 " of %" PRIu64 "\n", attempt,
		       more + 1);
	claw_run_say_result(ret_result, probes() != 0);
	return attempt;
}

/* What failed is of the user's own status; coverage may make it worse. */
static int end_status(enum claw_workload_end worst)
{
	int status = ends[worst].exit_status;

	if (status == CLAW_EXIT_FINDINGS)
		status = (int)error_exitcode;
	return coverage_given ? claw_run_cover_end(&covering, status,
		(int)error_exitcode, worst == CLAW_WORKLOAD_CANCELLED) :
		status;
}

static int run_tests(const struct claw_clw *clw, int argc, char *const *argv)
{
	enum claw_workload_end worst = CLAW_WORKLOAD_SKIPPED;
	json_t *runs = json_array();
	char *code = NULL;
	bool is_first = true;

	begin_coverage(clw, argc, argv);
	for (size_t i = 0; i < clw->test_count; i++) {
		const struct claw_clw_test *test = &clw->tests[i];
		struct claw_workload_result result;
		uint64_t attempts;

		if (test_name && strcmp(test_name, test->case_name) != 0)
			continue;
		if (!is_first)
			putchar('\n');
		is_first = false;
		attempts = run_one(clw, test, &result);
		json_array_append_new(runs, claw_run_json(test, &result,
							  attempts));
		if (coverage_given)
			claw_run_cover_result(&covering, test, &result,
					      attempts);
		if (ends[result.end].badness > ends[worst].badness) {
			worst = result.end;
			free(code);
			code = result.code ? claw_strdup(result.code) : NULL;
		}
		claw_workload_result_release(&result);
		if (worst == CLAW_WORKLOAD_CANCELLED)
			break;
	}
	if (output)
		claw_run_write_json(output, clw->path, seed(), probes() != 0,
				    runs, worst, code);
	json_decref(runs);
	free(code);
	return end_status(worst);
}

/* ---- a soak ---------------------------------------------------------- */

static bool is_given(uint64_t number)
{
	return number != CLAW_SOAK_NOT_GIVEN;
}

static bool is_soak(const char *verb, bool has_program)
{
	return has_program || soak.resume || is_given(soak.duration_ms) ||
		is_given(soak.iterations) || strcmp(verb, "soak") == 0;
}

/* Options that a single run would not look at. */
static void check_single(void)
{
	const struct {
		const char *name;
		bool given;
	} only[] = {
		{ "monitor-interval", is_given(soak.interval_ms) },
		{ "stop-on", soak.stop_on.count },
		{ "retries", is_given(soak.retries) },
		{ "gpu-timeout", is_given(soak.gpu_timeout_ms) },
		{ "max-disk", soak.max_disk }, { "notify", soak.notify },
		{ "metrics", soak.metrics },
		{ "force", soak.force && !coverage_given },
	};

	for (size_t i = 0; i < sizeof(only) / sizeof(*only); i++)
		if (only[i].given)
			claw_die(CLAW_EXIT_USAGE, "run: option --%s is for "
				 "soaks: expected --duration, --iterations or "
				 "-- PROGRAM as well", only[i].name);
}

static void check_soak(bool has_program)
{
	if (has_program && workload)
		claw_die(CLAW_EXIT_USAGE, "run: expected either --workload or "
			 "-- PROGRAM, found both");
	if (!has_program && (!workload || !*workload))
		claw_die(CLAW_EXIT_USAGE, "run: expected --workload FILE, "
			 "--workload SUITE or -- PROGRAM (see openclaw run "
			 "--help)");
	if (repeat || guards)
		claw_die(CLAW_EXIT_USAGE, "run: option --%s is for a single "
			 "run; a soak has --iterations and --duration",
			 repeat ? "repeat" : "guards");
	if (under || coverage_given)
		claw_die(CLAW_EXIT_USAGE, "run: option --%s is for a single "
			 "run of a kernel file; for a long run with it use "
			 "openclaw test FILE.clw --repeat TIME",
			 under ? "under" : "coverage");
	if (error_exitcode != CLAW_EXIT_FINDINGS)
		claw_die(CLAW_EXIT_USAGE, "run: option --error-exitcode is "
			 "for a single run; a soak with findings exits with "
			 "status 1");
	check_probe_words();
	if (has_program && test_name)
		claw_die(CLAW_EXIT_USAGE, "run: option --test is for a kernel "
			 "file, not for a program");
}

/* Whoever has it set for everything is told. */
static void leave_kernels_alone(void)
{
	if (!is_asan_enabled())
		return;
	claw_warn(ASAN_ENABLED " is not for a soak, whose kernels are not "
		  "instrumented");
	if (unsetenv(ASAN_ENABLED) < 0)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
}

/* NULL: the workload is a suite. */
static struct claw_clw *read_workload(void)
{
	struct claw_suite_error why;
	struct claw_suite *suite = NULL;
	char *path = find_file(false);
	bool is_kernel = path && is_kernel_file(path);
	int ret;

	free(path);
	if (is_kernel || is_kernel_file(workload))
		return read_file();
	ret = access(workload, F_OK) == 0 ?
		claw_suite_read_operand(workload, &suite, &why) :
		claw_suite_read(workload, &suite, &why);
	if (ret == -CLAW_E_NOT_FOUND)
		claw_die(CLAW_EXIT_USAGE, "run: --workload: expected a kernel "
			 "file or a suite, found \"%s\", which is neither "
			 "(openclaw test --list)", workload);
	if (ret < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", *why.message ? why.message :
			 claw_error_text(ret));
	claw_suite_free(suite);
	if (test_name || soak.faults.faults.count || soak.faults.plans.count)
		claw_die(CLAW_EXIT_USAGE, "run: option --%s is not for a suite",
			 test_name ? "test" : soak.faults.faults.count ?
			 "fault" : "plan");
	return NULL;
}

static int run_soak(int argc, char *const *argv, char *const *program)
{
	struct claw_clw *clw = NULL;
	int status;

	leave_kernels_alone();
	check_soak(program != NULL);
	check_device();
	if (!program)
		clw = read_workload();
	if (clw)
		check_test_name(clw);
	soak.workload = workload;
	soak.test = test_name;
	soak.device = device;
	soak.output = output;
	soak.models = &model_words;
	soak.seed = seed_given;
	soak.timeout_ms = timeout_ms;
	status = claw_cmd_soak(&soak, argc, argv, program, clw);
	claw_clw_free(clw);
	return status;
}

static int run_run(int argc, char *const *argv);

/* The words of the soak that goes on, with what is given anew over them. */
static int resume_soak(int argc, char *const *argv)
{
	char *directory = realpath(soak.resume, NULL), error[1024];
	struct claw_soak_saved saved;
	uint64_t duration_ms, iterations;
	int count = 0, all = 0, first, status;
	char **words;

	if (!directory)
		claw_die(CLAW_EXIT_USAGE, "run: option --resume: expected the "
			 "directory of a soak, found %s: %s", soak.resume,
			 strerror(errno));
	if (workload || model_words.count || soak.faults.faults.count ||
	    soak.faults.plans.count || claw_icd_given)
		claw_die(CLAW_EXIT_USAGE, "run: option --resume: workload, "
			 "models, faults and driver are saved with the soak and "
			 "cannot be given again");
	if (claw_soak_read_saved(directory, &saved, error,
				 sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "run: option --resume: %s", error);
	while (saved.argv[count])
		count++;
	if (chdir(saved.working_directory) < 0)
		claw_die(CLAW_EXIT_USAGE, "run: option --resume: %s: %s",
			 saved.working_directory, strerror(errno));
	first = claw_command_start(&claw_cmd_run, count, saved.argv, false);
	duration_ms = soak.duration_ms;
	iterations = soak.iterations;
	claw_command_start(&claw_cmd_run, argc, argv, false);
	soak.asks_anew = soak.duration_ms != duration_ms ||
		soak.iterations != iterations;
	soak.resume = directory;
	words = claw_soak_join_words(saved.argv, argv + 1);
	while (words[all])
		all++;
	/* What was parsed points into both. */
	status = run_soak(all, words, first < count ? words + all -
			  (count - first) : NULL);
	claw_list_free(words);
	claw_soak_saved_release(&saved);
	free(directory);
	return status;
}

const struct claw_command claw_cmd_run = {
	.name = "run",
	.summary = "run a kernel file, or soak a workload",
	.usage = "--workload FILE.clw|SUITE | -- PROGRAM [ARG...]",
	.description =
		"Without --duration, --iterations and PROGRAM: runs each test "
		"of the file once, in its own process with the layer loaded. "
		"The time is the device's time for the launch; the bandwidth "
		"counts each input byte read once and each output byte "
		"written once.\n\n"
		"  openclaw run --workload saxpy.clw --repeat 10\n"
		"  openclaw run --workload matrix_multiply_v2.clw --output "
		"run.json\n"
		"  openclaw run --workload saxpy.clw --under asan --coverage\n"
		"  openclaw run --workload saxpy.clw --fault "
		"clCreateBuffer:oom\n\n"
		"With one of them it is a soak (\"openclaw soak\" is the "
		"same): a kernel file loops in one process, a suite or "
		"PROGRAM is repeated. A soak samples memory, live objects, "
		"latency and throughput, counts failures, and ends with a "
		"verdict on leaks, slowdowns and failures. Without --duration "
		"or --iterations it runs until interrupted.\n\n"
		"Exit status: 0 clean, 1 findings, 2 inconclusive or "
		"incomplete, 64 usage error, 77 nothing could run here, 99 "
		"openclaw itself failed.\n\n"
		"  openclaw run --workload continuous.clw --duration 24h "
		"--output stability.json\n"
		"  openclaw soak --duration 8h --stop-on crash -- ./program\n"
		"  openclaw soak --resume stability.d",
	.options = run_options,
	.reads_config = true,
	.run = run_run,
};

static bool has_separator(int argc, char *const *argv, int first)
{
	return first < argc && first > 0 && strcmp(argv[first - 1], "--") == 0;
}

static int run_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_run, argc, argv, false);
	bool has_program = has_separator(argc, argv, first);
	struct claw_clw *clw;
	int status;

	if (soak.resume && first < argc)
		claw_die(CLAW_EXIT_USAGE, "run: option --resume: the program "
			 "is saved with the soak, found \"%s\"", argv[first]);
	if (soak.resume)
		return resume_soak(argc, argv);
	if ((has_program || first == argc) && is_soak(argv[0], has_program))
		return run_soak(argc, argv, has_program ? argv + first : NULL);
	check_single();
	if (first < argc)
		claw_die(CLAW_EXIT_USAGE, "run: expected no operand, found \"%s\" (see "
			 "openclaw run --help)", argv[first]);
	if (!workload || !*workload)
		claw_die(CLAW_EXIT_USAGE, "run: expected --workload FILE, or "
			 "-- PROGRAM (see openclaw run --help)");
	models = claw_models_of(&model_words);
	read_settings();
	check_device();
	claw_device_choice_check(device, &model_words);
	claw_via_choose(NULL);
	if (repeat > 1000000)
		claw_die(CLAW_EXIT_USAGE, "run: option --repeat: expected at "
			 "most 1000000, found %" PRIu64, repeat);
	clw = read_file();
	check_test_name(clw);
	check_probe_words();
	/* Nothing would be looked at. */
	if (probes())
		claw_cmd_coverage_need_helper("run");
	load_faults();
	status = run_tests(clw, argc, argv);
	claw_fault_plan_release(&plan);
	claw_user_config_release(&settings);
	claw_clw_free(clw);
	free(models);
	return status;
}
