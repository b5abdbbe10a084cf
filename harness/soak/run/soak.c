/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The soak itself: the program is started, watched, ended or started again,
 * until the duration or the iterations are reached, something asks for its
 * end, or nothing good comes any more.
 */
#include "config.h"

#include "soak.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/crash/capture/capturing.h"
#include "harness/crash/dump/dump_meta.h"
#include "harness/base/errors.h"
#include "harness/base/text.h"
#include "harness/base/words.h"

enum {
	LOOK_LEAST_MS = 50, LOOK_MOST_MS = 1000,
	LOOK_FIRST_MS = 20,	/* in a run, when a sample is due */
	LOG_BYTES = 32 * 1024,	/* of the program's output, head and tail each */
	/* Of the last calls, and 16 MiB for live objects: what a program that
	 * runs for days has of it is whole, and does not grow, early on. */
	RING_BYTES = 1 << 20,
	CONTENTS_MOST = 64 << 20, CONTENTS_PART = 16,	/* of --max-disk */
	CAPTURE_LEAST = 128 << 20,
};

void claw_soak_finish(struct claw_soak *soak, enum claw_soak_end end,
		      const char *format, ...)
{
	va_list args;

	if (soak->end != CLAW_SOAK_GOES_ON)
		return;
	soak->end = end;
	soak->end_ms = soak->t_ms;
	va_start(args, format);
	vsnprintf(soak->why, sizeof(soak->why), format, args);
	va_end(args);
}

double claw_soak_peak(const struct claw_soak *soak)
{
	return soak->handshake && soak->workload->kind != CLAW_SOAK_SUITE ?
		(double)soak->peak_device_bytes : NAN;
}

uint64_t claw_soak_iterations(const struct claw_soak *soak)
{
	uint64_t told = claw_sampler_get_totals(soak->sampler)->iterations;

	return soak->past_iterations +
		(told || soak->workload->kind == CLAW_SOAK_KERNEL ? told :
		 soak->clean_runs);
}

void claw_soak_tick(struct claw_soak *soak)
{
	char text[256];

	if (claw_soak_clock_now(&soak->clock, &soak->t_ms, &soak->wall_ms,
				text, sizeof(text)))
		claw_soak_note(soak, "clock", NULL, "%s", text);
}

/* ---- is it over? ------------------------------------------------------- */

static uint64_t left_ms(const struct claw_soak *soak)
{
	uint64_t duration = soak->config->duration_ms;

	if (!duration)
		return UINT64_MAX;
	return soak->t_ms < duration ? duration - soak->t_ms : 0;
}

static void check_reached(struct claw_soak *soak)
{
	uint64_t wanted = soak->config->iterations;

	if (!left_ms(soak))
		claw_soak_finish(soak, CLAW_SOAK_REACHED, "the duration has "
				 "elapsed");
	else if (wanted && claw_soak_iterations(soak) >= wanted)
		claw_soak_finish(soak, CLAW_SOAK_REACHED, "all iterations are "
				 "done");
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Until something is to be done. */
static uint64_t next_look_ms(const struct claw_soak *soak)
{
	const struct claw_soak_config *config = soak->config;
	uint64_t ms = least(config->interval_ms, LOOK_MOST_MS);

	if (config->gpu_timeout_ms)
		ms = least(ms, config->gpu_timeout_ms / 4);
	if (config->timeout_ms)
		ms = least(ms, config->timeout_ms / 4);
	if (soak->next_sample_ms > soak->t_ms)
		ms = least(ms, soak->next_sample_ms - soak->t_ms);
	ms = ms < LOOK_LEAST_MS ? LOOK_LEAST_MS : ms;
	return least(ms, left_ms(soak));
}

/* The runner asks: how much longer? 0: the program is ended now. */
static uint64_t look(void *user)
{
	struct claw_soak *soak = user;

	claw_soak_watch(soak);
	check_reached(soak);
	if (soak->run.hangs)
		soak->run.stacks = claw_soak_stacks(soak);
	if (soak->end != CLAW_SOAK_GOES_ON && soak->samples &&
	    soak->sample.t_ms < soak->t_ms)
		claw_soak_sample(soak);		/* as it was last */
	return soak->end != CLAW_SOAK_GOES_ON || soak->run.hangs ? 0 :
		next_look_ms(soak);
}

/* ---- one run ----------------------------------------------------------- */

/* From the first run on: nobody knows which one crashes. */
static bool has_room_to_capture(const struct claw_soak *soak)
{
	return claw_capturing_wanted() ||
		soak->config->max_disk_bytes >= CAPTURE_LEAST;
}

/* Calls without contents: to keep what each write brings made a program that
 * writes 1 MiB a round 2.5 times as slow, which a soak would then judge. */
static int make_session(struct claw_soak *soak,
			struct claw_session **ret_session)
{
	char **texts = claw_fault_plan_texts(soak->plan);
	char *directory = claw_path_in(soak->directory, "session");
	char *dumps = claw_path_in(soak->directory, "crashes");
	struct claw_session_config config = {
		/* Else each start would meet the same faults. */
		.seed = soak->plan->seed + soak->runs, .record = CLAW_RECORD_LAST,
		.ledger = CLAW_LEDGER_SITES, .meters = true,
		.models = soak->config->models,
	};
	int ret;

	soak->run.is_captured = has_room_to_capture(soak);
	if (soak->run.is_captured)
		config.capture = (struct claw_session_capture){
			.buffers = CLAW_CAPTURE_NONE, .into = dumps,
			.ring_bytes = RING_BYTES,
			.max_bytes = least(CONTENTS_MOST,
					   soak->config->max_disk_bytes /
					   CONTENTS_PART),
		};
	claw_directory_remove(directory);
	ret = claw_session_new(directory, texts, soak->plan->rules.count,
			       &config, ret_session);
	free(texts);
	free(directory);
	free(dumps);
	if (ret == 0 && soak->config->device)
		ret = claw_session_setenv(*ret_session, "CLW_DEVICE_ID",
					  soak->config->device);
	return ret;
}

static void note_start(int pid, void *user)
{
	struct claw_soak *soak = user;

	soak->run.pid = pid;
}

static void begin_run(struct claw_soak *soak,
		      const struct claw_session *session)
{
	const struct claw_sampler_totals *totals =
		claw_sampler_get_totals(soak->sampler);
	uint64_t wanted = soak->config->iterations;

	soak->runs++;
	soak->run.session = session;
	soak->run.t_ms = soak->run.still_since_ms = soak->t_ms;
	soak->run.iterations = claw_soak_iterations(soak);
	soak->run.faults = totals->injected;
	soak->run.calls = totals->calls;
	soak->run.still_calls = totals->calls;
	soak->run.still_iterations = totals->iterations;
	soak->run.hangs = false;
	soak->run.code = NULL;
	if (session)
		claw_sampler_begin(soak->sampler, session);
	if (wanted)
		claw_soak_workload_limit(soak->workload,
					 wanted - soak->run.iterations);
}

static void end_run(struct claw_soak *soak)
{
	soak->run.pid = 0;
	claw_sampler_end(soak->sampler);
	soak->run.session = NULL;
	free(soak->run.stacks);
	soak->run.stacks = NULL;
}

/* What dumps say of the command. */
static void write_about(const struct claw_soak *soak,
			const struct claw_session *session)
{
	json_t *about;

	if (!soak->run.is_captured)
		return;
	about = claw_dump_about_new(soak->workload->argv, false);
	claw_dump_about_write(about, session->directory);
	json_decref(about);
}

static int run_once(struct claw_soak *soak, const struct claw_session *session)
{
	bool due = soak->t_ms >= soak->next_sample_ms;
	struct claw_run_spec spec = {
		.argv = soak->workload->argv,
		.set_env = session ? session->environment : NULL,
		.stdin_mode = CLAW_STDIN_EMPTY,
		.timeout_ms = due ? LOOK_FIRST_MS : next_look_ms(soak),
		.head_bytes = LOG_BYTES, .tail_bytes = LOG_BYTES,
		.case_id = soak->case_id, .no_core = true,
		.more_time_ms = look, .more_time_user = soak,
		.exact_timeout = true,
		.started = note_start, .started_user = soak,
	};
	struct claw_run_result result = { .end = CLAW_END_INFRA };
	int ret;

	spec.timeout_ms = spec.timeout_ms ? spec.timeout_ms : 1;
	ret = claw_runner_run_one(soak->runner, &spec, &result);
	if (ret < 0)
		return ret;
	soak->run.pid = 0;
	claw_soak_watch(soak);
	if (!result.stacks) {
		result.stacks = soak->run.stacks;
		soak->run.stacks = NULL;
	}
	if (ret > 0 || result.end == CLAW_END_CANCELLED)
		claw_soak_finish(soak, CLAW_SOAK_CANCELLED, "interrupted%s%s",
				 ret > 0 ? " by " : "", ret > 0 ?
				 claw_signal_name(ret) : "");
	claw_soak_ended(soak, session, &result);
	claw_run_result_release(&result);
	return 0;
}

static int run_program(struct claw_soak *soak)
{
	struct claw_session *session = NULL;
	int ret = 0;

	if (soak->workload->kind != CLAW_SOAK_SUITE)
		ret = make_session(soak, &session);
	if (ret < 0)
		return ret;
	begin_run(soak, session);
	write_about(soak, session);
	ret = run_once(soak, session);
	end_run(soak);
	if (session)
		claw_directory_remove(session->directory);
	claw_session_free(session);
	check_reached(soak);
	return ret;
}

/* A handler, not SIG_IGN: that would be inherited by the program. A file that may
 * not grow is a disk that is full (soak_disk.h). */
static void ignore(int number)
{
	(void)number;
}

static void outlive_limits(void)
{
	sigaction(SIGXFSZ, &(struct sigaction){ .sa_handler = ignore }, NULL);
}

/* What it cannot be asked is said once. */
static void begin_log(struct claw_soak *soak)
{
	int ret = claw_xid_watch_begin(&soak->log.watch);
	char text[128];

	soak->log.is_watched = ret == 0;
	soak->log.ms = soak->t_ms;
	snprintf(text, sizeof(text), "not measurable: %s", ret == -CLAW_E_IO ?
		 strerror(errno) : "its lines have no timestamps");
	if (soak->segment == 0)
		claw_records_environment(soak->records, "native",
					 "kernel log", ret == 0 ?
					 "watched" : text);
}

int claw_soak_run(struct claw_soak *soak)
{
	int ret = 0;

	claw_soak_tick(soak);
	soak->segment_t_ms = soak->t_ms;
	soak->sampled_iterations = claw_soak_iterations(soak);
	soak->next_sample_ms = soak->t_ms + soak->config->interval_ms;
	soak->judging.doubted_series = -1;
	begin_log(soak);
	claw_soak_report(soak);
	outlive_limits();
	check_reached(soak);
	soak->runner = claw_runner_new(2);	/* it, and --notify */
	if (!soak->runner)
		return -CLAW_E_IO;
	while (ret == 0 && soak->end == CLAW_SOAK_GOES_ON)
		ret = run_program(soak);
	claw_soak_tick(soak);
	claw_soak_look_at_log(soak);
	claw_soak_tell_codes(soak, true);
	if (claw_sampler_get_peak(soak->sampler) > soak->peak_device_bytes)
		soak->peak_device_bytes = claw_sampler_get_peak(soak->sampler);
	claw_soak_progress_clear(soak);
	claw_soak_watch_release(soak);
	claw_runner_free(soak->runner);
	soak->runner = NULL;
	return ret;
}
