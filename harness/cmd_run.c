/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw run": the tests of one kernel file, each with its time, its
 * bandwidth and its result, for a person, and as JSON; or, for long, a soak
 * (cmd_soak.c).
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capturing.h"
#include "cmd_run_json.h"
#include "cmd_soak.h"
#include "coverage_say.h"
#include "device_choice.h"
#include "door.h"
#include "errors.h"
#include "instrument_program.h"
#include "model.h"
#include "nearest.h"
#include "options.h"
#include "soak.h"
#include "suite.h"
#include "test_coverage.h"
#include "text.h"
#include "user_config.h"
#include "workload.h"

static const char *workload, *test_name, *device, *output;
static uint64_t repeat, seed_given = CLAW_SOAK_NOT_GIVEN, timeout_ms;
static struct claw_strings model_words;
static char *models;
static bool guards;
static const char *under, *coverage_given;
static struct claw_coverage coverage;
static struct claw_user_config settings;	/* openclaw.yaml */
static struct claw_soak_given soak = {
	.duration_ms = CLAW_SOAK_NOT_GIVEN, .iterations = CLAW_SOAK_NOT_GIVEN,
	.interval_ms = CLAW_SOAK_NOT_GIVEN, .retries = CLAW_SOAK_NOT_GIVEN,
	.gpu_timeout_ms = CLAW_SOAK_NOT_GIVEN,
};

enum { DEFAULT_RETRIES = 3 };

static const struct claw_option run_options[] = {
	{ "workload", 'w', OPT_STRING, "FILE|SUITE",
	  "kernel file, or the name of one that comes with openclaw "
	  "(matrix_multiply_v2.clw); in a soak also a suite; or -- PROGRAM",
	  &workload },
	{ "test", 0, OPT_STRING, "CASE",
	  "this test of the file alone [default: each in turn]", &test_name },
	{ "device", 'd', OPT_STRING, "N",
	  "the device, as \"openclaw info\" counts [default: 0]", &device },
	{ "repeat", 0, OPT_UINT, "N",
	  "launches, each with fresh buffers [default: as the file says]",
	  &repeat },
	{ "seed", 0, OPT_UINT, "N",
	  "seed of random buffers [default: 0], and of the faults of a soak "
	  "[default: random]", &seed_given },
	{ "timeout", 't', OPT_DURATION, "TIME",
	  "longest time for a test [default: gpu_timeout_ms of openclaw.yaml, "
	  "or as the file says, or 60s]; in a soak for one run of the program "
	  "[default: none]",
	  &timeout_ms },
	CLAW_MODEL_OPTION(&model_words),
	CLAW_VIA_OPTION,
	{ "guards", 0, OPT_FLAG, NULL,
	  "guard zones of the layer around every buffer, too: they lie outside "
	  "of those that openclaw-kernel makes itself, and before every buffer",
	  &guards },
	{ "under", 'u', OPT_CHOICE, "native|asan",
	  "asan: with the kernel sanitizer, as OPENCLAW_ENABLE_GPU_ASAN=1 has "
	  "it [default: native]", &under },
	{ "coverage", 0, OPT_OPTIONAL, "hit|count",
	  "say which lines, functions and branches of the kernels have run; "
	  "count: how often [default: hit]", &coverage_given },
	{ "output", 'o', OPT_STRING, "FILE",
	  "write the results as JSON; of a soak with its directory beside it "
	  "(FILE.d for FILE.json), or the directory alone [default: "
	  "openclaw-out/run-TIME]", &output },
	{ "duration", 0, OPT_DURATION, "TIME",
	  "a soak: run it for so long, over restarts of openclaw too (24h)",
	  &soak.duration_ms },
	{ "iterations", 0, OPT_UINT, "N",
	  "a soak: end after N iterations: passes of the kernel file, runs of "
	  "the suite or PROGRAM that end well; of a PROGRAM that counts its "
	  "own (CLAW_ITERATION) at the first look after the Nth",
	  &soak.iterations },
	{ "monitor-interval", 0, OPT_DURATION, "TIME",
	  "a soak: time between two samples, at least 100ms [default: a 60th "
	  "of --duration, at least 1s and at most 60s]",
	  &soak.interval_ms },
	{ "fault", 'f', OPT_STRINGS, "RULE",
	  "a soak: fault to inject, as in openclaw-faults(7); may be repeated",
	  &soak.faults.faults },
	{ "plan", 0, OPT_STRINGS, "FILE",
	  "a soak: YAML file with faults, or preset:NAME; may be repeated",
	  &soak.faults.plans },
	{ "stop-on", 0, OPT_LIST, "KIND",
	  "a soak: end at the first crash, hang, error, wrong-result, leak, "
	  "slowdown, or any of them", &soak.stop_on },
	{ "retries", 0, OPT_UINT, "N",
	  "a soak: give up after so many failures in a row without an "
	  "iteration [default: max_retry_attempts of openclaw.yaml, or 3]",
	  &soak.retries },
	{ "gpu-timeout", 0, OPT_DURATION, "TIME",
	  "a soak: a call that takes longer, or no iteration for so long, is "
	  "a hang [default: gpu_timeout_ms of openclaw.yaml, or 60s for a "
	  "kernel file]", &soak.gpu_timeout_ms },
	{ "max-disk", 0, OPT_STRING, "SIZE",
	  "a soak: most that its directory takes [default: 1GiB]",
	  &soak.max_disk },
	{ "notify", 0, OPT_STRING, "CMD",
	  "a soak: shell command at the first finding and at the end, with "
	  "OPENCLAW_VERDICT, OPENCLAW_DIR and OPENCLAW_TEXT", &soak.notify },
	{ "metrics", 0, OPT_STRING, "FILE",
	  "a soak: its state as OpenMetrics text, anew at each sample",
	  &soak.metrics },
	{ "resume", 0, OPT_STRING, "DIR",
	  "go on with a soak that was ended before its time; it knows all "
	  "else. Of a finished one: say so, and end with its exit status",
	  &soak.resume },
	{ "force", 0, OPT_FLAG, NULL,
	  "a soak: replace an output directory of a finished soak, or of a "
	  "run that did not finish",
	  &soak.force },
	{ 0 },
};

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

/* "expected ...": what there is, and the nearest of it. */
_Noreturn static void die_unknown(const char *directory)
{
	struct claw_nearest nearest;
	struct dirent **entries = NULL;
	int count = directory ? scandir(directory, &entries, NULL, alphasort) :
		    0;

	claw_nearest_init(&nearest, workload);
	for (int i = 0; i < count; i++)
		if (is_kernel_file(entries[i]->d_name))
			claw_nearest_offer(&nearest, entries[i]->d_name);
	if (nearest.best)
		claw_die(CLAW_EXIT_USAGE, "run: --workload: expected a kernel "
			 "file, found \"%s\", which is nowhere (did you mean "
			 "\"%s\"?)", workload, nearest.best);
	claw_die(CLAW_EXIT_USAGE, "run: --workload: expected a kernel file, "
		 "or the name of one in %s; found \"%s\", which is nowhere",
		 directory ? directory : "kernels/seeds", workload);
}

/* malloced; one that is nowhere: NULL, or it is an error. */
static char *find_file(bool must_be)
{
	static const char *const suffixes[] = { "", ".clw" };
	char *directory, *path = NULL;

	if (access(workload, F_OK) == 0 || strchr(workload, '/')) {
		path = strdup(workload);
		if (!path)
			claw_die(CLAW_EXIT_INFRA, "out of memory");
		return path;
	}
	directory = claw_data_path("kernels/seeds");
	for (size_t i = 0; directory && i < 2; i++) {
		free(path);
		if (asprintf(&path, "%s/%s%s", directory, workload,
			     suffixes[i]) < 0)
			claw_die(CLAW_EXIT_INFRA, "out of memory");
		if (access(path, F_OK) == 0)
			break;
	}
	if ((!path || access(path, F_OK) < 0) && must_be)
		die_unknown(directory);
	if (path && access(path, F_OK) < 0) {
		free(path);
		path = NULL;
	}
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
	if (ret == -CLAW_E_NO_MEMORY)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
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
		claw_die(ret == -CLAW_E_NO_MEMORY ? CLAW_EXIT_INFRA :
			 CLAW_EXIT_USAGE, "%s", error);
}

static void check_device(void)
{
	if (!device || (*device && strspn(device, "0123456789") ==
			strlen(device)))
		return;
	claw_die(CLAW_EXIT_USAGE, "run: option --device: expected a number; "
		 "found \"%s\"", device);
}

/* ---- for a person ---------------------------------------------------- */

static void print_size(const char *label, unsigned int dimensions,
		       const size_t *size)
{
	for (unsigned int i = 0; i < dimensions; i++)
		printf("%s%zu", i ? "x" : label, size[i]);
}

static void print_head(const struct claw_clw *clw,
		       const struct claw_clw_test *test)
{
	printf("workload: %s (%s)\n", clw->path, test->case_name);
	printf("kernel: %s", test->kernel ? test->kernel : "none, it is only "
	       "built");
	if (test->kernel)
		print_size(", global size ", test->dimensions, test->global);
	if (test->kernel && test->has_local)
		print_size(", local size ", test->dimensions, test->local);
	putchar('\n');
	fflush(stdout);
}

static void print_measured(const struct claw_workload_result *result)
{
	const char *ms = claw_workload_metric(result, "kernel_ms");
	const char *gb = claw_workload_metric(result, "gb_per_s");
	const char *launches = claw_workload_metric(result, "launches");

	if (!ms)
		puts("time: not available");
	else if (launches && strcmp(launches, "1") != 0)
		printf("time: %.4g ms a launch, the mean of %s\n",
		       strtod(ms, NULL), launches);
	else
		printf("time: %.4g ms\n", strtod(ms, NULL));
	if (gb)
		printf("bandwidth: %.3g GB/s\n", strtod(gb, NULL));
	else
		puts("bandwidth: not available");
}

/* Memory that took too long: lines of a text. */
static void print_slow(const char *text)
{
	while (text && *text) {
		size_t length = strcspn(text, "\n");

		printf("memory: %.*s\n", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

static void print_result(const struct claw_workload_result *result)
{
	const char *name = claw_workload_fact(result, "device");
	const char *platform = claw_workload_fact(result, "platform");
	const char *driver = claw_workload_fact(result, "driver");

	if (name)
		printf("device: %s [%s, driver %s]\n", name,
		       platform ? platform : "not available",
		       driver ? driver : "not available");
	print_measured(result);
	print_slow(result->slow);
	printf("result: %s%s%s\n", claw_workload_end_name(result->end),
	       *result->message ? ": " : "", result->message);
	if (result->place)
		printf("place: %s\n", result->place);
	if (result->code)
		printf("diagnosis: %s\n", result->code);
	if (result->dump)
		printf("dump: %s\n", result->dump);
	fflush(stdout);
	if (result->end != CLAW_WORKLOAD_OK && result->err && *result->err)
		fputs(result->err, stderr);
}

/* ---- a crash ---------------------------------------------------------- */

/* What is known of how, from outside of the device. */
static const char *crash_type(const struct claw_workload_result *result)
{
	const struct claw_findings *findings = &result->report.findings;

	if (result->signal == SIGSEGV || result->signal == SIGBUS)
		return "GPU_MEMORY_SEGFAULT";
	if (result->signal == SIGFPE)
		return "GPU_ARITHMETIC_FAULT";
	if (result->signal == SIGILL)
		return "GPU_ILLEGAL_INSTRUCTION";
	for (size_t i = 0; i < findings->count; i++) {
		if (findings->items[i].kind == CLAW_FINDING_INVALID_READ ||
		    findings->items[i].kind == CLAW_FINDING_INVALID_WRITE)
			return "GPU_MEMORY_SEGFAULT";
		if (findings->items[i].kind == CLAW_FINDING_MISALIGNED)
			return "GPU_MISALIGNED_ACCESS";
	}
	return "GPU_FAULT";
}

/* The runtime's own words for a crash on the device. */
static void say_crash(const struct claw_clw *clw,
		      const struct claw_workload_result *result)
{
	const char *name = claw_workload_fact(result, "device");
	const char *number = device ? device : getenv("CLW_DEVICE_ID");

	if (!result->code || strcmp(result->code, "clw-gpu-crash") != 0)
		return;
	fflush(stdout);
	fprintf(stderr, "[ERROR] OpenClaw Worker: clw-gpu-crash detected\n"
		"[ERROR]   Device: %s (ID: %s)\n"
		"[ERROR]   Workload: %s\n"
		"[ERROR]   Crash type: %s\n",
		name ? name : "not available",
		number && *number ? number : "0", claw_base_name(clw->path),
		crash_type(result));
	if (claw_capturing_wanted())
		fprintf(stderr, "[ERROR]   Context dump saved to: %s\n",
			result->dump ? result->dump : "not available");
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

static bool is_asan(void)
{
	const char *enabled = getenv("OPENCLAW_ENABLE_GPU_ASAN");

	if (under)
		return strcmp(under, "asan") == 0;
	return enabled && strcmp(enabled, "1") == 0;
}

static uint32_t probes(void)
{
	return (is_asan() ? CLAW_PROBE_ASAN : 0) |
		(coverage_given ? claw_test_coverage_mode(coverage_given) : 0);
}

/* Without openclaw-instrument nothing would be looked at. */
static void check_probes(void)
{
	char *helper = claw_instrument_program();

	if (coverage_given && !claw_test_coverage_mode(coverage_given))
		claw_die(CLAW_EXIT_USAGE, "run: --coverage: expected hit or "
			 "count; found \"%s\"", coverage_given);
	if (probes() && !helper)
		claw_die(CLAW_EXIT_SKIPPED, "run: %s",
			 claw_instrument_missing());
	if (coverage_given &&
	    claw_coverage_init(&coverage, claw_session_temporary_base()) < 0)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	free(helper);
}

/* The status as it is without. */
static int say_coverage(int status)
{
	char *headline, *table, *why;

	if (!coverage_given)
		return status;
	headline = claw_coverage_headline(&coverage);
	table = claw_coverage_table(&coverage, NULL);
	why = claw_coverage_why_nothing(&coverage);
	if (headline && table)
		printf("\n%s\n%s", headline, table);
	if (why)
		claw_warn("nothing can be said of coverage: %s", why);
	if (why && status == CLAW_EXIT_CLEAN)
		status = CLAW_EXIT_UNKNOWN;
	free(headline);
	free(table);
	free(why);
	claw_coverage_release(&coverage);
	return status;
}

static void run_once(const struct claw_clw *clw,
		     const struct claw_clw_test *test,
		     struct claw_workload_result *ret_result)
{
	struct claw_workload_config config = {
		.device = device, .repeat = repeat, .seed = seed(),
		.timeout_ms = timeout_ms ? timeout_ms :
			settings.gpu_timeout_ms,
		.guards = guards, .models = models, .probes = probes(),
		.coverage = coverage_given ? &coverage : NULL,
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
	       (!is_asan() && result->code && (strcmp(result->code, "clw-gpu-crash") == 0 ||
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

	print_head(clw, test);
	for (;; attempt++) {
		run_once(clw, test, ret_result);
		say_crash(clw, ret_result);
		if (attempt > more || !is_crash(ret_result))
			break;
		printf("attempt %" PRIu64 " of %" PRIu64 ": %s: %s; again in "
		       "a new process\n", attempt, more + 1,
		       claw_workload_end_name(ret_result->end),
		       ret_result->message);
		fflush(stdout);
		claw_workload_result_release(ret_result);
	}
	if (attempt > 1)
		printf("attempts: %" PRIu64 " of %" PRIu64 "\n", attempt,
		       more + 1);
	print_result(ret_result);
	return attempt;
}

static int run_tests(const struct claw_clw *clw)
{
	enum claw_workload_end worst = CLAW_WORKLOAD_SKIPPED;
	json_t *runs = json_array();
	char *code = NULL;
	bool is_first = true;

	check_probes();
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
		if (ends[result.end].badness > ends[worst].badness) {
			worst = result.end;
			free(code);
			code = result.code ? strdup(result.code) : NULL;
		}
		claw_workload_result_release(&result);
		if (worst == CLAW_WORKLOAD_CANCELLED)
			break;
	}
	if (output)
		claw_run_write_json(output, clw->path, seed(), runs, worst,
				    code);
	json_decref(runs);
	free(code);
	return say_coverage(ends[worst].exit_status);
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
		{ "fault", soak.faults.faults.count },
		{ "plan", soak.faults.plans.count },
		{ "stop-on", soak.stop_on.count },
		{ "retries", is_given(soak.retries) },
		{ "gpu-timeout", is_given(soak.gpu_timeout_ms) },
		{ "max-disk", soak.max_disk }, { "notify", soak.notify },
		{ "metrics", soak.metrics }, { "force", soak.force },
	};

	for (size_t i = 0; i < sizeof(only) / sizeof(*only); i++)
		if (only[i].given)
			claw_die(CLAW_EXIT_USAGE, "run: option --%s is for a "
				 "soak: expected --duration, --iterations or "
				 "-- PROGRAM, too", only[i].name);
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
			 "run of a kernel file", under ? "under" : "coverage");
	if (has_program && test_name)
		claw_die(CLAW_EXIT_USAGE, "run: option --test is for a kernel "
			 "file, not for a program");
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
			 "file or a suite; found \"%s\", which is neither "
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
	int count = 0, first;

	if (!directory)
		claw_die(CLAW_EXIT_USAGE, "run: option --resume: expected the "
			 "directory of a soak; %s: %s", soak.resume,
			 strerror(errno));
	if (workload || model_words.count || soak.faults.faults.count ||
	    soak.faults.plans.count)
		claw_die(CLAW_EXIT_USAGE, "run: option --resume: a soak that "
			 "goes on has its workload, models and faults");
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
	/* saved lives as long as the words that were parsed. */
	return run_soak(count, saved.argv, first < count ? saved.argv + first :
			NULL);
}

const struct claw_command claw_cmd_run = {
	.name = "run",
	.summary = "run a kernel file once, or a workload for long (a soak)",
	.usage = "--workload FILE.clw|SUITE | -- PROGRAM [ARG...]",
	.description =
		"Without --duration, --iterations and PROGRAM: each test of the file runs in a process of its own with the "
		"layer in it. The time is the device's own for the launch; "
		"the bandwidth is that of the test's data, what goes in read "
		"once and what comes out written once.\n\n"
		"  openclaw run --workload saxpy.clw --repeat 10\n"
		"  openclaw run --workload matrix_multiply_v2.clw --output "
		"run.json\n\n"
		"With one of them it is a soak (openclaw soak is the same): a "
		"kernel file loops in one process, a suite or PROGRAM is run "
		"again and again; memory, live objects, latency and "
		"throughput are sampled, failures are counted, and it ends "
		"with a verdict: does it leak, does it slow down, did "
		"anything fail. Without an end of its own a soak goes on until "
		"it is interrupted. Exit status 0 is clean, 1 findings, 2 "
		"unknown or incomplete.\n\n"
		"  openclaw run --workload continuous.clw --duration 24h "
		"--output stability.json\n"
		"  openclaw soak --duration 8h --stop-on crash -- ./program\n"
		"  openclaw soak --resume stability.d",
	.options = run_options,
	.starts_programs = true,
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
		claw_die(CLAW_EXIT_USAGE, "run: option --resume: a soak that "
			 "goes on has its program; found \"%s\"", argv[first]);
	if (soak.resume)
		return resume_soak(argc, argv);
	if ((has_program || first == argc) && is_soak(argv[0], has_program))
		return run_soak(argc, argv, has_program ? argv + first : NULL);
	check_single();
	if (first < argc)
		claw_die(CLAW_EXIT_USAGE, "run: unexpected word \"%s\" (see "
			 "openclaw run --help)", argv[first]);
	if (!workload || !*workload)
		claw_die(CLAW_EXIT_USAGE, "run: expected --workload FILE, or "
			 "-- PROGRAM (see openclaw run --help)");
	models = claw_models_of(&model_words);
	read_settings();
	check_device();
	if (!device)
		claw_device_choice_check(&model_words);
	claw_via_choose(NULL);
	if (repeat > 1000000)
		claw_die(CLAW_EXIT_USAGE, "run: option --repeat: expected at "
			 "most 1000000; found %" PRIu64, repeat);
	clw = read_file();
	check_test_name(clw);
	status = run_tests(clw);
	claw_user_config_release(&settings);
	claw_clw_free(clw);
	free(models);
	return status;
}
