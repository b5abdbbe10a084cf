/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw run --coverage": the directory with its files, and a record of each
 * test, as "test --coverage" has them.
 */
#ifndef CLAW_CMD_RUN_COVERAGE_H
#define CLAW_CMD_RUN_COVERAGE_H

#include "harness/cases/clw/clw.h"
#include "harness/cover/run/cmd_coverage.h"
#include "harness/crash/capture/workload.h"

struct claw_run_covering {
	struct claw_cmd_coverage end;
	struct claw_cmd_output output;
	char *root;			/* the working directory */
	const char *title;		/* the kernel file's name */
};

/* FILE.json as output: FILE.d, malloced; else output, or NULL. Dies without
 * memory. */
char *claw_run_directory(const char *output, bool *ret_has_json);

/* test_name: of the only one to run, or NULL. given was checked
 * (claw_cmd_coverage_check()). */
void claw_run_cover_begin(struct claw_run_covering *covering,
			  const char *directory, bool force, int argc,
			  char *const *argv, const struct claw_clw *clw,
			  const char *test_name);
void claw_run_cover_result(struct claw_run_covering *covering,
			   const struct claw_clw_test *test,
			   const struct claw_workload_result *result,
			   uint64_t attempts);
/* The status with what coverage says. */
int claw_run_cover_end(struct claw_run_covering *covering, int status,
		       int error_exitcode, bool cancelled);

#endif
