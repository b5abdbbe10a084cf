/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One case of a suite, in a process of its own with the layer in it: how it
 * is started, and what became of it.
 */
#ifndef CLAW_TEST_CASE_H
#define CLAW_TEST_CASE_H

#include "records.h"
#include "runner.h"
#include "session.h"
#include "suite.h"
#include "tools.h"

struct claw_test_case {
	const struct claw_suite *suite;
	const struct claw_suite_case *about;
	const struct claw_under *under;
	const char *configuration;	/* for the records; NULL: none named */
	uint64_t timeout_ms;
	const char *reproduce;		/* the line to paste */
};

/* One try at it. Its files are in directory. */
struct claw_test_try {
	const struct claw_test_case *what;
	unsigned int number;		/* from 1 */
	char *directory, *result_path;
	struct claw_session *session;	/* NULL: no layer, see problem */
	struct claw_under_run under;
	char **environment;		/* borrowed texts but the last few */
	char *owned[3];
	struct claw_run_spec spec;
};

/*
 * Make directory (absolute; its parents, too) and everything that the run
 * needs. config: as the tool was made ready with.
 *
 * Returns 0, -CLAW_E_IO (errno set), -CLAW_E_NO_MEMORY, or -CLAW_E_NOT_FOUND:
 * the layer is nowhere.
 */
int claw_test_try_init(struct claw_test_try *try,
		       const struct claw_test_case *what, unsigned int number,
		       const char *directory,
		       const struct claw_under_config *config);
void claw_test_try_release(struct claw_test_try *try);

/*
 * What became of it. ret_result's strings are its own
 * (claw_result_release()); ret_report is what the suite program wrote, for
 * the caller to release.
 *
 * Returns 0 or -CLAW_E_NO_MEMORY.
 */
int claw_test_try_judge(const struct claw_test_try *try,
			const struct claw_run_result *run,
			struct claw_result *ret_result,
			struct claw_case_report *ret_report);

#endif
