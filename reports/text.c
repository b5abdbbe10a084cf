/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report for people: a block a suite and tool, a row a case, what went
 * wrong below its row, a line of results. "openclaw test" prints it while it
 * runs.
 */
#include "config.h"

#include "cases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../harness/errors.h"
#include "event_rows.h"

enum { DETAIL_LINES = 40 };

struct state {
	const struct claw_report_head *head;
	bool is_test;		/* of suites; else a judged program */
	bool in_block;
	unsigned int blocks;
	char *suite, *configuration;
	uint64_t counts[CLAW_VERDICT_COUNT], total, results, flaky;
	struct claw_report_cases cases;
	struct claw_report_events events;	/* of a soak */
	bool events_shown;
};

/* Order of the words in the line of results. */
static const enum claw_verdict order[] = {
	CLAW_FAILED, CLAW_CRASH, CLAW_HANG, CLAW_XPASS, CLAW_XFAIL,
	CLAW_SKIPPED, CLAW_HANDLED, CLAW_DEGRADED, CLAW_SWALLOWED, CLAW_LEAK,
	CLAW_SLOWDOWN, CLAW_MISUSE, CLAW_SANITIZER, CLAW_UNKNOWN,
	CLAW_NOT_REACHED, CLAW_NOT_INJECTED, CLAW_INFRA,
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
	struct state *state = calloc(1, sizeof(*state));

	(void)out;
	if (!state)
		return -CLAW_E_NO_MEMORY;
	state->head = head;
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

/* What a block of results is of. */
static const char *title_of(const struct state *state,
			    const struct claw_result *result)
{
	if (state->is_test)
		return "Test Suite: ";
	if (state->head->segment_count == 0 || !result->suite)
		return "Program: ";
	if (strcmp(result->suite, "soak-site") == 0)
		return "Creation sites that grow: ";
	return strcmp(result->suite, "soak-crash") == 0 ?
	       "Crashes and hangs: " : "Verdict: ";
}

/* All events come before the first result. */
static void show_events(FILE *out, struct state *state)
{
	if (state->events_shown)
		return;
	state->events_shown = true;
	claw_report_events_print(out, state->head, &state->events);
	if (state->head->segment_count > 0)
		fputc('\n', out);
}

static int begin_block(FILE *out, struct state *state,
		       const struct claw_result *result)
{
	char *block = claw_report_block(result);

	if (!block)
		return -CLAW_E_NO_MEMORY;
	end_block(out, state);
	if (state->blocks++ > 0)
		fputc('\n', out);
	fputs(title_of(state, result), out);
	claw_report_put(out, block);
	fputc('\n', out);
	free(block);
	free(state->suite);
	free(state->configuration);
	state->suite = result->suite ? strdup(result->suite) : NULL;
	state->configuration = result->configuration ?
			       strdup(result->configuration) : NULL;
	memset(state->counts, 0, sizeof(state->counts));
	state->total = state->flaky = 0;
	state->in_block = true;
	return (result->suite && !state->suite) ||
	       (result->configuration && !state->configuration) ?
	       -CLAW_E_NO_MEMORY : 0;
}

static void write_row(FILE *out, const struct state *state,
		      const struct claw_result *result)
{
	bool color = state->head->color;
	size_t width = result->name ? strlen(result->name) : 0;

	fputs("  ", out);
	claw_report_put(out, result->name ? result->name : "");
	fprintf(out, "%*s %s%s%s", width < 34 ? (int)(34 - width) : 0, "",
		color ? color_of(result->verdict) : "",
		claw_verdict_name(result->verdict), color ? "\033[0m" : "");
	if (state->head->durations)
		fprintf(out, "  %.3f s", (double)result->duration_us / 1e6);
	fputc('\n', out);
}

static const char indent[] = "      ";

/* "WHAT: TEXT" below a row, when there is a text. */
static void write_field(FILE *out, const char *what, const char *text)
{
	if (!text)
		return;
	fprintf(out, "%s%s: ", indent, what);
	claw_report_put(out, text);
	fputc('\n', out);
}

/* What is said below a row: everything of a failure, the reason of a skip. */
static void write_detail(FILE *out, const struct state *state,
			 const struct claw_result *result)
{
	char class = claw_verdict_class(result->verdict);
	bool bad = class == 'f' || class == 'u';

	if (class == 'p' && !result->flaky && !state->head->verbose &&
	    state->is_test)
		return;
	if (!state->is_test)
		write_field(out, "fault", result->fault);
	if (bad && result->file && result->line) {
		fputs(indent, out);
		claw_report_put(out, claw_report_path(state->head,
						      result->file));
		fprintf(out, ":%u: ", result->line);
	} else if (result->message) {
		fputs(indent, out);
	}
	if (result->message)
		claw_report_lines(out, "", result->message, DETAIL_LINES);
	else if (bad && result->file && result->line)
		fputc('\n', out);
	if (bad || state->head->verbose)
		claw_report_findings(out, indent, state->head, result);
	if (bad)
		write_field(out, "code", result->code);
	if ((bad || state->head->verbose) && result->detail)
		claw_report_lines(out, indent, result->detail, DETAIL_LINES);
	if (bad)
		write_field(out, "reproduce", result->reproduce);
}

static int text_result(FILE *out, void *user, const struct claw_result *result)
{
	struct state *state = user;
	int ret;

	show_events(out, state);
	if (!state->in_block ||
	    !claw_report_same(state->suite, result->suite) ||
	    !claw_report_same(state->configuration, result->configuration)) {
		ret = begin_block(out, state, result);
		if (ret < 0)
			return ret;
	}
	state->counts[result->verdict]++;
	state->total++;
	state->results++;
	state->flaky += result->flaky;
	write_row(out, state, result);
	write_detail(out, state, result);
	return state->is_test ? claw_report_cases_add(&state->cases, result) :
	       0;
}

static int text_event(FILE *out, void *user,
		      const struct claw_soak_event *event)
{
	(void)out;
	return claw_report_events_add(&((struct state *)user)->events, event);
}

static int text_end(FILE *out, void *user)
{
	struct state *state = user;
	const struct claw_report_head *head = state->head;
	char missing[160];

	show_events(out, state);
	end_block(out, state);
	if (state->cases.tool_count > 1) {
		fputc('\n', out);
		claw_report_cases_print(out, &state->cases);
	}
	if (head->compared_with) {
		fputc('\n', out);
		claw_report_changes(out, head);
	}
	if (claw_report_missing(head, state->results, missing,
				sizeof(missing)))
		fprintf(out, "%s\n", missing);
	if (head->damaged_lines > 0)
		fprintf(out, "Damaged: %" PRIu64 " lines of the records are "
			"left out\n", head->damaged_lines);
	claw_report_cases_release(&state->cases);
	claw_report_events_release(&state->events);
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
	.name = "text",
	.summary = "a block a suite and tool, for people",
	.begin = text_begin, .result = text_result, .end = text_end,
	.pause = text_pause, .event = text_event,
};
