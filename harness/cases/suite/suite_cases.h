/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How suites are made: cases are added to one, whether a description or a
 * word of the command line says which. For suite*.c.
 */
#ifndef CLAW_SUITE_CASES_H
#define CLAW_SUITE_CASES_H

#include <stddef.h>

#include "suite.h"

/* An empty one; the caller fills it in or frees it with claw_suite_free(). */
struct claw_suite *claw_suite_new(const char *file);

/* A case at the end, of that name, which is taken over, else zeroed; valid
 * until the next is added. */
struct claw_suite_case *claw_suite_add_case(struct claw_suite *suite,
					    enum claw_case_kind kind,
					    char *name);

/* All but name, kind, file and test: own copies. */
void claw_suite_case_copy(const struct claw_suite_case *from,
			  struct claw_suite_case *to);
void claw_suite_case_release(struct claw_suite_case *one);
/* Expect these, too. */
void claw_suite_expect_findings(struct claw_case_expect *expect,
				const struct claw_expected_finding *findings,
				size_t count);

/* The last one. */
void claw_suite_drop_case(struct claw_suite *suite);

/* Letters, digits, _ - and . in place of everything else; malloced. */
char *claw_suite_fit_name(const char *text);

/* Where a program of a description is: a path from the description's
 * directory, or a name there, beside openclaw, or installed. malloced; NULL
 * when it is nowhere. */
char *claw_suite_find_program(const char *file, const char *name);

/* A path from the directory of a file; malloced. */
char *claw_suite_path_beside(const char *file, const char *path);

/* ---- suite_kernels.c --------------------------------------------------- */

/* By its name, what a kernel file may be: .clw, .cl, .program_test, .sim. */
bool claw_suite_is_kernel_file(const char *path);

/*
 * Add the cases of a kernel file: one a test of it. Each is like "like", and
 * has what the file's header says of it. prefix goes before the names ("" or
 * "bounds.").
 *
 * Returns 0, -CLAW_E_NOT_FOUND (the file has no header, or is not there),
 * -CLAW_E_SYNTAX, -CLAW_E_IO or -CLAW_E_LIMIT, with a line in reterr.
 */
int claw_suite_add_file(struct claw_suite *suite,
			const struct claw_suite_case *like, const char *path,
			const char *prefix, struct claw_suite_error *reterr);

/* All kernel files of a folder and of what is below it, in the order of
 * their names. Those without a header are counted in the suite. Returns as
 * claw_suite_add_file(). */
int claw_suite_add_folder(struct claw_suite *suite,
			  const struct claw_suite_case *like, const char *path,
			  const char *prefix, struct claw_suite_error *reterr);

#endif
