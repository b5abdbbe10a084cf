/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw run": the tests of one kernel file, each with its time, its
 * bandwidth and its result, for a person, and as JSON.
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
#include "device_choice.h"
#include "door.h"
#include "errors.h"
#include "model.h"
#include "nearest.h"
#include "options.h"
#include "suite.h"
#include "text.h"
#include "user_config.h"
#include "workload.h"

static const char *workload, *test_name, *device, *output;
static uint64_t repeat, seed, timeout_ms;
static struct claw_strings model_words;
static char *models;
static bool guards;
static struct claw_user_config settings;	/* openclaw.yaml */

enum { DEFAULT_RETRIES = 3 };

static const struct claw_option run_options[] = {
	{ "workload", 'w', OPT_STRING, "FILE",
	  "kernel file, or the name of one that comes with openclaw "
	  "(matrix_multiply_v2.clw)", &workload },
	{ "test", 0, OPT_STRING, "CASE",
	  "this test of the file alone [default: each in turn]", &test_name },
	{ "device", 'd', OPT_STRING, "N",
	  "the device, as \"openclaw info\" counts [default: 0]", &device },
	{ "repeat", 0, OPT_UINT, "N",
	  "launches, each with fresh buffers [default: as the file says]",
	  &repeat },
	{ "seed", 0, OPT_UINT, "N", "seed of random buffers [default: 0]",
	  &seed },
	{ "timeout", 't', OPT_DURATION, "TIME",
	  "longest time for a test [default: gpu_timeout_ms of openclaw.yaml, "
	  "or as the file says, or 60s]",
	  &timeout_ms },
	CLAW_MODEL_OPTION(&model_words),
	CLAW_VIA_OPTION,
	{ "guards", 0, OPT_FLAG, NULL,
	  "guard zones of the layer around every buffer, too: they lie outside "
	  "of those that openclaw-kernel makes itself, and before every buffer",
	  &guards },
	{ "output", 'o', OPT_STRING, "FILE", "write the results as JSON",
	  &output },
	{ 0 },
};

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

/* malloced */
static char *find_file(void)
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
	if (!path || access(path, F_OK) < 0)
		die_unknown(directory);
	free(directory);
	return path;
}

static struct claw_clw *read_file(void)
{
	struct claw_clw_error error;
	struct claw_clw *clw = NULL;
	char *path = find_file();
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

/* ---- as JSON --------------------------------------------------------- */

static json_t *facts_json(const struct claw_workload_result *result)
{
	json_t *object = json_object();

	for (size_t i = 0; i < result->report.fact_count; i++)
		json_object_set_new(object, result->report.facts[i].key,
			json_string(result->report.facts[i].value));
	return object;
}

static void add_number(json_t *object, const char *name,
		       const struct claw_workload_result *result,
		       const char *key)
{
	const char *text = claw_workload_metric(result, key);

	json_object_set_new(object, name, !text ? json_null() :
			    text[strspn(text, "0123456789")] ?
			    json_real(strtod(text, NULL)) :
			    json_integer(strtoll(text, NULL, 10)));
}

static json_t *findings_json(const struct claw_findings *findings)
{
	json_t *list = json_array();

	for (size_t i = 0; i < findings->count; i++) {
		const struct claw_finding *one = &findings->items[i];

		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}",
			"kind", claw_finding_kind_name(one->kind),
			"space", claw_space_name(one->space),
			"kernel", one->kernel, "text", one->text));
	}
	return list;
}

static json_t *run_json(const struct claw_clw_test *test,
			const struct claw_workload_result *result,
			uint64_t attempts)
{
	json_t *object = json_pack(
		"{s:s, s:s?, s:s, s:s?, s:s?, s:s?, s:s?, s:f, s:I}",
		"test", test->case_name, "kernel", test->kernel,
		"result", claw_workload_end_name(result->end),
		"code", result->code,
		"message", *result->message ? result->message : NULL,
		"place", result->place, "dump", result->dump,
		"duration_ms", (double)result->duration_us / 1000,
		"attempts", (json_int_t)attempts);

	if (!object)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	add_number(object, "launches", result, "launches");
	add_number(object, "kernel_ms", result, "kernel_ms");
	add_number(object, "bytes", result, "bytes");
	add_number(object, "gb_per_s", result, "gb_per_s");
	json_object_set_new(object, "environment", facts_json(result));
	json_object_set_new(object, "findings",
			    findings_json(&result->report.findings));
	return object;
}

/* The worst run's result and code stand for all. */
static void write_json(const struct claw_clw *clw, json_t *runs,
		       enum claw_workload_end worst, const char *code)
{
	FILE *out = fopen(output, "we");
	bool written = false;
	json_t *object = json_pack("{s:s, s:s, s:s, s:s?, s:I, s:O}",
		"openclaw", PACKAGE_VERSION, "workload", clw->path,
		"result", claw_workload_end_name(worst), "code", code,
		"seed", (json_int_t)seed, "runs", runs);

	if (!object)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	if (out)
		written = json_dumpf(object, out, JSON_INDENT(2) |
				     JSON_REAL_PRECISION(6)) == 0 &&
			  fputc('\n', out) != EOF;
	if (!out || fclose(out) != 0 || !written)
		claw_die(CLAW_EXIT_INFRA, "run: cannot write %s: %s", output,
			 strerror(errno));
	json_decref(object);
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

static void run_once(const struct claw_clw *clw,
		     const struct claw_clw_test *test,
		     struct claw_workload_result *ret_result)
{
	struct claw_workload_config config = {
		.device = device, .repeat = repeat, .seed = seed,
		.timeout_ms = timeout_ms ? timeout_ms :
			settings.gpu_timeout_ms,
		.guards = guards, .models = models,
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
	       (result->code && (strcmp(result->code, "clw-gpu-crash") == 0 ||
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
		json_array_append_new(runs, run_json(test, &result, attempts));
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
		write_json(clw, runs, worst, code);
	json_decref(runs);
	free(code);
	return ends[worst].exit_status;
}

static int run_run(int argc, char *const *argv);

const struct claw_command claw_cmd_run = {
	.name = "run",
	.summary = "run a kernel file once, with its time and bandwidth",
	.usage = "--workload FILE.clw",
	.description =
		"Each test of the file runs in a process of its own with the "
		"layer in it. The time is the device's own for the launch; "
		"the bandwidth is that of the test's data, what goes in read "
		"once and what comes out written once.\n\n"
		"  openclaw run --workload saxpy.clw --repeat 10\n"
		"  openclaw run --workload matrix_multiply_v2.clw --output "
		"run.json",
	.options = run_options,
	.starts_programs = true,
	.run = run_run,
};

static int run_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_run, argc, argv, false);
	struct claw_clw *clw;
	int status;

	if (first < argc)
		claw_die(CLAW_EXIT_USAGE, "run: unexpected word \"%s\" (see "
			 "openclaw run --help)", argv[first]);
	if (!workload || !*workload)
		claw_die(CLAW_EXIT_USAGE, "run: expected --workload FILE (see "
			 "openclaw run --help)");
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
