/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw profile": run a program once and say what it does with the device's
 * memory.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reports/write/report_files.h"
#include "harness/records/cmd_ended.h"
#include "harness/records/cmd_output.h"
#include "harness/machine/device_choice.h"
#include "harness/session/door.h"
#include "harness/session/icd_names.h"
#include "harness/base/errors.h"
#include "harness/session/model.h"
#include "harness/files/new_file.h"
#include "harness/base/options.h"
#include "harness/base/shared_options.h"
#include "profile.h"
#include "profile_timeline.h"
#include "harness/session/program.h"
#include "harness/records/records_soak.h"
#include "harness/process/runner.h"
#include "sampler.h"
#include "soak_device.h"
#include "harness/base/text.h"

enum {
	DEFAULT_INTERVAL_MS = 100, DEFAULT_TOP = 10,
	LEAST_INTERVAL_MS = 10,
};

static bool memory, force, verbose;
static uint64_t interval_ms = DEFAULT_INTERVAL_MS, top = DEFAULT_TOP;
static uint64_t timeout_ms;
static const char *output, *json_file;
static struct claw_strings model_words;

static const struct claw_option profile_options[] = {
	{ "memory", 'm', OPT_FLAG, NULL,
	  "profile device memory [default]", &memory },
	{ "interval", 'i', OPT_DURATION, "TIME",
	  "sampling interval; peak and owners are exact at any interval "
	  "[default: 100ms]", &interval_ms },
	{ "top", 0, OPT_UINT, "N", "print the top N call sites and kernels "
	  "[default: 10]", &top },
	CLAW_TIMEOUT_OPTION("none", &timeout_ms),
	CLAW_MODEL_OPTION(&model_words),
	CLAW_ICD_OPTION,
	CLAW_VIA_OPTION,
	CLAW_OUTPUT_OPTION("profile", &output),
	CLAW_HISTORY_OPTION,
	CLAW_FORCE_OPTION(&force),
	{ "json", 0, OPT_OPTIONAL, "FILE",
	  "also write the profile as JSON to FILE [default: only "
	  "DIR/profile.json]",
	  &json_file },
	{ "verbose", 'v', OPT_FLAG, NULL, "print the whole stack of each call "
					  "site",
	  &verbose },
	{ 0 },
};

struct profiling {
	char *const *argv;
	struct claw_cmd_output output;
	char *models;			/* for the session, or NULL */
	struct claw_session *session;
	struct claw_runner *runner;
	struct claw_sampler *sampler;
	struct claw_fragments fragments;
	struct claw_timeline timeline;
	struct claw_run_result run;
	struct timespec start;
	double last_ms;
};

_Noreturn static void die_not_started(void)
{
	claw_die(CLAW_EXIT_INFRA, "%s", claw_error_text(-CLAW_E_SPAWN));
}

/* ---- before ------------------------------------------------------------ */

/* What is there stays as it is, until there is a profile. */
static void check_json_file(void)
{
	/* Of DIR that is asked when it is made. */
	if (json_file && *json_file)
		claw_cmd_output_check_file("profile: --json", json_file,
					   output);
}

/* Memory of the device that fragments are told of, the model's where there is
 * one; 0: nobody says. */
static uint64_t device_bytes(const struct profiling *profiling)
{
	struct claw_soak_device device;
	uint64_t bytes;
	int ret = claw_soak_device_find(profiling->models,
					getenv("CLW_DEVICE_ID"), &device);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s", claw_error_text(ret));
	claw_soak_device_record(&device, profiling->output.records);
	bytes = device.bytes > 0 ? (uint64_t)device.bytes : 0;
	claw_soak_device_release(&device);
	return bytes;
}

static void open_output(struct profiling *profiling, int argc,
			char *const *command)
{
	claw_cmd_output_open(output, "profile", force, argc, command, 1, 0,
			     &profiling->output);
}

static void open_session(struct profiling *profiling)
{
	struct claw_session_config config = {
		.record = CLAW_RECORD_NONE, .ledger = CLAW_LEDGER_SITES,
		.meters = true, .models = profiling->models,
	};
	char *directory = claw_path_in(profiling->output.directory, "session");
	int ret = claw_session_new(directory, NULL, 0, &config,
					       &profiling->session);

	if (ret == -CLAW_E_IO)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", directory, strerror(errno));
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s", claw_error_text(ret));
	free(directory);
}

/* ---- meanwhile --------------------------------------------------------- */

static double elapsed_ms(const struct profiling *profiling)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - profiling->start.tv_sec) * 1e3 +
	       (double)(now.tv_nsec - profiling->start.tv_nsec) / 1e6;
}

static void look_at_ledgers(struct profiling *profiling)
{
	char **paths;
	size_t count;

	/* Of several processes nobody knows how they share the device. */
	if (claw_session_ledgers(profiling->session, &paths, &count) < 0)
		return;
	for (size_t i = 0; i < count; i++) {
		struct claw_ledger ledger;

		if (count == 1 && profiling->fragments.device_bytes &&
		    claw_ledger_read(paths[i], &ledger) == 0) {
			claw_fragments_look(&profiling->fragments, &ledger);
			claw_ledger_release(&ledger);
		}
		free(paths[i]);
	}
	free(paths);
}

static void take_sample(struct profiling *profiling)
{
	const struct claw_sample_site *sites;
	double now_ms = elapsed_ms(profiling);
	struct claw_sample sample;
	struct timespec wall;
	size_t count;

	claw_sample_init(&sample);
	claw_sampler_take(profiling->sampler, 0,
			  now_ms - profiling->last_ms, NULL, &sample);
	clock_gettime(CLOCK_REALTIME, &wall);
	sample.t_ms = (uint64_t)now_ms;
	sample.wall_ms = (int64_t)wall.tv_sec * 1000 + wall.tv_nsec / 1000000;
	sample.run = 1;
	count = claw_sampler_get_sites(profiling->sampler, &sites);
	claw_records_sample(profiling->output.records, &sample, sites, count);
	claw_timeline_add(&profiling->timeline, now_ms,
			  sample.values[CLAW_SERIES_DEVICE_BYTES]);
	look_at_ledgers(profiling);
	profiling->last_ms = now_ms;
}

static void tick(void *user)
{
	take_sample(user);
}

static void run_program(struct profiling *profiling)
{
	struct claw_run_spec spec = {
		.argv = profiling->argv,
		.set_env = profiling->session->environment,
		.stdin_mode = CLAW_STDIN_INHERIT,
		.foreground = true,
		.timeout_ms = timeout_ms,
	};

	profiling->runner = claw_runner_new(1);
	profiling->sampler = claw_sampler_new();
	if (!profiling->runner)
		die_not_started();
	claw_sampler_begin(profiling->sampler, profiling->session);
	claw_timeline_init(&profiling->timeline, (double)interval_ms);
	claw_runner_set_tick(profiling->runner, interval_ms, tick, profiling);
	clock_gettime(CLOCK_MONOTONIC, &profiling->start);
	if (claw_runner_run_one(profiling->runner, &spec, &profiling->run) < 0)
		die_not_started();
	claw_sampler_look(profiling->sampler);
	take_sample(profiling);
	claw_sampler_end(profiling->sampler);
	claw_sampler_free(profiling->sampler);
	claw_runner_free(profiling->runner);
}

/* ---- after ------------------------------------------------------------- */

static void dump_json(const json_t *all, const char *path)
{
	struct claw_new_file file;
	FILE *out = claw_new_file_begin(&file, path);
	int ret = out ? json_dumpf(all, out, JSON_INDENT(2)) : -1;

	if (out)
		ret |= fputc('\n', out) == EOF ? -1 : 0;
	if ((out && claw_new_file_end(&file, ret == 0) < 0) || ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", path, strerror(errno));
}

static void write_json(const struct profiling *profiling,
		       const struct claw_profile *profile)
{
	char *path = claw_path_in(profiling->output.directory, "profile.json");
	json_t *all = claw_made(claw_profile_json(profile,
						  &profiling->fragments));

	/* The reports read it there. */
	dump_json(all, path);
	if (json_file && *json_file)
		dump_json(all, json_file);
	json_decref(all);
	free(path);
}

static enum claw_verdict verdict_of(const struct claw_run_result *run)
{
	if (run->end == CLAW_END_TIMEOUT)
		return CLAW_HANG;
	if (run->end == CLAW_END_SIGNAL)
		return CLAW_CRASH;
	return run->end == CLAW_END_EXIT && run->code == 0 ? CLAW_PASSED :
		CLAW_FAILED;
}

static void note_result(struct profiling *profiling, enum claw_verdict verdict,
			const char *message)
{
	struct claw_result result = {
		.suite = "profile", .name = claw_base_name(profiling->argv[0]),
		.verdict = verdict, .message = message,
		.duration_us = profiling->run.duration_us, .attempt = 1,
	};

	claw_records_result(profiling->output.records, &result);
}

/* Says it; the exit status where nothing could be seen, or -1. */
static int tell(struct profiling *profiling)
{
	struct claw_profile profile;
	char peak[64], message[128];
	int ret = claw_profile_collect(profiling->session,
				       profiling->run.start_mono_ns, &profile);

	if (ret == -CLAW_E_NOT_FOUND || (ret == 0 && !profile.calls)) {
		claw_warn("%s: no OpenCL call was seen (openclaw doctor "
			  "checks the setup)", profiling->argv[0]);
		note_result(profiling, CLAW_NOT_INJECTED,
			    "no OpenCL call was seen");
		return CLAW_EXIT_UNKNOWN;
	}
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s", claw_error_text(ret));
	claw_series_print(peak, sizeof(peak), CLAW_UNIT_BYTES,
			  (double)profile.peak_bytes);
	snprintf(message, sizeof(message), "peak device memory %s", peak);
	note_result(profiling, verdict_of(&profiling->run), message);
	fflush(stdout);
	claw_profile_say(stderr, &profile, &profiling->fragments, top, verbose);
	claw_timeline_print(stderr, "\nDevice memory over time:",
			    &profiling->timeline, profile.peak_bytes);
	write_json(profiling, &profile);
	claw_profile_release(&profile);
	return -1;
}

static int end_alike(const struct claw_run_result *run)
{
	switch (run->end) {
	case CLAW_END_EXIT:
		return run->code;
	case CLAW_END_SIGNAL:
		return 128 + run->code;
	case CLAW_END_TIMEOUT:
		return CLAW_EXIT_FINDINGS;
	default:
		return CLAW_EXIT_UNKNOWN;
	}
}

static int finish(struct profiling *profiling)
{
	const struct claw_report_head options = { .verb = "profile" };
	int status = claw_cmd_not_started(&profiling->run,
					  profiling->argv[0]);

	if (status < 0)
		status = tell(profiling);
	if (status < 0)
		status = end_alike(&profiling->run);
	claw_cmd_output_end(&profiling->output, status,
			    profiling->run.end == CLAW_END_CANCELLED);
	if (claw_report_write_all(profiling->output.directory, &options) < 0)
		claw_warn("cannot write the reports in %s",
			  profiling->output.shown);
	fprintf(stderr, "\nreport: %s/report.html\n", profiling->output.shown);
	return status;
}

/* ---- the command ------------------------------------------------------- */

static int run_profile(int argc, char *const *argv);

const struct claw_command claw_cmd_profile = {
	.name = "profile",
	.summary = "profile a program's use of device memory",
	.usage = "[--memory] -- PROGRAM [ARG...]",
	.description =
		"The program keeps its input and output. When it has exited, "
		"openclaw prints on standard error: the peak memory of its "
		"OpenCL objects and the call sites that owned it, an estimate "
		"of fragmentation, local and private memory per kernel, "
		"transfers to and from the device, and allocation "
		"latencies.\n\n"
		"  openclaw profile --memory -- ./filter in.png\n"
		"  clw-profile --memory -- ./filter in.png\n\n"
		"Exit status: the program's own (128+N if signal N killed "
		"it), 2 no OpenCL call was seen, 64 usage error, 126 not "
		"executable, 127 not found, 99 openclaw itself failed.",
	.options = profile_options,
	.reads_config = true,
	.run = run_profile,
};

static void check_numbers(void)
{
	if (interval_ms < LEAST_INTERVAL_MS)
		claw_die(CLAW_EXIT_USAGE, "profile: option --interval: "
			 "expected at least %dms, found %" PRIu64 "ms",
			 LEAST_INTERVAL_MS, interval_ms);
	if (!top)
		claw_die(CLAW_EXIT_USAGE, "profile: option --top: expected a "
			 "number from 1 on, found \"0\"");
}

static int run_profile(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_profile, argc, argv, true);
	struct profiling profiling = { .argv = argv + first };
	struct claw_program program;
	int status;

	if (first >= argc)
		claw_die(CLAW_EXIT_USAGE, "profile: expected a program whose "
			 "memory is to be watched: clw-profile --memory -- "
			 "PROGRAM [ARG...] (see openclaw profile --help)");
	check_numbers();
	claw_cmd_look_at_program(argv[first], &program);
	claw_via_choose(&program);
	claw_device_choice_check(NULL, &model_words);
	/* A mistake there leaves nothing behind. */
	profiling.models = claw_models_of(&model_words);
	check_json_file();
	open_output(&profiling, argc, argv);
	open_session(&profiling);
	claw_fragments_init(&profiling.fragments, device_bytes(&profiling));
	run_program(&profiling);
	status = finish(&profiling);
	claw_run_result_release(&profiling.run);
	claw_fragments_release(&profiling.fragments);
	claw_session_free(profiling.session);
	claw_program_release(&program);
	free(profiling.models);
	claw_cmd_output_release(&profiling.output);
	return status;
}
