/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw report diff OLD NEW": what changed from one run to the next, as
 * "openclaw test --baseline" says it.
 */
#include "config.h"

#include "cmd_report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../reports/report.h"
#include "baseline.h"
#include "errors.h"

static bool has_new_failure(const struct claw_comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; i++)
		if (comparison->changes[i].kind == CLAW_CHANGE_NEWLY_FAILING)
			return true;
	return false;
}

int claw_cmd_report_diff(const struct claw_report_words *words)
{
	struct claw_past_run *old, *new;
	struct claw_comparison comparison;
	struct claw_report_head head = { 0 };
	int status = CLAW_EXIT_CLEAN;
	FILE *out = stdout;

	if (words->count != 2)
		claw_die(CLAW_EXIT_USAGE, "report diff: expected OLD NEW, the "
			 "output directories of two runs, found %d",
			 words->count);
	old = claw_cmd_report_read(words->items[0]);
	new = claw_cmd_report_read(words->items[1]);
	if (claw_comparison_init(&comparison, old, new) < 0)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	head.compared_with = old->directory;
	head.compared_started = old->started;
	head.compared_text = comparison.text;
	head.changes = comparison.changes;
	head.change_count = comparison.count;
	if (words->output)
		out = fopen(words->output, "we");
	if (out)
		claw_report_changes(out, &head);
	if (!out || (out != stdout && fclose(out) != 0))
		claw_die(CLAW_EXIT_INFRA, "%s: %s", words->output,
			 strerror(errno));
	if (!new->complete || new->damaged > 0) {
		claw_warn("%s is %s", new->directory, new->complete ?
			  "damaged" : "incomplete: the run did not come to "
			  "its end");
		status = CLAW_EXIT_UNKNOWN;
	}
	if (has_new_failure(&comparison))
		status = CLAW_EXIT_FINDINGS;
	claw_comparison_release(&comparison);
	claw_past_run_free(old);
	claw_past_run_free(new);
	return status;
}
