/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One case of a suite, in a process of its own with the layer in it: how it
 * is started, and what became of it.
 */
#ifndef CLAW_TEST_CASE_H
#define CLAW_TEST_CASE_H

#include "harness/cases/suite/case_report.h"
#include "harness/session/fault_plan.h"
#include "harness/records/records.h"
#include "harness/process/runner.h"
#include "harness/session/session.h"
#include "harness/cases/suite/suite.h"
#include "harness/tools/tools.h"

struct claw_test_selection;

struct claw_test_case {
	const struct claw_suite *suite;
	const struct claw_suite_case *about;
	const struct claw_under *under;
	const char *configuration;	/* for the records; NULL: none named */
	uint64_t timeout_ms;		/* about's, else the suite's, else a default; times the tool's factor */
	const struct claw_test_selection *selection;	/* that chose it */
	const char *reproduce;		/* the line to paste */
};

/*
 * Why it cannot run under its tool here (its needs, a .sim file elsewhere
 * than under oclgrind): one line for a SKIPPED, "" when it can. Call it
 * before there is a runner: the drivers are asked once a tool.
 */
void claw_test_case_why_not(const struct claw_test_case *what, char *why,
			    size_t why_size);

/* Does the layer put guard zones around its buffers? */
bool claw_test_case_has_guards(const struct claw_test_case *what);

/* One try at it. Its files are in directory. It must not be moved. */
struct claw_test_try {
	const struct claw_test_case *what;
	unsigned int number;		/* from 1 */
	char *directory, *result_path;
	struct claw_session *session;
	struct claw_fault_plan plan;	/* about's faults, as the session has them */
	bool has_plan;
	char *models;			/* about's own, for the session, or NULL */
	uint64_t granted_ms;		/* given for delays of the rules so far */
	uint64_t waited_ms;		/* given until the launch that must not end, and for it */
	char problem[512];		/* one line, why its faults cannot be, or "" */
	char *xml_path;			/* LIBCHECK: the log that libcheck writes */
	char *log_path;			/* ... and its count of checks, or NULL */
	struct claw_under_run under;
	char **environment;		/* borrowed texts but the last few */
	char *owned[8];			/* ends with NULL */
	struct claw_run_spec spec;
};

/*
 * Make directory (absolute; its parents, too) and everything that the run
 * needs. config: as the tool was made ready with.
 *
 * Returns 0, -CLAW_E_IO (errno set) or -CLAW_E_NO_LAYER.
 */
int claw_test_try_init(struct claw_test_try *try,
		       const struct claw_test_case *what, unsigned int number,
		       const char *directory,
		       const struct claw_under_config *config);
void claw_test_try_release(struct claw_test_try *try);

/* What became of a try: a result, or one a START_TEST of a libcheck program. */
struct claw_test_outcome {
	struct claw_result *results;	/* at least one; own strings */
	size_t count;
	struct claw_case_report report;	/* of FRAME and CLW cases, else empty */
	bool is_unchosen;	/* LIBCHECK: --filter chose none of its tests */
};

void claw_test_try_judge(const struct claw_test_try *try,
			 const struct claw_run_result *run,
			 struct claw_test_outcome *ret_outcome);
void claw_test_outcome_release(struct claw_test_outcome *outcome);

#endif
