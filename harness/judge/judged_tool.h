/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tool under a program of the user's: made ready once, for all its runs.
 */
#ifndef CLAW_JUDGED_TOOL_H
#define CLAW_JUDGED_TOOL_H

#include "harness/session/session.h"
#include "harness/tools/tools.h"

struct claw_judged_tool {
	struct claw_under under;	/* why: it cannot be had here */
	struct claw_under_config config;
	char *directory;
};

/*
 * Make a tool ready, on the driver of --icd where that was given.
 *
 * directory:	 of ours; tool files go to tools/.
 * own_baseline: runs are compared with one without faults.
 *
 * Returns 0 (ret_tool->under.why says why it is not here, if so) or -CLAW_E_IO
 * (errno set). Released by the caller in every case.
 */
int claw_judged_tool_init(const struct claw_under_row *row,
			  const char *directory, bool own_baseline,
			  struct claw_judged_tool *ret_tool);
void claw_judged_tool_release(struct claw_judged_tool *tool);

/*
 * Everything for one run: its words are put before argv (ret_run->argv), its
 * variables into the session, its logs into the session's folder tool/. err:
 * the file that standard error goes to, or NULL: the tool's own choice.
 *
 * Returns 0 or -CLAW_E_IO (errno set). The caller releases with
 * claw_under_run_release().
 */
int claw_judged_tool_start(const struct claw_judged_tool *tool,
			   struct claw_session *session, char *const *argv,
			   const char *err, struct claw_under_run *ret_run);

/*
 * What it found in a run that has ended.
 *
 * baseline: of the same program without faults, or NULL.
 * ret_gap:  why that is not all, malloced, or NULL: it is.
 */
void claw_judged_tool_read(const struct claw_judged_tool *tool,
			   struct claw_under_run *run,
			   const struct claw_under_run *baseline,
			   struct claw_findings *findings, char **ret_gap);

#endif
