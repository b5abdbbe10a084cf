/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suites: a description (suites/<name>.yaml) and the program that runs one
 * case a process (suites/suite_main.h says how it is called and answers).
 */
#ifndef CLAW_SUITE_H
#define CLAW_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct claw_suite_case {
	char *name;
	char *proves;		/* or NULL */
	bool expect_fail;	/* expect: fail; a failure is XFAIL */
	char *reason;		/* why it is expected to fail, or NULL */
	char **only_under;	/* tools it is for, NULL-terminated; NULL: all */
};

struct claw_suite {
	char *file;		/* its description */
	char *name;
	char *summary;		/* or NULL */
	char *program;		/* path that can be executed */
	uint64_t timeout_ms;	/* of one case, 0: the default */
	bool api_errors_expected;
	struct claw_suite_case *cases;
	size_t case_count;
};

struct claw_suite_error {
	char message[512];	/* "file:line:column: what", one line */
};

/*
 * Read the suite called name. Looked for in the directories of
 * OPENCLAW_SUITES if that is set, else in suites/ beside the running program,
 * then where openclaw is installed.
 *
 * Returns 0, -CLAW_E_NOT_FOUND (no such description: reterr says what there
 * is), -CLAW_E_SYNTAX, -CLAW_E_IO or -CLAW_E_NO_MEMORY.
 */
int claw_suite_read(const char *name, struct claw_suite **ret_suite,
		    struct claw_suite_error *reterr);

/* One given description file. */
int claw_suite_read_file(const char *path, struct claw_suite **ret_suite,
			 struct claw_suite_error *reterr);
void claw_suite_free(struct claw_suite *suite);

/* Names of all suites that can be found, sorted, NULL-terminated; the caller
 * frees both levels. NULL without memory. */
char **claw_suite_names(void);

/* A file of ours below the data directory ("suites/valgrind.supp",
 * "kernels"): beside the running program, then installed. malloced; NULL when
 * it is nowhere. */
char *claw_data_path(const char *name);

/* What a suite program wrote into OPENCLAW_CASE_RESULT. */
struct claw_case_test {
	char *name, *word, *place, *message, *deviation;
};
struct claw_case_report {
	char *suite, *name;	/* of the case; NULL: the file says nothing */
	char *skip;		/* why it was skipped, or NULL */
	struct claw_case_fact { char *key, *value; } *facts;
	size_t fact_count;
	struct claw_case_test *tests;
	size_t test_count;
	bool ended;		/* the end line was there and its counts fit */
};

/* A file that is not there reads as an empty report. 0 or -CLAW_E_NO_MEMORY. */
int claw_case_report_read(const char *path, struct claw_case_report *ret_report);
void claw_case_report_release(struct claw_case_report *report);

#endif
