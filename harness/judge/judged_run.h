/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a program that is compared with others: the same
 * input and caches as every other, no artifact of an earlier run, its prepare
 * and cleanup commands around it, and what is left of it read. Several may be
 * under way on one runner, each with a directory of its own.
 */
#ifndef CLAW_JUDGED_RUN_H
#define CLAW_JUDGED_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/evidence/evidence.h"
#include "harness/cover/gcov.h"
#include "judged_tool.h"
#include "harness/base/options.h"
#include "harness/process/runner.h"
#include "harness/session/session.h"
#include "harness/evidence/unseen.h"

struct claw_judged_run;

/* What all runs of a program have in common; borrowed by them. */
struct claw_judged_setup {
	struct claw_runner *runner;
	char *const *argv;
	struct claw_session_config config;
	const char *stdin_path;		/* a file that stays, or NULL: empty */
	const char *output_filter, *prepare, *cleanup;	/* or NULL */
	struct claw_strings artifacts;
	/* What it prints of an artifact is compared in its place; or NULL. It
	 * finds that of the run without faults, whose directory this is, in
	 * OPENCLAW_BASELINE. */
	const char *artifact_filter;
	const char *reference;
	const char *cache;		/* directory of the drivers' caches */
	char *const *environment;	/* more of it, as claw_run_spec.set_env */
	/* Each run works in <its directory>/work, which has links to what is
	 * in ours; "{dir}" in words and commands is that directory. */
	bool own_directory;
	struct claw_symbolizer *symbolizer;	/* for all runs, or NULL */
	struct claw_gcov *gcov;		/* of all runs, or NULL */
	const struct claw_judged_tool *tool;	/* all run under it, or NULL */
	/* Its variables, the driver among them, without the tool itself:
	 * nothing is found. */
	bool beside_tool;
	/* The run without faults that has ended, or NULL. */
	const struct claw_judged_run *tool_baseline;
};

enum claw_judged_end {
	CLAW_JUDGED_DONE,		/* result and evidence are there */
	CLAW_JUDGED_INFRA,		/* the harness could not: why */
	CLAW_JUDGED_NO_PROGRAM,		/* exit 127: why */
	CLAW_JUDGED_NOT_EXECUTABLE,	/* exit 126: why */
	CLAW_JUDGED_CANCELLED,
};

typedef void claw_judged_done(struct claw_judged_run *run, void *user);

struct claw_judged_run {
	const struct claw_judged_setup *setup;
	char *directory;		/* its session */
	char *work;			/* its working directory, or NULL: ours */
	char *out_path, *err_path, *filtered_path;
	struct claw_session *session;
	struct claw_run_result result;
	struct claw_evidence evidence;
	struct claw_findings found;	/* by its tool */
	char *found_gap;		/* why that is not all, or NULL */
	char *unseen;			/* claw_unseen_end() */
	char *first_run;	/* lines: claw_gcov_job_end(); or NULL */
	enum claw_judged_end end;
	char *why;
	/* For the run itself. */
	struct claw_unseen *watching;
	size_t rule_count;
	uint64_t timeout_ms, granted_ms;
	char **argv;
	struct claw_under_run under;	/* with a tool */
	struct claw_run_spec command;
	char *command_argv[4];
	char *command_env[2];
	size_t filtering;	/* the artifact that the filter is at */
	char *filter_in, *filter_out;
	struct claw_gcov_job *gcov_job;
	char *gcov_output;
	void (*gcov_done)(struct claw_judged_run *run, bool cancelled);
	claw_judged_done *done;
	void *user;
};

/*
 * Begin a run; rules are canonical texts, only read now. done is called once:
 * in claw_runner_run(), or before this returns when the run could not begin.
 * directory is made, or what an earlier run left there is replaced. The run
 * is the caller's, who releases it whatever became of it.
 */
void claw_judged_begin(const struct claw_judged_setup *setup,
		       const char *directory, char *const *rules,
		       size_t rule_count, uint64_t timeout_ms,
		       claw_judged_done *done, void *user,
		       struct claw_judged_run *run);
void claw_judged_release(struct claw_judged_run *run);

/* What is compared: the file of its filtered or whole standard output. */
const char *claw_judged_output(const struct claw_judged_run *run);
/* The copy of its artifact number `index`, malloced. */
char *claw_judged_artifact(const struct claw_judged_run *run, size_t index);
/* What is compared of it: the copy, or what the artifact filter printed. */
char *claw_judged_compared(const struct claw_judged_run *run, size_t index);

/* Does any word or command say "{dir}"? */
bool claw_judged_names_directory(const struct claw_judged_setup *setup);

#endif
