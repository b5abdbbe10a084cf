/* SPDX-License-Identifier: Apache-2.0 */
/* What an exploration found, for people and for the records. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explore.h"
#include "faults/shared/clock.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/session/called.h"
#include "harness/session/fault_plan.h"

enum { LOG_LINE_MS = 30 * 1000 };	/* between progress lines in a log */

/* Of this command, without those of the one that it continues. */
static uint64_t launches_a_second(const struct claw_exploration *what,
				  uint64_t spent_ms)
{
	uint64_t launches = what->state->launches - what->launches_before;

	return spent_ms ? launches * 1000 / spent_ms : 0;
}

/* "1 finding", "2 findings" */
static const char *s(unsigned int count)
{
	return count == 1 ? "" : "s";
}

void claw_exploration_progress(struct claw_exploration *what, FILE *out)
{
	const struct claw_explore_state *state = what->state;
	uint64_t now = claw_clock_mono_ms(), spent = now - what->start_ms;
	bool terminal = isatty(fileno(out));

	if (what->given->quiet || (!terminal && now - what->line_ms < LOG_LINE_MS &&
				   what->line_ms))
		return;
	what->line_ms = now;
	fprintf(out, "%s%s: %" PRIu64 " s, %u of %u counters, %" PRIu64
		" launches (%" PRIu64 "/s), %u place%s to judge%s",
		terminal ? "\r\033[K" : "", what->plan.kernel.name, spent / 1000,
		claw_explore_state_covered(state), state->reach_count,
		state->launches, launches_a_second(what, spent),
		state->found_count, s(state->found_count), terminal ? "" : "\n");
	what->is_shown = terminal;
	fflush(out);
}

void claw_exploration_say_step(struct claw_exploration *what, const char *words,
			       const char *target, FILE *out)
{
	bool terminal = isatty(fileno(out));

	if (what->given->quiet)
		return;
	fprintf(out, "%s%s: %s%s%s", terminal ? "\r\033[K" : "",
		what->plan.kernel.name, words, target, terminal ? "" : "\n");
	what->is_shown |= terminal;
	fflush(out);
}

static const char *text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

static int number_of(const json_t *object, const char *name)
{
	return (int)json_integer_value(json_object_get(object, name));
}

/* The tool under which its case fails. */
static const char *tool_of(const char *kind)
{
	return !strcmp(kind, "race") ? "races" :
	       !strcmp(kind, "divergence") ? "barriers" :
	       !strcmp(kind, "uninitialized-read") ? "init" :
	       !strcmp(kind, "hang") || !strcmp(kind, "crash") ? "native" :
	       "asan";
}

static char *reproduce_of(const json_t *finding)
{
	char *quoted = claw_shell_quote(text_of(finding, "case"));
	char *text = claw_format("%s test %s --under %s", claw_called(), quoted,
				 tool_of(text_of(finding, "kind")));

	free(quoted);
	return text;
}

static void put_finding(const struct claw_exploration *what,
			const json_t *finding, FILE *out)
{
	bool counts = json_is_true(json_object_get(finding, "counts"));
	char *reproduce = reproduce_of(finding);
	int line = number_of(finding, "line");
	int other = number_of(finding, "other_line");

	fprintf(out, "  %s", text_of(finding, "kind"));
	if (line)
		fprintf(out, " at %s:%d:%d", what->file->path, line,
			number_of(finding, "column"));
	if (other)
		fprintf(out, " with line %d", other);
	fprintf(out, ": %s, work-item %s\n", text_of(finding, "text"),
		text_of(finding, "work_item"));
	if (!counts)
		fprintf(out, "    only if %s\n", text_of(finding, "only_if"));
	if (!json_is_true(json_object_get(finding, "confirmed")))
		fprintf(out, "    not seen again when its case was made smaller\n");
	fprintf(out, "    reproduce: %s\n", reproduce);
	free(reproduce);
}

static void put_findings(const struct claw_exploration *what, bool counts,
			 FILE *out)
{
	const json_t *list = json_object_get(what->result, "findings");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *finding = json_array_get(list, i);

		if (json_is_true(json_object_get(finding, "counts")) == counts)
			put_finding(what, finding, out);
	}
}

/* Launches without probes: nobody looked at them. */
static bool is_blind(const struct claw_exploration *what)
{
	return what->state && what->state->launches &&
	       what->state->reach_count &&
	       !claw_explore_state_covered(what->state);
}

static void count(struct claw_exploration *what)
{
	const json_t *list = json_object_get(what->result, "findings");

	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_is_true(json_object_get(json_array_get(list, i),
						 "counts")))
			what->count++;
		else
			what->apart++;
	what->is_known = what->result && !is_blind(what) &&
		(what->is_written || !what->given->emit_suite) &&
		!json_is_true(json_object_get(what->result, "open"));
}

static void put_assumptions(const struct claw_exploration *what, FILE *out)
{
	const json_t *list = json_object_get(what->result, "assume");
	size_t given = json_array_size(what->launches);

	if (given)
		fprintf(out, "  assume: what %zu given launch%s to\n", given,
			given == 1 ? " keeps" : "es keep");
	for (size_t i = 0; i < json_array_size(list); i++)
		fprintf(out, "  assume: %s\n",
			json_string_value(json_array_get(list, i)));
}

/* A case with a finding cannot be a regression case. */
static void put_emitted(const struct claw_exploration *what, FILE *out)
{
	unsigned int written = (unsigned int)number_of(what->result, "emitted");
	unsigned int left = (unsigned int)number_of(what->result, "left_out");

	if (!what->given->emit_suite)
		return;
	if (!what->is_written)
		fprintf(out, "  inconclusive: a launch ended the process that "
			"writes the regression cases, see %s/emit.log",
			what->directory);
	else if (written)
		fprintf(out, "  %u regression case%s in %s/suite", written,
			s(written), what->directory);
	else
		fputs("  no regression case", out);
	if (left)
		fprintf(out, "; %u left out: a launch with a finding", left);
	fputc('\n', out);
}

static void put_all(struct claw_exploration *what, FILE *out)
{
	const struct claw_explore_state *state = what->state;
	char of[32] = "";		/* where it is known how many there are */

	if (state->reach_count)
		snprintf(of, sizeof(of), " of %u", state->reach_count);
	fprintf(out, "%s: %u finding%s, %u only if an assumption is broken; "
		"%u%s counters, %" PRIu64 " launches, %" PRIu64 "/s, %.1f s\n",
		what->plan.kernel.name, what->count, s(what->count),
		what->apart, claw_explore_state_covered(state), of,
		state->launches, launches_a_second(what, what->spent_ms),
		(double)what->spent_ms / 1000);
	put_assumptions(what, out);
	put_emitted(what, out);
	put_findings(what, true, out);
	if (json_is_true(json_object_get(what->result, "open")))
		fputs("  inconclusive: too few launches to tell which findings "
		      "count; use a larger --budget\n", out);
	if (is_blind(what))
		fputs("  inconclusive: no line ran with probes (the driver may "
		      "have refused them)\n", out);
	if (what->apart) {
		fputs("  listed apart, not counted:\n", out);
		put_findings(what, false, out);
	}
}

/* ---- records ------------------------------------------------------------------ */

static void add_finding(const struct claw_exploration *what,
			const json_t *finding, struct claw_findings *findings)
{
	int kind = claw_finding_kind_find(text_of(finding, "kind"));
	int space = claw_space_find(text_of(finding, "space"));
	struct claw_finding one = {
		.kind = kind < 0 ? CLAW_FINDING_KERNEL_OTHER :
			(enum claw_finding_kind)kind,
		.space = space < 0 ? CLAW_SPACE_UNKNOWN :
			(enum claw_address_space)space,
		.what = (char *)text_of(finding, "text"),
		.kernel = (char *)what->plan.kernel.name,
		.file = (char *)what->file->path,
		.line = (unsigned int)number_of(finding, "line"),
		.column = (unsigned int)number_of(finding, "column"),
		.other_line = (unsigned int)number_of(finding, "other_line"),
		.work_item = (char *)text_of(finding, "work_item"),
		.times = 1,
	};

	claw_findings_add(findings, &one);
}

static void record(struct claw_exploration *what,
		   const struct claw_cmd_output *output, const char *detail)
{
	const json_t *list = json_object_get(what->result, "findings");
	struct claw_findings findings = { 0 };
	char *message = what->why_not ? claw_strdup(what->why_not) :
		claw_format("%u finding%s, %u only if an assumption is broken",
			    what->count, s(what->count), what->apart);
	char *metrics = what->state ? claw_format("launches=%" PRIu64
		" counters=%u counters_hit=%u", what->state->launches,
		what->state->reach_count,
		claw_explore_state_covered(what->state)) : NULL;
	char *reproduce = NULL;
	struct claw_result result = {
		.suite = "explore",
		.name = json_string_value(json_object_get(what->about, "name")),
		.configuration = "native", .attempt = 1,
		.duration_us = what->spent_ms * 1000, .message = message,
		.detail = detail, .metrics = metrics, .findings = &findings,
		.file = what->file->path,
		.verdict = what->count ? CLAW_FAILED :
			what->is_known ? CLAW_PASSED : CLAW_INCONCLUSIVE,
	};

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *finding = json_array_get(list, i);

		if (!json_is_true(json_object_get(finding, "counts")))
			continue;
		add_finding(what, finding, &findings);
		if (!reproduce) {
			reproduce = reproduce_of(finding);
			result.line = (unsigned int)number_of(finding, "line");
		}
	}
	result.reproduce = reproduce;
	claw_records_result(output->records, &result);
	claw_findings_release(&findings);
	free(reproduce);
	free(message);
	free(metrics);
}

/* [[ms, counters], ...]: each step that found more than the ones before. */
static json_t *coverage_over_time(const struct claw_exploration *what)
{
	const struct claw_explore_state *state = what->state;
	json_t *list = claw_made(json_array());
	uint32_t most = 0;

	for (uint32_t i = 0; i < state->step_count && i < CLAW_EXPLORE_STEPS;
	     i++) {
		const struct claw_explore_step *step = &state->steps[i];

		if (step->counters <= most)
			continue;
		most = step->counters;
		json_array_append_new(list, json_pack("[i, i]", (int)step->ms,
						      (int)step->counters));
	}
	return list;
}

/* For report.html. */
static void note_coverage(const struct claw_exploration *what,
			  const struct claw_cmd_output *output)
{
	json_t *list = coverage_over_time(what);
	char *text;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fprintf(out, "%s: coverage over time:", what->plan.kernel.name);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *step = json_array_get(list, i);

		fprintf(out, "%s %d of %u counters after %.2f s", i ? "," : "",
			(int)json_integer_value(json_array_get(step, 1)),
			what->state->reach_count,
			(double)json_integer_value(json_array_get(step, 0)) /
			1000);
	}
	claw_text_end(out);
	if (json_array_size(list))
		claw_records_note(output->records, text);
	free(text);
	json_decref(list);
}

/* result.json with what the engines counted. */
static json_t *object_of(const struct claw_exploration *what)
{
	json_t *object = what->result ? json_deep_copy(what->result) :
		json_object(), *against;

	json_object_set_new(claw_made(object), "kernel", json_string(
		text_of(what->about, "name")));
	if (what->why_not)
		json_object_set_new(object, "not_explored",
				    json_string(what->why_not));
	if (!what->state)
		return object;
	against = claw_made(json_array());
	json_object_set_new(object, "launches", json_integer(
		(json_int_t)what->state->launches));
	json_object_set_new(object, "refused", json_integer(
		(json_int_t)what->state->refused));
	json_object_set_new(object, "restarts", json_integer(what->restarts));
	json_object_set_new(object, "milliseconds", json_integer(
		(json_int_t)what->spent_ms));
	json_object_set_new(object, "counters", json_integer(
		what->state->reach_count));
	json_object_set_new(object, "counters_hit", json_integer(
		claw_explore_state_covered(what->state)));
	json_object_set_new(object, "coverage_over_time",
			    coverage_over_time(what));
	for (size_t i = 0; i < what->compared_count; i++)
		json_array_append_new(against, claw_compared_json(
			&what->compared[i]));
	if (what->compared_count)
		json_object_set(object, "against", against);
	json_decref(against);
	return object;
}

json_t *claw_exploration_say(struct claw_exploration *what,
			  const struct claw_cmd_output *output)
{
	char *text;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	if (what->is_shown)
		fputs("\r\033[K", stderr);
	count(what);
	if (what->why_not)
		fprintf(out, "%s: not explored: %s\n",
			text_of(what->about, "name"), what->why_not);
	else if (what->state->launches == 0)
		fprintf(out, "%s: inconclusive: no launch ended, see %s\n",
			what->plan.kernel.name, what->directory);
	else if (what->result)
		put_all(what, out);
	if (!what->why_not && what->state->launches && !what->result)
		fprintf(out, "%s: inconclusive: %u place%s could not be "
			"judged, see %s/finish.log\n", what->plan.kernel.name,
			what->state->found_count, s(what->state->found_count),
			what->directory);
	for (size_t i = 0; i < what->compared_count; i++)
		claw_compared_put(&what->compared[i], out);
	claw_text_end(out);
	fputs(text, stdout);
	fflush(stdout);
	if (what->state)
		note_coverage(what, output);
	record(what, output, text);
	for (size_t i = 0; i < what->compared_count; i++)
		claw_compared_record(&what->compared[i],
				     text_of(what->about, "name"),
				     what->file->path, text, output);
	free(text);
	return object_of(what);
}
