/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run a plan, a process a case, and tell. Results go to the records and to
 * stdout in the order of the plan, whatever order the cases end in.
 */
#ifndef CLAW_TEST_RUN_H
#define CLAW_TEST_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/report.h"
#include "harness/records/records.h"
#include "run_plan.h"
#include "harness/tools/tools.h"

/* How; filled in by the caller, everything borrowed. */
struct claw_test_how {
	uint64_t jobs;			/* 0: the tool's, or one a core */
	uint64_t retries;
	uint64_t repeat;		/* runs of each case, at least; 0: once */
	uint64_t repeat_ms;		/* until so much time is over, of each tool */
	bool quiet, verbose;
	const struct claw_strings *require;
	int error_exitcode;
	struct claw_under_config config;	/* directory: absolute */
	struct claw_records *records;
	struct claw_coverage *coverage;	/* of all cases, or NULL: nobody asked */
	const struct claw_report_format *format;
	struct claw_report_head *head;
	void *format_state;		/* begun */
};

struct claw_test_run;

struct claw_test_run *claw_test_run_new(struct claw_test_plan *plan,
					const struct claw_test_how *how);
void claw_test_run_free(struct claw_test_run *run);

/* Run every case of this shard. Returns 0, or the signal that cancelled it. */
int claw_test_run_all(struct claw_test_run *run);

/* The first failure of ours as -CLAW_E_* (errno in reterr_errno; what could not
 * be written in ret_what, NULL: something in the output directory), or 0; note
 * one of the caller's. */
int claw_test_run_error(const struct claw_test_run *run, int *reterr_errno,
			const char **ret_what);
void claw_test_run_note_error(struct claw_test_run *run, int error,
			      const char *what);

/* is_known: a failure for which it says so does not count; NULL: all do. */
int claw_test_run_status(const struct claw_test_run *run, int cancelled,
			 bool (*is_known)(const void *user,
					  const struct claw_result *result),
			 const void *user);

#endif
