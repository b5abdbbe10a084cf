/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of a run with faults is in its own directory, that of the runs
 * without faults in one for all of them.
 */
#include "config.h"

#include "judged_gcov.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/cover/gcov.h"
#include "harness/base/text.h"

enum { TIMEOUT_MS = 60000 };

int claw_judged_gcov_prepare(struct claw_judged_run *run)
{
	char *own = claw_path_in(run->session->directory, "gcov");
	int ret;

	claw_directory_remove(own);
	ret = claw_session_setenv(run->session, "GCOV_PREFIX",
		run->rule_count > 0 ? own :
		claw_gcov_directory(run->setup->gcov));
	if (ret == 0)
		ret = claw_session_setenv(run->session, "GCOV_PREFIX_STRIP",
					  "0");
	free(own);
	return ret;
}

/* output: what gcov has printed, or NULL. */
static void end_job(struct claw_judged_run *run, const char *output)
{
	run->first_run = claw_gcov_job_end(run->gcov_job, output);
	run->gcov_job = NULL;
}

static void ended(struct claw_run_result *result, void *user)
{
	struct claw_judged_run *run = user;
	bool whole = result->end == CLAW_END_EXIT && !result->file_error;

	end_job(run, whole ? run->gcov_output : NULL);
	run->gcov_done(run, result->end == CLAW_END_CANCELLED);
}

bool claw_judged_gcov_read(struct claw_judged_run *run,
			   void (*done)(struct claw_judged_run *run,
					bool cancelled))
{
	struct claw_gcov *gcov = run->setup->gcov;
	char *own;

	if (!gcov || run->rule_count == 0 || !claw_gcov_lines(gcov))
		return false;
	own = claw_path_in(run->session->directory, "gcov");
	run->gcov_output = claw_path_in(run->session->directory, "gcov.json");
	run->gcov_done = done;
	run->gcov_job = claw_gcov_job_new(gcov, own);
	free(own);
	if (!run->gcov_job)
		return false;
	run->command = (struct claw_run_spec) {
		.argv = claw_gcov_job_argv(run->gcov_job),
		.directory = run->session->directory,
		.stdout_path = run->gcov_output,
		.timeout_ms = TIMEOUT_MS,
	};
	if (!run->command.argv) {
		end_job(run, NULL);
		return false;
	}
	claw_runner_add(run->setup->runner, &run->command, ended, run);
	return true;
}
