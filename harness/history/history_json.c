/* SPDX-License-Identifier: Apache-2.0 */
/* Answers as one JSON object. */
#include "config.h"

#include "history_tell.h"

#include <stdio.h>

#include "harness/base/memory.h"
#include "history_judge.h"

static void begin(struct claw_history_answer *answer)
{
	answer->series = claw_made(json_array());
	answer->findings = claw_made(json_array());
	answer->coverage = claw_made(json_array());
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static json_t *names_of(const struct claw_history_names *names)
{
	return claw_made(json_pack("{s:s, s:s, s:s, s:s, s:s}", "suite",
		names->suite, "name", names->name, "configuration",
		names->configuration, "device", names->device, "machine",
		names->machine));
}

static void put_point(json_t *object, const char *key,
		      const struct claw_history_point *point)
{
	if (point->run)
		json_object_set_new(object, key, claw_made(json_pack(
			"{s:s, s:s, s:s, s:I}", "verdict",
			or_empty(point->verdict), "commit",
			or_empty(point->commit), "driver",
			or_empty(point->driver), "started",
			(json_int_t)point->started)));
}

static void add_series(void *user, const struct claw_history_state *state)
{
	struct claw_history_answer *answer = user;
	json_t *object = names_of(&state->names);

	answer->known++;
	json_object_update_new(object, claw_made(json_pack(
		"{s:I, s:s}", "results", (json_int_t)state->results, "trend",
		claw_history_trend_name(state->trend))));
	if (state->trend != CLAW_TREND_NONE)
		json_object_update_new(object, claw_made(json_pack(
			"{s:I, s:I}", "passed", (json_int_t)state->passed,
			"failed", (json_int_t)state->failed)));
	if (state->trend == CLAW_TREND_FLAKY)
		json_object_set_new(object, "fails_in", claw_made(json_pack(
			"[f, f]", state->low, state->high)));
	put_point(object, "before", &state->before);
	put_point(object, "after", &state->after);
	if (state->ratio > 0) {
		json_object_set_new(object, "times", json_real(state->ratio));
		put_point(object, "times_before", &state->times_before);
		put_point(object, "times_after", &state->times_after);
	}
	json_array_append_new(answer->series, object);
}

static void add_finding(void *user, const struct claw_history_finding *one)
{
	struct claw_history_answer *answer = user;

	json_array_append_new(answer->findings, claw_made(json_pack(
		"{s:s, s:s, s:s, s:i, s:s, s:I, s:s, s:I, s:s, s:I, s:b}",
		"kind", one->kind, "kernel", one->kernel, "file", one->file,
		"line", (int)one->line, "what", one->what, "first",
		(json_int_t)one->first, "first_commit", one->first_commit,
		"last", (json_int_t)one->last, "last_commit", one->last_commit,
		"results", (json_int_t)one->results, "in_last_run",
		one->is_in_last)));
}

static void add_coverage(void *user, const struct claw_history_names *names,
			 const char *kind,
			 const struct claw_history_covered *points,
			 size_t count)
{
	struct claw_history_answer *answer = user;
	json_t *object = names_of(names), *list = claw_made(json_array());

	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, claw_made(json_pack(
			"{s:I, s:s, s:I, s:I}", "started",
			(json_int_t)points[i].started, "commit",
			points[i].commit, "hit", (json_int_t)points[i].hit,
			"total", (json_int_t)points[i].total)));
	json_object_set_new(object, "kind", json_string(kind));
	json_object_set_new(object, "points", list);
	json_array_append_new(answer->coverage, object);
}

static void end(struct claw_history_answer *answer, uint64_t runs)
{
	json_t *all = claw_made(json_pack("{s:I, s:o, s:o, s:o}", "runs",
		(json_int_t)runs, "series", answer->series, "findings",
		answer->findings, "coverage", answer->coverage));

	json_dumpf(all, stdout, JSON_INDENT(1));
	putchar('\n');
	json_decref(all);
}

const struct claw_history_form claw_history_json = {
	.begin = begin, .series = add_series, .finding = add_finding,
	.coverage = add_coverage, .end = end,
};
