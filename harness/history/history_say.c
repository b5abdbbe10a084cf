/* SPDX-License-Identifier: Apache-2.0 */
/* Answers on the terminal: a line for each thing that changed. */
#include "config.h"

#include "history_tell.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/memory.h"
#include "harness/base/text_clean.h"
#include "history_judge.h"

void claw_history_put_day(char text[16], int64_t seconds)
{
	time_t when = (time_t)seconds;
	struct tm parts;

	if (!gmtime_r(&when, &parts) ||
	    strftime(text, 16, "%Y-%m-%d", &parts) == 0)
		snprintf(text, 16, "?");
}

char *claw_history_name(const struct claw_history_names *names)
{
	return claw_format("%s/%s [%s]%s%s", names->suite, names->name,
			   names->configuration, *names->device ? " on " : "",
			   names->device);
}

char *claw_history_change(const struct claw_history_point *before,
			  const struct claw_history_point *after)
{
	const char *commit = after->commit ? after->commit : "";
	bool is_driver = before->driver && after->driver &&
		strcmp(before->driver, after->driver) != 0;
	bool is_commit = *commit && (!is_driver || !before->commit ||
				     strcmp(before->commit, commit) != 0);
	char day[16];

	claw_history_put_day(day, after->started);
	return claw_format("on %s%s%.*s%s%s%s%s", day,
			   is_commit ? ", commit " : "",
			   is_commit ? CLAW_HISTORY_COMMIT_DIGITS : 0, commit,
			   is_driver ? ", driver " : "",
			   is_driver ? before->driver : "",
			   is_driver ? " -> " : "",
			   is_driver ? after->driver : "");
}

/* Names are of files, drivers and kernels. */
static void put(const char *text)
{
	claw_text_put(stdout, text, strlen(text), "");
}

static void put_change(const struct claw_history_point *before,
		       const struct claw_history_point *after)
{
	char *change = claw_history_change(before, after);

	putchar(' ');
	put(change);
	putchar('\n');
	free(change);
}

void claw_history_put_fails(FILE *out, const struct claw_history_state *state)
{
	if (state->results == 1)
		fputs("in its only run", out);
	else
		fprintf(out, "in %s %" PRIu64 " runs", state->failed <
			state->results ? "the last" : "all", state->failed);
}

static void say_trend(const struct claw_history_state *state, const char *name)
{
	put(name);
	printf(": %s", claw_history_trend_name(state->trend));
	if (state->trend == CLAW_TREND_FLAKY) {
		printf(": %" PRIu64 " of %" PRIu64 " failed, %.0f to %.0f %% "
		       "with 95 %% confidence\n", state->failed,
		       state->failed + state->passed, 100 * state->low,
		       100 * state->high);
	} else if (state->trend == CLAW_TREND_FAILS) {
		putchar(' ');
		claw_history_put_fails(stdout, state);
		putchar('\n');
	} else {
		put_change(&state->before, &state->after);
	}
}

static void say_series(void *user, const struct claw_history_state *state)
{
	struct claw_history_answer *answer = user;
	double ratio = state->ratio;
	char *name = claw_history_name(&state->names);

	answer->known++;
	if (state->trend != CLAW_TREND_NONE)
		say_trend(state, name);
	if (ratio > 0) {
		put(name);
		printf(": %s by %.2f", ratio > 1 ? "slower" : "faster",
		       ratio > 1 ? ratio : 1 / ratio);
		put_change(&state->times_before, &state->times_after);
	}
	free(name);
}

static void say_seen(const char *word, int64_t seconds, const char *commit)
{
	char day[16];

	claw_history_put_day(day, seconds);
	printf("%s %s%s", word, day, *commit ? " " : "");
	claw_text_put(stdout, commit, strnlen(commit,
					      CLAW_HISTORY_COMMIT_DIGITS), "");
}

static void say_finding(void *user, const struct claw_history_finding *one)
{
	(void)user;
	put(one->kind);
	if (*one->kernel)
		fputs(" in ", stdout);
	put(one->kernel);
	if (*one->file) {
		fputs(" (", stdout);
		put(one->file);
		if (one->line)
			printf(":%u", one->line);
		putchar(')');
	}
	say_seen(": first", one->first, one->first_commit);
	say_seen(", last", one->last, one->last_commit);
	printf(", %" PRIu64 " result%s%s\n", one->results,
	       one->results == 1 ? "" : "s",
	       one->is_in_last ? "" : ", not in the last run of its case");
}

static double part_of(const struct claw_history_covered *point)
{
	return 100 * (double)point->hit / (double)point->total;
}

/* The newest, and where it became that. */
static void say_coverage(void *user, const struct claw_history_names *names,
			 const char *kind,
			 const struct claw_history_covered *points,
			 size_t count)
{
	const struct claw_history_covered *last = &points[count - 1];
	size_t i = count - 1;
	char *name = claw_history_name(names);

	(void)user;
	while (i > 0 && points[i - 1].hit == last->hit &&
	       points[i - 1].total == last->total)
		i--;
	put(name);
	printf(": %.1f %% of %" PRIu64 " %s covered", part_of(last),
	       last->total, kind);
	if (i > 0) {
		printf(", %.1f %% of %" PRIu64 " before", part_of(&points[i - 1]),
		       points[i - 1].total);
		say_seen("", points[i].started, points[i].commit);
	}
	putchar('\n');
	free(name);
}

static void begin(struct claw_history_answer *answer)
{
	(void)answer;
}

static void end(struct claw_history_answer *answer, uint64_t runs)
{
	printf("%" PRIu64 " run%s, %zu series (a case in one configuration on "
	       "one device and machine)\n", runs, runs == 1 ? "" : "s",
	       answer->known);
}

const struct claw_history_form claw_history_say = {
	.begin = begin, .series = say_series, .finding = say_finding,
	.coverage = say_coverage, .end = end,
};
