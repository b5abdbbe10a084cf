/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a soak: results of its workload, its crashes, its series and the
 * sites that grow, and the exit status that they come to.
 */
#include "config.h"

#include "soak.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/session/called.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"

/* A line may be cut. */
__attribute__((format(printf, 3, 4)))
static void put(char *text, size_t size, const char *words, ...)
{
	va_list args;

	va_start(args, words);
	vsnprintf(text, size, words, args);
	va_end(args);
}

/* What all results have come to. */
struct tally {
	struct claw_soak *soak;
	size_t findings, unknown;
	char first[CLAW_SOAK_TEXT];	/* of the findings */
	char first_unknown[CLAW_SOAK_TEXT];
};

/* A series has words for people. */
static const char *title_of(const struct claw_result *result)
{
	int id = claw_series_find(result->name);

	return id < 0 || strcmp(result->suite, "soak") != 0 ? result->name :
		claw_series[id].title;
}

static void add(struct tally *tally, struct claw_result *result)
{
	char class = claw_verdict_class(result->verdict);
	char *first = class == 'f' ? tally->first : tally->first_unknown;

	result->attempt = 1;
	result->item = "workload";
	result->duration_us = tally->soak->end_ms * 1000;
	claw_records_result(tally->soak->records, result);
	tally->findings += class == 'f';
	tally->unknown += class == 'u';
	if ((class == 'f' || class == 'u') && !*first)
		put(first, CLAW_SOAK_TEXT, "%s: %s", title_of(result),
			 result->message ? result->message : "");
}

/* ---- the workload ------------------------------------------------------ */

/* Why nothing can be said of it, NULL: something can. */
static const char *why_unknown(const struct claw_soak *soak)
{
	if (soak->end != CLAW_SOAK_REACHED && soak->end != CLAW_SOAK_STOPPED &&
	    soak->end != CLAW_SOAK_GAVE_UP)
		return soak->why;
	return soak->judging.samples ? NULL : "no sample was taken while it "
		"worked: use a longer --duration or a shorter --monitor-interval";
}

static enum claw_verdict verdict_of(struct claw_soak *soak, char *text,
				    size_t size)
{
	uint64_t wrong = claw_sampler_get_totals(soak->sampler)->wrong_results;
	uint64_t iterations = claw_soak_iterations(soak);
	bool kernel = soak->workload->kind == CLAW_SOAK_KERNEL;

	if (!soak->handshake && soak->workload->kind == CLAW_SOAK_SUITE) {
		put(text, size, "no run of the suite finished: %s",
		    soak->why);
		return CLAW_UNKNOWN;
	}
	if (!soak->handshake) {
		put(text, size, "%s%sno OpenCL call was seen: %s",
		    soak->signature_count ? soak->signatures[0].text : "",
		    soak->signature_count ? "; " : "",
		    soak->why_not ? soak->why_not : soak->why);
		return CLAW_NOT_INJECTED;
	}
	if (wrong) {
		put(text, size, "%" PRIu64 " of %" PRIu64 " iterations "
			 "had a wrong result", wrong, iterations);
		return CLAW_FAILED;
	}
	if (soak->end == CLAW_SOAK_GAVE_UP) {
		put(text, size, "%s", soak->why);
		return CLAW_FAILED;
	}
	if (why_unknown(soak) || (kernel && !iterations)) {
		put(text, size, "%s", kernel && !iterations &&
			 soak->end == CLAW_SOAK_REACHED ? "no iteration was "
			 "completed" : why_unknown(soak));
		return CLAW_UNKNOWN;
	}
	put(text, size, "%" PRIu64 " iteration%s, %" PRIu64 " start%s of "
		 "the program", iterations, iterations == 1 ? "" : "s",
		 soak->runs, soak->runs == 1 ? "" : "s");
	return CLAW_PASSED;
}

static void add_workload(struct tally *tally)
{
	struct claw_soak *soak = tally->soak;
	char text[CLAW_SOAK_TEXT], metrics[128];
	double peak = claw_soak_peak(soak);
	int length;
	struct claw_result result = {
		.suite = "soak", .name = "workload",
		.verdict = verdict_of(soak, text, sizeof(text)),
		.message = text, .metrics = metrics,
	};

	length = snprintf(metrics, sizeof(metrics), CLAW_TOLD_ITERATIONS "=%"
			  PRIu64 " " CLAW_TOLD_ELAPSED "=%" PRIu64,
			  claw_soak_iterations(soak), soak->end_ms);
	if (!isnan(peak))
		snprintf(metrics + length, sizeof(metrics) - (size_t)length,
			 " " CLAW_TOLD_PEAK "=%.0f", peak);
	if (result.verdict != CLAW_PASSED)
		result.reproduce = soak->again;
	result.detail = soak->last_words;
	add(tally, &result);
}

/* ---- crashes ----------------------------------------------------------- */

static char *format(const char *words, ...)
	__attribute__((format(printf, 1, 2)));

static char *format(const char *words, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, words);
	text = claw_vformat(words, args);
	va_end(args);
	return text;
}

static char *crash_line(const struct claw_soak *soak, const char *path)
{
	char *full = NULL, *quoted = NULL, *line = NULL;

	if (!claw_soak_is_dump(path))
		return soak->again ? claw_strdup(soak->again) : NULL;
	full = format("%s/%s", soak->shown_directory, path);
	quoted = full ? claw_shell_quote(full) : NULL;
	if (quoted)
		line = format("%s repro %s", claw_called(), quoted);
	free(full);
	free(quoted);
	return line;
}

static void add_signature(struct tally *tally,
			  const struct claw_soak_signature *signature)
{
	char *line = crash_line(tally->soak, signature->path);
	char *text = format("%" PRIu64 " time%s, first after %.1f s, last "
			    "after %.1f s: %s", signature->count,
			    signature->count == 1 ? "" : "s",
			    (double)signature->first_ms / 1000,
			    (double)signature->last_ms / 1000,
			    signature->text ? signature->text : "");
	struct claw_result result = {
		.suite = "soak-crash", .name = signature->signature,
		.verdict = strcmp(signature->kind, "crash") == 0 ? CLAW_CRASH :
			strcmp(signature->kind, "hang") == 0 ? CLAW_HANG :
			CLAW_FAILED,
		.message = text, .code = signature->code, .reproduce = line,
	};

	/* An error exit is what an injected fault asks for. */
	if (signature->injected < signature->count)
		add(tally, &result);
	free(line);
	free(text);
}

/* ---- series ------------------------------------------------------------ */

static const enum claw_verdict verdicts[] = {
	[CLAW_SOAK_STEADY] = CLAW_PASSED,
	[CLAW_SOAK_UNKNOWN] = CLAW_UNKNOWN,
	[CLAW_SOAK_LEAK] = CLAW_LEAK,
	[CLAW_SOAK_SLOWDOWN] = CLAW_SLOWDOWN,
};

static void put_metric(FILE *out, const char *name, double value)
{
	if (!isnan(value))
		fprintf(out, " %s=%.6g", name, value);
}

static char *metrics_of(const struct claw_trend *trend, double exhausted_hours)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fprintf(out, "samples=%zu", trend->count);
	put_metric(out, "slope", trend->slope);
	put_metric(out, "low", trend->low);
	put_metric(out, "high", trend->high);
	put_metric(out, "exhausted_hours", exhausted_hours);
	put_metric(out, "noise", trend->noise);
	put_metric(out, "effect", trend->effect);
	put_metric(out, "cusum", trend->cusum);
	claw_text_end(out);
	return text;
}

bool claw_soak_is_judged(const struct claw_soak *soak,
			 const struct claw_soak_series_verdict *one)
{
	enum claw_series_group group = claw_series[one->series].group;

	if (one->finding == CLAW_SOAK_NOT_MEASURED ||
	    group == CLAW_GROUP_NONE || group == CLAW_GROUP_EVENTS)
		return false;
	if (one->finding != CLAW_SOAK_UNKNOWN ||
	    one->trend.count >= CLAW_TREND_LEAST)
		return true;
	/* What it did at its begin only, it did not do slower and slower. */
	if (group == CLAW_GROUP_LATENCY &&
	    soak->samples >= 2 * CLAW_TREND_LEAST)
		return false;
	return !claw_soak_is_cut_short(soak, group);
}

static void add_series(struct tally *tally,
		       const struct claw_soak_series_verdict *one)
{
	char *metrics, *text = NULL;
	struct claw_result result = {
		.suite = "soak", .name = claw_series[one->series].name,
		.message = one->why,
	};

	if (!claw_soak_is_judged(tally->soak, one))
		return;
	result.verdict = verdicts[one->finding];
	if (one->because) {
		result.verdict = CLAW_ALSO_GROWS;
		text = format("%s, because of this leak: %s", one->why,
			      one->because);
		result.message = text ? text : one->why;
	}
	metrics = metrics_of(&one->trend, one->exhausted_hours);
	result.metrics = metrics;
	if (result.verdict != CLAW_PASSED)
		result.reproduce = tally->soak->again;
	add(tally, &result);
	free(metrics);
	free(text);
}

static void add_all_series(struct tally *tally,
			   const struct claw_soak_verdict *verdict)
{
	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		add_series(tally, &verdict->series[i]);
	if (claw_soak_is_cut_short(tally->soak, CLAW_GROUP_LEDGER))
		claw_records_note(tally->soak->records, "memory held during a "
				  "run was not judged: each run ends after a "
				  "few samples; use a shorter "
				  "--monitor-interval");
}

/* "load (tile.c:88)": file and line; false: it has none. */
static bool split_place(const char *place, char **ret_file,
			unsigned int *ret_line)
{
	const char *open = place ? strrchr(place, '(') : NULL;
	const char *colon = open ? strrchr(open, ':') : NULL;

	if (!colon || colon[1] < '1' || colon[1] > '9')
		return false;
	*ret_file = claw_strndup(open + 1, (size_t)(colon - open - 1));
	*ret_line = (unsigned int)strtoul(colon + 1, NULL, 10);
	return *ret_file != NULL;
}

static void add_site(struct tally *tally,
		     const struct claw_soak_site_verdict *site)
{
	bool has_bytes = site->bytes.slope > 0;
	const struct claw_trend *trend = has_bytes ? &site->bytes :
		&site->objects;
	char slope[64], bytes[64], *file = NULL, *text, *metrics;
	struct claw_result result = {
		.suite = "soak-site", .name = site->site,
		.verdict = CLAW_LEAK, .reproduce = tally->soak->again,
		.seen = has_bytes ? "bytes" : "objects",
	};

	claw_series_print(slope, sizeof(slope), has_bytes ? CLAW_UNIT_BYTES :
			  CLAW_UNIT_COUNT, trend->slope);
	claw_series_print(bytes, sizeof(bytes), CLAW_UNIT_BYTES,
			  (double)site->last_bytes);
	text = format("objects created at %s grow by %s%s an hour: %" PRIu64
		      " alive at the end, %s", site->place ? site->place :
		      site->site, slope, has_bytes ? "" : " objects",
		      site->last_objects, bytes);
	metrics = metrics_of(trend, NAN);
	result.message = text;
	result.metrics = metrics;
	if (split_place(site->place, &file, &result.line))
		result.file = file;
	add(tally, &result);
	free(file);
	free(text);
	free(metrics);
}

/* ---- ends of runs ------------------------------------------------------ */

bool claw_soak_is_growing(const struct claw_soak_verdict *verdict,
			  const char *site)
{
	for (size_t i = 0; i < verdict->site_count; i++)
		if (strcmp(verdict->sites[i].site, site) == 0)
			return true;
	return false;
}

static void add_forgotten(struct tally *tally,
			  const struct claw_soak_leak *leak)
{
	char *text = claw_soak_leak_text(leak, tally->soak->runs), *file = NULL;
	struct claw_result result = {
		.suite = "soak-site", .name = leak->site,
		.verdict = CLAW_LEAK, .message = text,
		.reproduce = tally->soak->again, .seen = "objects",
	};

	if (split_place(leak->place, &file, &result.line))
		result.file = file;
	add(tally, &result);
	free(file);
	free(text);
}

static void add_ends(struct tally *tally,
		     const struct claw_soak_verdict *verdict)
{
	struct claw_soak *soak = tally->soak;
	char text[CLAW_SOAK_TEXT];
	struct claw_result result = {
		.suite = "soak", .name = "end_of_run", .message = text,
		.verdict = claw_soak_ends_verdict(soak, text, sizeof(text)),
	};

	for (size_t i = 0; i < soak->leaks.count; i++)
		if (!claw_soak_is_growing(verdict, soak->leaks.items[i].site))
			add_forgotten(tally, &soak->leaks.items[i]);
	if (soak->leaks.count)
		soak->worst = CLAW_SOAK_LEAK;
	else if (result.verdict != CLAW_SKIPPED)
		add(tally, &result);
}

/* ---- all --------------------------------------------------------------- */

static bool is_reached(const struct claw_soak *soak)
{
	const struct claw_soak_config *config = soak->config;

	return soak->end == CLAW_SOAK_REACHED ||
		soak->end == CLAW_SOAK_STOPPED ||
		/* Who asked for no end got one. */
		(soak->end == CLAW_SOAK_CANCELLED && !config->duration_ms &&
		 !config->iterations);
}

static void decide(const struct tally *tally,
		   struct claw_soak_summary *summary)
{
	const struct claw_soak *soak = tally->soak;

	summary->findings = tally->findings;
	summary->exit_status = CLAW_EXIT_UNKNOWN;
	if (soak->end == CLAW_SOAK_SKIPPED ||
	    soak->end == CLAW_SOAK_NO_START) {
		summary->word = soak->end == CLAW_SOAK_SKIPPED ? "skipped" :
			"not run";
		summary->exit_status = soak->end == CLAW_SOAK_SKIPPED ?
			CLAW_EXIT_SKIPPED : CLAW_EXIT_USAGE;
		put(summary->text, sizeof(summary->text), "%s", soak->why);
	} else if (!soak->handshake &&
		   soak->workload->kind != CLAW_SOAK_SUITE) {
		summary->word = "not-injected";
		put(summary->text, sizeof(summary->text), "%s",
			 tally->first_unknown);
	} else if (tally->findings && is_reached(soak)) {
		summary->word = "findings";
		summary->exit_status = CLAW_EXIT_FINDINGS;
		put(summary->text, sizeof(summary->text), "%s%s%s",
			 soak->end == CLAW_SOAK_STOPPED ? soak->why :
			 tally->first, "", "");
	} else if (tally->findings && soak->end == CLAW_SOAK_GAVE_UP) {
		summary->word = "findings";
		summary->exit_status = CLAW_EXIT_FINDINGS;
		put(summary->text, sizeof(summary->text), "%s", soak->why);
	} else if (!is_reached(soak)) {
		summary->word = "incomplete";
		put(summary->text, sizeof(summary->text), "%s%s%s",
			 soak->why, tally->findings ? "; so far: " : "",
			 tally->first);
	} else if (!soak->has_room) {
		summary->word = "incomplete";
		put(summary->text, sizeof(summary->text), "records were lost "
			 "to a full disk");
	} else if (tally->unknown) {
		summary->word = "unknown";
		put(summary->text, sizeof(summary->text), "%s",
			 tally->first_unknown);
	} else {
		summary->word = "clean";
		summary->exit_status = CLAW_EXIT_CLEAN;
		put(summary->text, sizeof(summary->text), "%s",
			 !claw_soak_is_cut_short(soak, CLAW_GROUP_LEDGER) ?
			 "no leak, no slowdown, no failure" :
			 soak->workload->kind == CLAW_SOAK_SUITE ?
			 "no failure; runs are too short to judge memory held "
			 "during a run" :
			 "no failure, no slowdown, no unreachable object at "
			 "the end of a run (openclaw check --leak-check=all "
			 "lists reachable ones); runs are too short to judge "
			 "host memory");
	}
}

void claw_soak_results(struct claw_soak *soak,
		       struct claw_soak_verdict *verdict,
		       struct claw_soak_summary *ret_summary)
{
	struct tally tally = { .soak = soak };

	claw_soak_judge_say(soak->judge, verdict);
	soak->worst = verdict->worst;
	claw_soak_tell_leaks(soak, true);
	soak->has_room = claw_soak_disk_settle(soak->disk);
	add_workload(&tally);
	for (size_t i = 0; i < soak->signature_count; i++)
		add_signature(&tally, &soak->signatures[i]);
	if (soak->handshake) {
		for (size_t i = 0; i < verdict->site_count; i++)
			add_site(&tally, &verdict->sites[i]);
		add_ends(&tally, verdict);
		add_all_series(&tally, verdict);
	}
	for (size_t i = 0; i < soak->plan->rules.count; i++)
		claw_records_rule(soak->records, soak->plan->given[i],
				  soak->rule_matched[i], soak->rule_fired[i]);
	*ret_summary = (struct claw_soak_summary){ .word = "" };
	decide(&tally, ret_summary);
}

char *claw_soak_resume_line(const struct claw_soak *soak)
{
	char *quoted = claw_shell_quote(soak->shown_directory);
	char *line = format("%s soak --resume %s", claw_called(), quoted);

	free(quoted);
	return line;
}
