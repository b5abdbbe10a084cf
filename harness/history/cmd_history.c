/* SPDX-License-Identifier: Apache-2.0 */
/* openclaw history: what changed over many runs. */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/base/text.h"
#include "history.h"
#include "history_judge.h"

enum { DAY = 86400, COMMIT_DIGITS = 12 };

static struct {
	const char *file, *since, *name, *device, *before;
	bool is_json;
} given;

static const struct claw_option history_options[] = {
	{ "history", 0, OPT_STRING, "FILE",
	  "the SQLite file [default: OPENCLAW_HISTORY, openclaw.db]",
	  &given.file },
	{ "since", 0, OPT_STRING, "TIME",
	  "only runs from YYYY-MM-DD on, or of so many days, as 30d",
	  &given.since },
	{ "case", 0, OPT_STRING, "PATTERN",
	  "only cases whose SUITE/NAME or NAME is like this", &given.name },
	{ "device", 0, OPT_STRING, "PATTERN",
	  "only devices whose name is like this", &given.device },
	{ "json", 0, OPT_FLAG, NULL, "print JSON", &given.is_json },
	{ "before", 0, OPT_STRING, "TIME",
	  "of prune: remove the runs before this time", &given.before },
	{ 0 },
};

extern const struct claw_command claw_cmd_history;

/* "2026-11-28" or "30d": seconds since 1970. */
static int64_t time_of(const char *option, const char *text)
{
	struct tm when = { 0 };
	char *end = strptime(text, "%Y-%m-%d", &when);
	unsigned long days;

	if (end && !*end)
		return (int64_t)timegm(&when);
	errno = 0;
	days = strtoul(text, &end, 10);
	if (errno || end == text || strcmp(end, "d") != 0 || *text == '-' ||
	    days > 100000)
		claw_die(CLAW_EXIT_USAGE, "history: option %s: expected "
			 "YYYY-MM-DD or a number of days as 30d, found \"%s\"",
			 option, text);
	return (int64_t)time(NULL) - (int64_t)days * DAY;
}

static struct claw_history *open_history(bool is_new)
{
	struct claw_history *history;
	char error[4096], *found = claw_history_find();
	const char *path = given.file ? given.file : found ? found :
		CLAW_HISTORY_FILE;
	int ret = claw_history_open(path, is_new, &history, error,
				    sizeof(error));

	if (ret < 0)
		claw_die(ret == -CLAW_E_IO ? CLAW_EXIT_INFRA : CLAW_EXIT_USAGE,
			 "history: %s%s", error, ret == -CLAW_E_NOT_FOUND ?
			 "; openclaw history import DIR makes one" : "");
	free(found);
	return history;
}

/* ---- import, prune ----------------------------------------------------------- */

static int import(int count, char *const *directories)
{
	struct claw_history *history;
	unsigned int added = 0, known = 0, failed = 0, merged = 0;

	if (count < 1)
		claw_die(CLAW_EXIT_USAGE, "history: import: expected the output "
			 "directories of runs");
	history = open_history(true);
	for (int i = 0; i < count; i++) {
		char error[4096];
		bool is_new;
		int ret = claw_history_add(history, directories[i], &is_new,
					   error, sizeof(error));

		if (ret < 0) {
			fprintf(stderr, "openclaw: history: %s\n", error);
			failed++;
		} else if (ret > 0) {
			merged++;
		} else {
			added += is_new;
			known += !is_new;
		}
	}
	printf("%u run%s added, %u already there, %u could not be read", added,
	       added == 1 ? "" : "s", known, failed);
	if (merged)
		printf(", %u merged of others left out", merged);
	putchar('\n');
	claw_history_close(history);
	return failed ? CLAW_EXIT_USAGE : CLAW_EXIT_CLEAN;
}

static int prune(int count)
{
	struct claw_history *history;
	char error[4096];
	uint64_t removed;

	if (count || !given.before)
		claw_die(CLAW_EXIT_USAGE, "history: prune: expected --before, "
			 "and nothing else");
	history = open_history(false);
	if (claw_history_prune(history, time_of("--before", given.before),
			       &removed, error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_INFRA, "history: %s", error);
	printf("%" PRIu64 " run%s removed, %" PRIu64 " left\n", removed,
	       removed == 1 ? "" : "s", claw_history_runs(history));
	claw_history_close(history);
	return CLAW_EXIT_CLEAN;
}

/* ---- what changed ---------------------------------------------------------------- */

struct telling {
	json_t *series, *findings;
	size_t known;			/* series */
};

static void put_day(char text[16], int64_t seconds)
{
	time_t when = (time_t)seconds;
	struct tm parts;

	if (!gmtime_r(&when, &parts) ||
	    strftime(text, 16, "%Y-%m-%d", &parts) == 0)
		snprintf(text, 16, "?");
}

/* "on 2026-11-28, commit 0123456789ab" */
static char *point_text(const struct claw_history_point *point)
{
	char day[16];

	put_day(day, point->started);
	return claw_format("on %s%s%.*s", day, *point->commit ? ", commit " : "",
			   COMMIT_DIGITS, point->commit);
}

static json_t *point_json(const struct claw_history_point *point)
{
	return claw_made(json_pack("{s:s, s:s, s:I}", "verdict", point->verdict,
		"commit", point->commit, "started",
		(json_int_t)point->started));
}

static void add_times(const struct claw_history_series *series,
		      const struct claw_history_judged *judged, json_t *object)
{
	if (judged->ratio <= 0)
		return;
	json_object_set_new(object, "times", json_real(judged->ratio));
	json_object_set_new(object, "times_before", point_json(
		&series->points[judged->slower_before]));
	json_object_set_new(object, "times_after", point_json(
		&series->points[judged->slower_at]));
}

static void add_trend(const struct claw_history_series *series,
		      const struct claw_history_judged *judged, json_t *object)
{
	size_t before = judged->at;

	json_object_set_new(object, "trend", json_string(
		claw_history_trend_name(judged->trend)));
	if (judged->trend == CLAW_TREND_FLAKY)
		json_object_set_new(object, "fails_in", claw_made(json_pack(
			"[f, f]", judged->low, judged->high)));
	if (judged->trend != CLAW_TREND_NEW && judged->trend != CLAW_TREND_BACK &&
	    judged->trend != CLAW_TREND_FIXED)
		return;
	while (before-- > 0 && series->points[before].class != 'p' &&
	       series->points[before].class != 'f')
		;
	json_object_set_new(object, "before", point_json(
		&series->points[before]));
	json_object_set_new(object, "after", point_json(
		&series->points[judged->at]));
}

static void put_name(const struct claw_history_series *series)
{
	printf("%s/%s [%s]%s%s: ", series->suite, series->name,
	       series->configuration, *series->device ? " on " : "",
	       series->device);
}

static void put_series(const struct claw_history_series *series,
		       const struct claw_history_judged *judged)
{
	char *after = point_text(&series->points[judged->at]);

	if (judged->trend) {
		put_name(series);
		fputs(claw_history_trend_name(judged->trend), stdout);
	}
	switch (judged->trend) {
	case CLAW_TREND_NONE:
		break;
	case CLAW_TREND_FLAKY:
		printf(": %zu of %zu failed, %.0f to %.0f %% with 95 %% "
		       "confidence\n", judged->failed, judged->failed +
		       judged->passed, 100 * judged->low, 100 * judged->high);
		break;
	case CLAW_TREND_FAILS:
		printf(" in all %zu runs\n", judged->failed);
		break;
	default:
		printf(" %s\n", after);
	}
	free(after);
	if (judged->ratio <= 0)
		return;
	after = point_text(&series->points[judged->slower_at]);
	put_name(series);
	printf("%s by %.2f %s\n", judged->ratio > 1 ? "slower" : "faster",
	       judged->ratio > 1 ? judged->ratio : 1 / judged->ratio, after);
	free(after);
}

static void tell_series(void *user, const struct claw_history_series *series)
{
	struct telling *telling = user;
	struct claw_history_judged judged;
	json_t *object;

	claw_history_judge(series, &judged);
	telling->known++;
	if (!given.is_json) {
		put_series(series, &judged);
		return;
	}
	object = claw_made(json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:I}",
		"suite", series->suite, "name", series->name, "configuration",
		series->configuration, "device", series->device, "machine",
		series->machine, "results", (json_int_t)series->count,
		"passed", (json_int_t)judged.passed, "failed",
		(json_int_t)judged.failed));
	add_trend(series, &judged, object);
	add_times(series, &judged, object);
	json_array_append_new(telling->series, object);
}

static void tell_finding(void *user, const struct claw_history_finding *one)
{
	struct telling *telling = user;
	char first[16], last[16];

	if (given.is_json) {
		json_array_append_new(telling->findings, claw_made(json_pack(
			"{s:s, s:s, s:s, s:i, s:s, s:I, s:s, s:I, s:s, s:I, s:b}",
			"kind", one->kind, "kernel", one->kernel, "file",
			one->file, "line", (int)one->line, "what", one->what,
			"first", (json_int_t)one->first, "first_commit",
			one->first_commit, "last", (json_int_t)one->last,
			"last_commit", one->last_commit, "runs",
			(json_int_t)one->runs, "in_last_run",
			one->is_in_last)));
		return;
	}
	put_day(first, one->first);
	put_day(last, one->last);
	printf("%s%s%s", one->kind, *one->kernel ? " in " : "", one->kernel);
	if (*one->file && one->line)
		printf(" (%s:%u)", one->file, one->line);
	else if (*one->file)
		printf(" (%s)", one->file);
	printf(": first %s%s%.*s, last %s%s%.*s, %" PRIu64 " run%s%s\n", first,
	       *one->first_commit ? " " : "", COMMIT_DIGITS, one->first_commit,
	       last, *one->last_commit ? " " : "", COMMIT_DIGITS,
	       one->last_commit, one->runs, one->runs == 1 ? "" : "s",
	       one->is_in_last ? "" : ", not in the last run of its case");
}

static int tell(int count)
{
	struct telling telling = {
		.series = claw_made(json_array()),
		.findings = claw_made(json_array()),
	};
	const struct claw_history_query query = {
		.since = given.since ? time_of("--since", given.since) :
			INT64_MIN,
		.name = given.name, .device = given.device,
	};
	struct claw_history *history;
	char error[4096];
	uint64_t runs;

	if (count)
		claw_die(CLAW_EXIT_USAGE, "history: expected import, prune or "
			 "nothing (see openclaw history --help)");
	history = open_history(false);
	runs = claw_history_runs(history);
	if (claw_history_each(history, &query, tell_series, &telling, error,
			      sizeof(error)) < 0 ||
	    claw_history_each_finding(history, &query, tell_finding, &telling,
				      error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_INFRA, "history: %s", error);
	if (given.is_json) {
		json_t *all = claw_made(json_pack("{s:I, s:O, s:O}", "runs",
			(json_int_t)runs, "series", telling.series, "findings",
			telling.findings));

		json_dumpf(all, stdout, JSON_INDENT(1));
		putchar('\n');
		json_decref(all);
	} else {
		printf("%" PRIu64 " run%s, %zu series (a case in one "
		       "configuration on one device and machine)\n", runs,
		       runs == 1 ? "" : "s", telling.known);
	}
	json_decref(telling.series);
	json_decref(telling.findings);
	claw_history_close(history);
	return runs && telling.known ? CLAW_EXIT_CLEAN : CLAW_EXIT_UNKNOWN;
}

static int history_run(int argc, char *const *argv)
{
	int first, last;
	const char *verb;

	memset(&given, 0, sizeof(given));
	first = claw_command_start(&claw_cmd_history, argc, argv, false);
	last = argc - first;
	verb = last > 0 ? argv[first] : "";
	if (strcmp(verb, "import") == 0)
		return import(last - 1, argv + first + 1);
	if (strcmp(verb, "prune") == 0)
		return prune(last - 1);
	return tell(last);
}

const struct claw_command claw_cmd_history = {
	.name = "history",
	.summary = "tell what changed over many runs",
	.usage = "[import DIR... | prune --before TIME]",
	.description =
		"Tells which cases fail since when, which failures came back, "
		"which cases are flaky and how often, which became slower and "
		"with which commit, and when each finding was seen first and "
		"last.\n\n"
		"  openclaw history import openclaw-out/*/\n"
		"  openclaw history --since 30d --case 'bounds/*'\n\n"
		"Runs go into openclaw.db by themselves where that file exists "
		"(beside openclaw.yaml, or in the working directory), or into "
		"the file that OPENCLAW_HISTORY names.\n\n"
		"Exit status: 0, 2 no run is like what was asked for, 64 usage "
		"error or no history, 99 openclaw itself failed.",
	.options = history_options,
	.run = history_run,
};
