/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watching a soak: what the meters say that is new, whether the program still
 * gets on, a sample when it is due, and whether the samples so far are enough
 * for --stop-on leak.
 */
#include "config.h"

#include "soak.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/api.h"
#include "harness/process/proctree.h"
#include "soak_left.h"
#include "harness/readers/stacks.h"

enum {
	JUDGE_FIRST = 12, PIDS_MAX = 64,
	LOG_MS = 1000,		/* from look to look at the kernel's log */
	START_MS = 30 * 1000,	/* of a run: it loads, builds, and grows */
};

/* ---- calls that fail --------------------------------------------------- */

/* What a code says without a doubt; -5 may be many things. */
static const char *diagnose(int code)
{
	switch (code) {
	case CL_MEM_OBJECT_ALLOCATION_FAILURE:
	case CL_OUT_OF_HOST_MEMORY:
		return "clw-out-of-memory";
	case CL_DEVICE_NOT_AVAILABLE:
		return "clw-device-lost";
	default:
		return NULL;
	}
}

static void put_code(char *text, size_t size, size_t code)
{
	const char *name = claw_code_name(-(int)code);

	if (code == CLAW_METER_CODES - 1)
		snprintf(text, size, "a code beyond -%d", CLAW_METER_CODES - 2);
	else if (name)
		snprintf(text, size, "%s", name);
	else
		snprintf(text, size, "-%zu", code);
}

static void tell_code(struct claw_soak *soak, size_t code, uint64_t count,
		      uint64_t *told, bool injected, bool all)
{
	char text[128], name[48];
	/* What fired, and its diagnosis, is told by rule when the run is over:
	 * one fault may answer many calls. */
	struct claw_soak_event event = {
		.kind = "error", .text = text, .injected = injected,
		.code = injected ? NULL : diagnose(-(int)code),
		.count = count - *told,
	};

	if (!code || count == *told || (!all && !claw_soak_is_news(count, *told)))
		return;
	if (event.code)
		soak->run.code = event.code;
	put_code(name, sizeof(name), code);
	snprintf(text, sizeof(text), "%s%s, %" PRIu64 " since the soak began",
		 name, injected ? " (INJECTED)" : "", count);
	*told = count;
	claw_soak_event(soak, &event);
}

void claw_soak_tell_codes(struct claw_soak *soak, bool all)
{
	const struct claw_sampler_totals *totals =
		claw_sampler_get_totals(soak->sampler);

	for (size_t i = 0; i < CLAW_METER_CODES; i++) {
		tell_code(soak, i, totals->errors[i], &soak->told.errors[i],
			  false, all);
		tell_code(soak, i, totals->injections[i],
			  &soak->told.faults[i], true, all);
	}
}

static void tell_wrong(struct claw_soak *soak)
{
	uint64_t wrong = claw_sampler_get_totals(soak->sampler)->wrong_results;
	char text[128];
	struct claw_soak_event event = {
		.kind = "wrong-result", .text = text,
		.count = wrong - soak->told.wrong,
	};

	if (!claw_soak_is_news(wrong, soak->told.wrong))
		return;
	snprintf(text, sizeof(text), "%" PRIu64 " of %" PRIu64 " iterations "
		 "with a wrong result", wrong, claw_soak_iterations(soak));
	soak->told.wrong = wrong;
	claw_soak_event(soak, &event);
}

/* ---- does it get on? --------------------------------------------------- */

static void hangs(struct claw_soak *soak, const char *what)
{
	snprintf(soak->run.hang_text, sizeof(soak->run.hang_text),
		 "%s for %g s", what,
		 (double)(soak->t_ms - soak->run.still_since_ms) / 1000);
	soak->run.hangs = true;
}

static void look_for_hang(struct claw_soak *soak)
{
	const struct claw_sampler_totals *totals =
		claw_sampler_get_totals(soak->sampler);
	bool counts = soak->workload->kind == CLAW_SOAK_KERNEL ||
		totals->iterations > 0;
	bool calls = totals->calls != soak->run.still_calls;
	bool gets_on = counts ? totals->iterations !=
		soak->run.still_iterations : calls;
	char *blocked, text[CLAW_SOAK_TEXT / 2];

	/* Until its first call it is not the device that it waits for. */
	if (gets_on || !soak->run.pid || totals->calls == soak->run.calls ||
	    soak->workload->kind == CLAW_SOAK_SUITE) {
		soak->run.still_calls = totals->calls;
		soak->run.still_iterations = totals->iterations;
		soak->run.still_since_ms = soak->t_ms;
		return;
	}
	if (!soak->config->gpu_timeout_ms || soak->run.hangs ||
	    soak->t_ms - soak->run.still_since_ms <
		    soak->config->gpu_timeout_ms)
		return;
	blocked = soak->run.session ?
			  claw_soak_left_blocked(soak->run.session) :
			  NULL;
	snprintf(text, sizeof(text), "blocked in %s", blocked ? blocked : "");
	if (!calls && blocked)
		hangs(soak, text);
	else if (counts)
		hangs(soak, calls ? "no iteration, although calls continue" :
		      "no iteration and no call");
	else	/* It is busy with something else. */
		soak->run.still_since_ms = soak->t_ms;
	free(blocked);
}

static void look_for_timeout(struct claw_soak *soak)
{
	uint64_t ran = soak->t_ms - soak->run.t_ms;

	if (!soak->config->timeout_ms || !soak->run.pid || soak->run.hangs ||
	    soak->workload->kind == CLAW_SOAK_SUITE ||
	    ran < soak->config->timeout_ms)
		return;
	snprintf(soak->run.hang_text, sizeof(soak->run.hang_text),
		 "not finished after %g s", (double)ran / 1000);
	soak->run.hangs = true;
}

/* ---- the device -------------------------------------------------------- */

static void tell_rise(struct claw_soak *soak, const struct claw_sample *now,
		      enum claw_series_id id, const char *kind,
		      const char *code)
{
	double before = soak->sample.values[id], after = now->values[id];
	struct claw_soak_event event;
	char text[160];

	/* False of NAN. */
	if (!(after > before))
		return;
	snprintf(text, sizeof(text), "%s: %.0f more, %.0f in all (measured)",
		 claw_series[id].title, after - before, after);
	event = (struct claw_soak_event){
		.kind = kind, .code = code, .text = text,
		.count = (uint64_t)(after - before),
	};
	claw_soak_event(soak, &event);
}

/* Power, where that is the only reason. */
static const char *throttle_code(const struct claw_telemetry_values *device)
{
	const char *text = device->throttle_text;

	if (!device->throttle_reasons)
		return NULL;
	return strstr(text, "power") && !strstr(text, "slowdown") ?
		"clw-power-limit" : "clw-thermal-throttle";
}

static void tell_device(struct claw_soak *soak, const struct claw_sample *now)
{
	const struct claw_telemetry_values *device =
		claw_sampler_get_device(soak->sampler);

	if (!soak->telemetry || !soak->samples)
		return;
	tell_rise(soak, now, CLAW_SERIES_ECC_CORRECTED, "ecc",
		  "clw-ecc-error");
	tell_rise(soak, now, CLAW_SERIES_ECC_UNCORRECTED, "ecc",
		  "clw-ecc-error");
	tell_rise(soak, now, CLAW_SERIES_PCIE_REPLAYS, "pcie",
		  "clw-pcie-error");
	if (device->has_throttle &&
	    device->throttle_reasons != soak->throttle_reasons)
		claw_soak_note(soak, "throttle", throttle_code(device),
			       "%s (measured)",
			       device->throttle_reasons ?
			       device->throttle_text :
			       "the clock is no longer reduced");
	soak->throttle_reasons = device->throttle_reasons;
}

static void tell_xid(const struct claw_soak_event *seen,
		     const struct claw_dmesg_line *line, void *user)
{
	struct claw_soak_event event = *seen;
	char text[CLAW_SOAK_TEXT];

	(void)line;
	snprintf(text, sizeof(text), "%s (measured)", seen->text);
	event.text = text;
	claw_soak_event(user, &event);
}

void claw_soak_look_at_log(struct claw_soak *soak)
{
	if (soak->log.is_watched)
		claw_xid_watch_look(&soak->log.watch, soak->pci, tell_xid,
				    soak);
	soak->log.ms = soak->t_ms;
}

/* ---- samples ----------------------------------------------------------- */

static bool is_working(const double *values)
{
	return values[CLAW_SERIES_LAUNCH_RATE] > 0 ||
		values[CLAW_SERIES_TRANSFER_RATE] > 0 ||
		values[CLAW_SERIES_ITERATION_RATE] > 0;
}

void claw_soak_judge_sample(struct claw_soak *soak,
			    const struct claw_sample *sample,
			    const struct claw_sample_site *sites, size_t count)
{
	bool is_first = sample->run != soak->judging.run;

	if (is_first) {
		soak->judging.run = sample->run;
		soak->judging.run_ms = sample->t_ms;
		soak->run.works = false;
	}
	/* A suite's programs are not looked into. */
	if (!soak->run.works && !is_working(sample->values) &&
	    sample->t_ms - soak->judging.run_ms <= START_MS &&
	    soak->workload->kind != CLAW_SOAK_SUITE)
		return;
	/* The work of a first sample may be that of the run before. */
	soak->run.works = !is_first;
	soak->judging.samples++;
	claw_soak_judge_add(soak->judge, sample, sites, count);
}

/* A program that goes on and counts nothing has none. */
static void take_iterations(struct claw_soak *soak, uint64_t interval_ms,
			    double *values)
{
	uint64_t iterations = claw_soak_iterations(soak);

	values[CLAW_SERIES_RESTARTS] = soak->runs ? (double)(soak->runs - 1) :
		0;
	if (!iterations && soak->workload->kind == CLAW_SOAK_PROGRAM)
		return;
	values[CLAW_SERIES_ITERATIONS] = (double)iterations;
	if (interval_ms)
		values[CLAW_SERIES_ITERATION_RATE] = 1000 *
			(double)(iterations - soak->sampled_iterations) /
			(double)interval_ms;
	soak->sampled_iterations = iterations;
}

void claw_soak_sample(struct claw_soak *soak)
{
	const struct claw_sample_site *sites = NULL;
	uint64_t before = soak->sample.t_ms > soak->segment_t_ms ?
		soak->sample.t_ms : soak->segment_t_ms;
	struct claw_sample sample;
	size_t count;

	claw_sampler_take(soak->sampler, soak->run.pid,
			  (double)(soak->t_ms - before), soak->telemetry,
			  &sample);
	sample.t_ms = soak->t_ms;
	sample.wall_ms = soak->wall_ms;
	sample.segment = soak->segment;
	sample.run = soak->runs;
	take_iterations(soak, soak->t_ms - before, sample.values);
	tell_device(soak, &sample);
	soak->sample = sample;
	soak->samples++;
	count = claw_sampler_get_sites(soak->sampler, &sites);
	if (claw_soak_disk_sample(soak->disk, &sample, sites, count) < 0)
		claw_soak_finish(soak, CLAW_SOAK_BROKEN, "cannot store a "
				 "sample");
	claw_soak_judge_sample(soak, &sample, sites, count);
	if (soak->t_ms - soak->log.ms >= LOG_MS)
		claw_soak_look_at_log(soak);
	claw_soak_metrics(soak, "running");
	claw_soak_report(soak);
}

/* ---- --stop-on leak, slowdown ------------------------------------------ */

static const char *const finding_words[] = {
	[CLAW_SOAK_LEAK] = "leak", [CLAW_SOAK_SLOWDOWN] = "slowdown",
};

static bool is_wanted(const struct claw_soak *soak,
		      enum claw_soak_finding finding)
{
	return (finding == CLAW_SOAK_LEAK &&
		soak->config->stop_on & CLAW_SOAK_STOP_LEAK) ||
		(finding == CLAW_SOAK_SLOWDOWN &&
		 soak->config->stop_on & CLAW_SOAK_STOP_SLOWDOWN);
}

/* The series to stop for, what the ledger says before all else; or NULL. */
static const struct claw_soak_series_verdict *
find_reason(const struct claw_soak *soak,
	    const struct claw_soak_verdict *verdict)
{
	const struct claw_soak_series_verdict *found = NULL;

	for (int i = 0; i < CLAW_SERIES_COUNT; i++) {
		if (!is_wanted(soak, verdict->series[i].finding))
			continue;
		if (claw_series[i].group == CLAW_GROUP_LEDGER)
			return &verdict->series[i];
		found = found ? found : &verdict->series[i];
	}
	return found;
}

/* "7 leak: live memory objects: grows by ...", or nothing. */
static int judge(FILE *out, void *user)
{
	struct claw_soak *soak = user;
	struct claw_soak_verdict verdict;
	const struct claw_soak_series_verdict *one;

	claw_soak_judge_say(soak->judge, &verdict);
	one = find_reason(soak, &verdict);
	if (one)
		fprintf(out, "%d %s: %s: %s", (int)one->series,
			finding_words[one->finding],
			claw_series[one->series].title, one->why);
	return 0;
}

/* What the ledger says is exact; of anything else what is said twice counts: a
 * program that begins grows, too. */
static void take_judgement(struct claw_soak *soak, const char *text)
{
	char *words;
	long series = text && *text ? strtol(text, &words, 10) : -1;

	if (series < 0 || series >= CLAW_SERIES_COUNT) {
		soak->judging.doubted_series = -1;
	} else if (soak->judging.doubted_series == series ||
		   claw_series[series].group == CLAW_GROUP_LEDGER) {
		claw_soak_notify(soak, "findings", words + 1);
		claw_soak_finish(soak, CLAW_SOAK_STOPPED, "stopped at the "
				 "first %s", words + 1);
	} else {
		soak->judging.doubted_series = (int)series;
	}
}

/* After 12 samples, and whenever there are a quarter more. */
static void judge_now_and_then(struct claw_soak *soak)
{
	char *text = NULL;

	if (soak->judging.errand.pid &&
	    claw_errand_poll(&soak->judging.errand, 0, &text))
		take_judgement(soak, text);
	free(text);
	if (!(soak->config->stop_on & (CLAW_SOAK_STOP_LEAK |
				       CLAW_SOAK_STOP_SLOWDOWN)) ||
	    soak->judging.errand.pid || soak->judging.samples < JUDGE_FIRST ||
	    soak->judging.samples < soak->judging.next_samples)
		return;
	soak->judging.next_samples = soak->judging.samples +
		soak->judging.samples / 4 + 1;
	claw_errand_start(&soak->judging.errand, judge, soak);
}

/* Between two runs there is nothing to see of the program: unless its runs are
 * too short for a look, the next one is waited for. */
static bool is_due(const struct claw_soak *soak)
{
	uint64_t late = soak->run.pid ? 0 : soak->config->interval_ms;

	return soak->end == CLAW_SOAK_GOES_ON &&
		soak->t_ms >= soak->next_sample_ms + late;
}

void claw_soak_watch(struct claw_soak *soak)
{
	uint64_t interval = soak->config->interval_ms;

	claw_soak_tick(soak);
	claw_sampler_look(soak->sampler);
	soak->handshake = soak->handshake ||
		claw_sampler_has_meters(soak->sampler);
	tell_wrong(soak);
	claw_soak_tell_codes(soak, false);
	look_for_hang(soak);
	look_for_timeout(soak);
	if (is_due(soak)) {
		claw_soak_sample(soak);
		soak->next_sample_ms += interval;
		if (soak->next_sample_ms <= soak->t_ms)
			soak->next_sample_ms = soak->t_ms + interval;
	}
	judge_now_and_then(soak);
	claw_soak_progress(soak);
}

/* It hangs: where, while it is there to be asked. malloced, or NULL. */
char *claw_soak_stacks(const struct claw_soak *soak)
{
	const struct claw_proctree tree = {
		.leader = soak->run.pid, .own_session = true,
		.case_id = soak->case_id,
	};
	pid_t pids[PIDS_MAX];
	size_t count = claw_proctree_list(&tree, pids, PIDS_MAX);

	return count ? claw_stacks_text(pids, count) : NULL;
}

void claw_soak_watch_release(struct claw_soak *soak)
{
	claw_errand_cancel(&soak->judging.errand);
}
