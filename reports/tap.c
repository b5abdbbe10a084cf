/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Test Anything Protocol as automake's driver reads it: the plan first,
 * SKIP and TODO directives, everything else behind "# ".
 */
#include "config.h"

#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text_clean.h"

enum { DETAIL_LINES = 40 };

struct state {
	const struct claw_report_head *head;
	uint64_t number;
};

/* A description must not look like a directive, nor break its line. */
static void put_text(FILE *out, const char *text)
{
	claw_text_put(out, text, strlen(text), "#\\");
}

static int tap_begin(FILE *out, const struct claw_report_head *head,
		     void **ret_state)
{
	struct state *state = claw_calloc(1, sizeof(*state));

	state->head = head;
	if (!head->is_open)
		fprintf(out, "1..%" PRIu64 "%s\n", head->planned,
			head->planned == 0 ? " # SKIP no test case matches "
					     "the selection" :
			"");
	*ret_state = state;
	return 0;
}

static void tap_result(FILE *out, void *user, const struct claw_result *result)
{
	struct state *state = user;
	char class = claw_verdict_class(result->verdict);
	bool ok = class == 'p' || class == 's' ||
		  result->verdict == CLAW_DEGRADED ||
		  result->verdict == CLAW_XPASS;
	char *block = claw_report_block(result);

	fprintf(out, "%sok %" PRIu64 " - ", ok ? "" : "not ", ++state->number);
	put_text(out, block);
	fputc(' ', out);
	put_text(out, result->name ? result->name : "");
	free(block);
	if (class == 's')
		fputs(" # SKIP ", out);
	else if (result->verdict == CLAW_XFAIL ||
		 result->verdict == CLAW_XPASS)
		fputs(" # TODO ", out);
	if ((class == 's' || result->verdict == CLAW_XFAIL) && result->message)
		put_text(out, result->message);
	fputc('\n', out);
	if (class == 'f' || class == 'u' || result->flaky) {
		fprintf(out, "# %s\n", claw_verdict_name(result->verdict));
		if (result->file && result->line) {
			fputs("# ", out);
			claw_report_put(out, claw_report_path(state->head,
							      result->file));
			fprintf(out, ":%u\n", result->line);
		}
		if (result->message)
			claw_report_lines(out, "# ", result->message, DETAIL_LINES);
		claw_report_findings(out, "# ", state->head, result);
		if (result->detail)
			claw_report_lines(out, "# ", result->detail,
					  DETAIL_LINES);
		if (result->reproduce)
			claw_report_lines(out, "# reproduce: ",
					  result->reproduce,
					  DETAIL_LINES);
	} else if (class == 'p' && result->message) {
		claw_report_lines(out, "# ", result->message, DETAIL_LINES);
	}
}

static int tap_end(FILE *out, void *user)
{
	struct state *state = user;

	/* What is planned and did not come must be missed. */
	if (state->head->is_open)
		fprintf(out, "1..%" PRIu64 "\n", state->number >
			state->head->planned ? state->number :
			state->head->planned);
	if (!state->head->complete)
		fputs("Bail out! the run is incomplete\n", out);
	else if (state->head->cancelled)
		fputs("Bail out! interrupted\n", out);
	free(state);
	return 0;
}

const struct claw_report_format claw_report_tap = {
	.summary = "Test Anything Protocol, for automake and prove",
	.begin = tap_begin, .result = tap_result, .end = tap_end,
};
