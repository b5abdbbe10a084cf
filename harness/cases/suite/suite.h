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

#include "harness/base/name_index.h"
#include "harness/tools/needs.h"

/* How a case is run. */
enum claw_case_kind {
	CLAW_CASE_FRAME,	/* PROGRAM --case NAME, a program of suite_main.h */
	CLAW_CASE_CLW,		/* one test of a kernel file (clw.h) */
	CLAW_CASE_SIM,		/* an Oclgrind .sim file, by oclgrind-kernel */
	CLAW_CASE_LIBCHECK,	/* any libcheck program: a result a START_TEST */
	CLAW_CASE_COMMAND,	/* any command */
};

/* How a case must end. */
struct claw_case_expect {
	bool has_exit;
	int exit_status;
	char *fault;		/* a clw-code that must be diagnosed, or NULL */
	struct claw_expected_finding *findings;
	size_t finding_count;
};

struct claw_suite_case {
	enum claw_case_kind kind;
	char *name;
	char *proves;		/* or NULL */
	bool expect_fail;	/* a failure is XFAIL */
	char *reason;		/* why it is expected to fail, or NULL */
	char *fail_driver;	/* ... on drivers like this (ERE), or NULL: all */
	char **only_under;	/* tools it is for, NULL-terminated; NULL: all */
	char **tags;		/* NULL-terminated, or NULL */
	uint64_t timeout_ms;	/* 0: the suite's */
	char *file;		/* CLW, SIM: the kernel file; absolute */
	char *test;		/* CLW: case_name of its test in the file */
	char *source;		/* CLW: the file whose lines its kernels have; absolute, or NULL: file */
	char **words;		/* LIBCHECK, COMMAND: program and arguments; NULL-terminated */
	char *directory;	/* working directory of those, or NULL */
	char **faults;		/* rules applied to it, NULL-terminated, or NULL */
	uint64_t seed;		/* of their random decisions */
	char **models;		/* words of --model that it runs under, in place of the command line's; NULL-terminated, or NULL */
	bool compares_nothing;	/* CLW: neither results nor findings are expected */
	bool no_opencl;		/* COMMAND, LIBCHECK: makes no OpenCL call on purpose */
	struct claw_case_needs needs;
	struct claw_case_expect expect;	/* of CLW: also what its header says */
	char *problem;		/* CLW: why its file is none that can be run, one line, or NULL */
	const char *operand;	/* the word of the command line that selected it, or NULL: a named suite */
};

struct claw_suite {
	char *file;		/* its description, or the kernel file or folder */
	char *name;
	unsigned int name_line, name_column;	/* where file says it, from 1; 0: it does not */
	char *hides;		/* a suite of our own that it is read in place of, or NULL */
	char *summary;		/* or NULL */
	char *program;		/* path that can be executed, or NULL: no FRAME case */
	uint64_t timeout_ms;	/* of one case, 0: the default */
	bool api_errors_expected;
	struct claw_suite_case *cases;
	size_t case_count;
	struct claw_name_index names;	/* of the cases */
	bool keeps_broken;	/* a folder's files that cannot be read are cases with a problem */
	size_t headless;	/* kernel files of folders and patterns that have no header: no cases */
};

struct claw_suite_error {
	char message[512];	/* "file:line:column: what", one line */
};

/*
 * Read the suite called name. Looked for in the directories of
 * OPENCLAW_SUITES if that is set, else in suites/ beside the running program,
 * then where openclaw is installed. The file has the name of the suite. A
 * user's suite takes precedence over ours; two of a user's are an error.
 *
 * Returns 0, -CLAW_E_NOT_FOUND (no such description: reterr says what there
 * is), -CLAW_E_SYNTAX, -CLAW_E_IO or -CLAW_E_DAMAGED (the presets that it names
 * are not installed).
 */
int claw_suite_read(const char *name, struct claw_suite **ret_suite,
		    struct claw_suite_error *reterr);

/*
 * What a word of the command line names: a kernel file (.clw; .cl and
 * .program_test with a header; .sim), a folder of them, searched whole, or a
 * suite's description (.yaml). A suite of kernel files is called after their
 * folder.
 *
 * Returns as claw_suite_read().
 */
int claw_suite_read_operand(const char *operand, struct claw_suite **ret_suite,
			    struct claw_suite_error *reterr);

/* One given description file. */
int claw_suite_read_file(const char *path, struct claw_suite **ret_suite,
			 struct claw_suite_error *reterr);
/* The same of a text; path stands for the file. */
int claw_suite_parse(const char *path, const char *text, size_t size,
		     struct claw_suite **ret_suite,
		     struct claw_suite_error *reterr);
void claw_suite_free(struct claw_suite *suite);

/* The first case of that name, or NULL. */
const struct claw_suite_case *
claw_suite_find_case(const struct claw_suite *suite, const char *name);

/* Names of all suites that can be found (OPENCLAW_SUITES, "suites:" of
 * openclaw.yaml, beside the program, installed), sorted, NULL-terminated; the caller
 * frees both levels. */
char **claw_suite_names(void);

#endif
