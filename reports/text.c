/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report for people: a block a suite and tool, a row a case, what went
 * wrong below its row, a line of results. "openclaw test" prints it while it
 * runs.
 */
#include "config.h"

#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "cases.h"
#include "harness/base/memory.h"

enum { DETAIL_LINES = 40, LONG_WORDS = 80 };

struct state {
	const struct claw_report_head *head;
	bool is_test;		/* of suites; else a judged program */
	bool in_block;
	unsigned int blocks;
	char *suite, *configuration;
	uint64_t counts[CLAW_VERDICT_COUNT], total, results, flaky;
	struct claw_report_cases cases;
	bool is_soak;
	struct claw_text_soak soak;
};

/* Order of the words in the line of results. */
static const enum claw_verdict order[] = {
	CLAW_FAILED, CLAW_CRASH, CLAW_HANG, CLAW_XPASS, CLAW_XFAIL,
	CLAW_SKIPPED, CLAW_HANDLED, CLAW_DEGRADED, CLAW_SWALLOWED, CLAW_LEAK,
	CLAW_SLOWDOWN, CLAW_MISUSE, CLAW_SANITIZER, CLAW_UNKNOWN,
	CLAW_NOT_REACHED, CLAW_NOT_INJECTED, CLAW_INCONCLUSIVE, CLAW_INFRA,
	CLAW_ALSO_GROWS,
};

static const char *color_of(enum claw_verdict verdict)
{
	switch (claw_verdict_class(verdict)) {
	case 'p':
		return "\033[32m";
	case 'f':
		return "\033[31m";
	case 'u':
		return "\033[35m";
	default:
		return "\033[33m";
	}
}

static int text_begin(FILE *out, const struct claw_report_head *head,
		      void **ret_state)
{
	struct state *state = claw_calloc(1, sizeof(*state));

	(void)out;
	state->head = head;
	state->is_soak = head->segment_count > 0;
	state->is_test = !head->verb || strcmp(head->verb, "test") == 0;
	*ret_state = state;
	return 0;
}

static void end_block(FILE *out, struct state *state)
{
	const char *comma = "";

	if (!state->in_block)
		return;
	fputs("=============================\nResults: ", out);
	if (state->is_test) {
		fprintf(out, "%" PRIu64 "/%" PRIu64 " tests PASSED",
			state->counts[CLAW_PASSED], state->total);
		comma = ", ";
	} else if (state->counts[CLAW_PASSED] > 0) {
		fprintf(out, "%" PRIu64 " PASSED", state->counts[CLAW_PASSED]);
		comma = ", ";
	}
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		if (state->counts[order[i]] == 0)
			continue;
		fprintf(out, "%s%" PRIu64 " %s", comma,
			state->counts[order[i]],
			claw_verdict_name(order[i]));
		comma = ", ";
	}
	if (state->flaky > 0)
		fprintf(out, "%s%" PRIu64 " flaky", comma, state->flaky);
	fputc('\n', out);
	state->in_block = false;
}

static void begin_block(FILE *out, struct state *state,
			const struct claw_result *result)
{
	char *block = claw_report_block(result);

	end_block(out, state);
	if (state->blocks++ > 0)
		fputc('\n', out);
	fputs(state->is_test ? "Test Suite: " : "Program: ", out);
	claw_report_put(out, block);
	fputc('\n', out);
	free(block);
	free(state->suite);
	free(state->configuration);
	state->suite = claw_strdup_or_null(result->suite);
	state->configuration = claw_strdup_or_null(result->configuration);
	memset(state->counts, 0, sizeof(state->counts));
	state->total = state->flaky = 0;
	state->in_block = true;
}

void claw_text_row(FILE *out, const struct claw_report_head *head,
		   const char *name, const struct claw_result *result)
{
	bool color = head->color;
	size_t width = strlen(name);

	fputs("  ", out);
	claw_report_put(out, name);
	fprintf(out, "%*s %s%s%s", width < 34 ? (int)(34 - width) : 0, "",
		color ? color_of(result->verdict) : "",
		claw_verdict_name(result->verdict), color ? "\033[0m" : "");
	if (head->durations)
		fprintf(out, "  %.3f s", (double)result->duration_us / 1e6);
	fputc('\n', out);
}

static const char indent[] = "      ";

/* Long words of the first finding are not said twice: they follow. */
static void put_message(FILE *out, const struct claw_result *result,
			bool has_findings)
{
	const struct claw_findings *findings = result->findings;
	const char *what = has_findings && findings && findings->count ?
		findings->items[0].what : NULL;
	const char *at = what && strlen(what) >= LONG_WORDS ?
		strstr(result->message, what) : NULL;
	char *shorter;

	if (!at || at < result->message + 2 || strncmp(at - 2, ": ", 2) != 0) {
		claw_report_lines(out, "", result->message, DETAIL_LINES);
		return;
	}
	shorter = claw_format("%.*s%s", (int)(at - 2 - result->message),
			      result->message, at + strlen(what));
	claw_report_lines(out, "", shorter, DETAIL_LINES);
	free(shorter);
}

/* "WHAT: TEXT" below a row, when there is a text. */
static void write_field(FILE *out, const char *what, const char *text)
{
	if (!text)
		return;
	fprintf(out, "%s%s: ", indent, what);
	claw_report_put(out, text);
	fputc('\n', out);
}

void claw_text_detail(FILE *out, const struct claw_report_head *head,
		      bool is_test, const struct claw_result *result)
{
	char class = claw_verdict_class(result->verdict);
	bool bad = class == 'f' || class == 'u';

	if (class == 'p' && !result->flaky && !head->verbose &&
	    is_test)
		return;
	if (!is_test)
		write_field(out, "fault", result->fault);
	if (bad && result->file && result->line) {
		fputs(indent, out);
		claw_report_put(out, claw_report_path(head,
						      result->file));
		fprintf(out, ":%u: ", result->line);
	} else if (result->message) {
		fputs(indent, out);
	}
	if (result->message)
		put_message(out, result, bad || head->verbose);
	else if (bad && result->file && result->line)
		fputc('\n', out);
	if (bad || head->verbose)
		claw_report_findings(out, indent, head, result);
	if (bad)
		write_field(out, "code", result->code);
	/* The table of coverage is the report. */
	if (head->verb && strcmp(head->verb, "cover") == 0 && result->detail)
		claw_report_lines(out, "    ", result->detail, SIZE_MAX);
	else if ((bad || head->verbose) && result->detail)
		claw_report_lines(out, indent, result->detail, DETAIL_LINES);
	if (bad)
		write_field(out, "reproduce", result->reproduce);
}

static void text_result(FILE *out, void *user, const struct claw_result *result)
{
	struct state *state = user;

	if (state->is_soak) {
		claw_text_soak_add(&state->soak, result);
		return;
	}
	if (!state->in_block ||
	    !claw_report_same(state->suite, result->suite) ||
	    !claw_report_same(state->configuration, result->configuration))
		begin_block(out, state, result);
	state->counts[result->verdict]++;
	state->total++;
	state->results++;
	state->flaky += result->flaky;
	claw_text_row(out, state->head, result->name ? result->name : "",
		      result);
	claw_text_detail(out, state->head, state->is_test, result);
	if (state->is_test)
		claw_report_cases_add(&state->cases, result);
}

static void text_event(FILE *out, void *user,
		       const struct claw_soak_event *event)
{
	(void)out;
	claw_report_events_add(&((struct state *)user)->soak.events, event);
}

static int text_end(FILE *out, void *user)
{
	struct state *state = user;
	const struct claw_report_head *head = state->head;
	char missing[CLAW_REPORT_MISSING];

	if (state->is_soak)
		claw_text_soak_print(out, head, &state->soak);
	end_block(out, state);
	if (state->cases.tool_count > 1) {
		fputc('\n', out);
		claw_report_cases_print(out, &state->cases);
	}
	if (head->compared_with) {
		fputc('\n', out);
		claw_report_changes(out, head);
	}
	if (!state->is_soak && claw_report_missing(head, state->results,
						   missing, sizeof(missing)))
		fprintf(out, "%s\n", missing);
	if (head->damaged_lines > 0)
		fprintf(out, "Damaged: %" PRIu64 " lines of the records are "
			"ignored\n", head->damaged_lines);
	claw_report_cases_release(&state->cases);
	claw_text_soak_release(&state->soak);
	free(state->suite);
	free(state->configuration);
	free(state);
	return 0;
}

static void text_pause(FILE *out, void *user)
{
	end_block(out, user);
}

const struct claw_report_format claw_report_text = {
	.summary = "plain text, one block per suite and tool",
	.begin = text_begin, .result = text_result, .end = text_end,
	.pause = text_pause, .event = text_event,
};
