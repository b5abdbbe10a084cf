/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a program under a tool, without a verdict. */
#include "config.h"

#include "inject_tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/evidence/probe_sum.h"
#include "harness/judge/judged_found.h"
#include "harness/tools/tool_words.h"

static void die_of(const char *directory, int error)
{
	claw_die(CLAW_EXIT_INFRA, "%s: %s", directory, error == -CLAW_E_IO ?
		 strerror(errno) : claw_error_text(error));
}

void claw_inject_tool_make(const struct claw_under_row *row,
			   const char *directory, bool own_baseline,
			   struct claw_judged_tool *ret_tool)
{
	int ret = claw_judged_tool_init(row, directory, own_baseline, ret_tool);

	if (ret < 0)
		die_of(directory, ret);
	if (ret_tool->under.why[0])
		claw_warn("--under %s: %s", row->name, ret_tool->under.why);
}

void claw_inject_tool_start(const struct claw_judged_tool *tool,
			    struct claw_session *session, char *const *argv,
			    struct claw_under_run *run,
			    struct claw_run_spec *spec)
{
	int ret = claw_judged_tool_start(tool, session, argv, NULL, run);

	if (ret < 0)
		die_of(session->directory, ret);
	spec->argv = run->argv;
	spec->set_env = session->environment;
	if (!run->stderr_path && !run->stdout_path)
		return;
	/* The tool speaks there, too: it is kept, and passed on. */
	spec->foreground = false;
	spec->tee = true;
	spec->stdout_path = run->stdout_path;
	spec->stderr_path = run->stderr_path;
}

/* gap: why these are not all, or NULL. */
static void print_found(const char *name, const struct claw_findings *found,
			const char *gap)
{
	for (size_t i = 0; i < found->count; i++) {
		fprintf(stderr, "openclaw: %s: ", name);
		claw_judged_found_print(stderr, &found->items[i]);
	}
	if (found->count > 0)
		claw_warn("%zu finding%s under %s", found->count,
			  found->count == 1 ? "" : "s", name);
	else if (!gap)
		claw_warn("under %s: no findings", name);
}

/* Found nothing, and did not look at all. */
static void print_partly(const struct claw_judged_tool *tool,
			 const struct claw_under_run *run)
{
	const struct claw_session session = { .directory = run->session };
	struct claw_probe_sum sum;
	char *partly;

	if (!(tool->under.row->probes & CLAW_PROBE_CHECKS) || !run->session ||
	    claw_probe_sum_read(&session, &sum) < 0)
		return;
	partly = claw_probe_sum_partly(&sum);
	if (partly)
		claw_warn("%s", partly);
	free(partly);
	claw_probe_sum_release(&sum);
}

int claw_inject_tool_report(const struct claw_judged_tool *tool,
			    struct claw_under_run *run,
			    const struct claw_run_result *result)
{
	struct claw_findings found = { .count = 0 };
	bool ended = result->end == CLAW_END_EXIT;
	int status = -1;
	char *gap;

	claw_judged_tool_read(tool, run, NULL, &found, &gap);
	print_found(tool->under.row->name, &found, gap);
	print_partly(tool, run);
	if (found.count > 0 && ended && result->code == 0)
		status = CLAW_EXIT_FINDINGS;
	/* One that was killed leaves what it had by then. */
	else if (found.count == 0 && gap && ended)
		status = CLAW_EXIT_INFRA;
	if (gap)
		claw_warn("%s%s", status == CLAW_EXIT_INFRA ? "infra: " : "",
			  gap);
	free(gap);
	claw_findings_release(&found);
	return status;
}
