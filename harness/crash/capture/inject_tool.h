/* SPDX-License-Identifier: Apache-2.0 */
/* "openclaw inject --under": the tool of a run. All of these end the process
 * where the harness itself fails. */
#ifndef CLAW_INJECT_TOOL_H
#define CLAW_INJECT_TOOL_H

#include "harness/judge/judged_tool.h"
#include "harness/process/runner.h"

/* Make it ready, as claw_judged_tool_init(). One that cannot be had here is
 * told of, and why is in ret_tool->under.why. */
void claw_inject_tool_make(const struct claw_under_row *row,
			   const char *directory, bool own_baseline,
			   struct claw_judged_tool *ret_tool);

/* Change how a program is started: spec borrows from run and the session. */
void claw_inject_tool_start(const struct claw_judged_tool *tool,
			    struct claw_session *session, char *const *argv,
			    struct claw_under_run *run,
			    struct claw_run_spec *spec);

/* Say on standard error what it has found. Returns the exit status where that
 * is more than the program's own says, or -1. */
int claw_inject_tool_report(const struct claw_judged_tool *tool,
			    struct claw_under_run *run,
			    const struct claw_run_result *result);

#endif
