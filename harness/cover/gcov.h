/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the runs of a program that gcc built with --coverage have executed:
 * which lines without faults, and which a run with faults has beyond those.
 * Each run writes its data to a directory of its own (GCOV_PREFIX), so that
 * the runs do not mix, and the user's own data stays as it is; the runs
 * without faults share one, where libgcov adds them up.
 */
#ifndef CLAW_GCOV_H
#define CLAW_GCOV_H

#include "code_lines.h"
#include "harness/process/runner.h"

/* Of a run of which some may be missing: it was killed, ended by a signal or
 * by _exit(), where nothing is written. A line of the texts below. */
#define CLAW_GCOV_NOT_KNOWN "not known"

struct claw_gcov;

/* directory: for the runs without faults; absolute. program: gcov, or NULL to
 * look for it. */
struct claw_gcov *claw_gcov_new(const char *directory, const char *program);
void claw_gcov_free(struct claw_gcov *gcov);
/* With a part that cannot be read nothing can. */
void claw_gcov_need_all(struct claw_gcov *gcov);
const char *claw_gcov_directory(const struct claw_gcov *gcov);

/*
 * The runs without faults are over: read what they have left. ret_why: what
 * could not be read and why, one line, malloced, or NULL. Afterwards
 * claw_gcov_lines() says whether anything could.
 */
void claw_gcov_begin(struct claw_gcov *gcov, struct claw_runner *runner,
		     char **ret_why);
/* All lines; runs is 0 for what no run without faults has executed. NULL: the
 * program leaves no data, or none that can be read. */
const struct claw_code_lines *claw_gcov_lines(const struct claw_gcov *gcov);

/* The reading of one run's data. */
struct claw_gcov_job;

/* directory: what GCOV_PREFIX was. */
struct claw_gcov_job *claw_gcov_job_new(struct claw_gcov *gcov,
					const char *directory);
/* To be run, with standard output to a file; NULL: all is known without. */
char *const *claw_gcov_job_argv(const struct claw_gcov_job *job);
/*
 * The job is over. output: that file, or NULL: it could not be run.
 *
 * Returns the lines that no run without faults has executed (code_lines.h),
 * with a line CLAW_GCOV_NOT_KNOWN where some may be missing; malloced. Frees
 * the job.
 */
char *claw_gcov_job_end(struct claw_gcov_job *job, const char *output);

#endif
