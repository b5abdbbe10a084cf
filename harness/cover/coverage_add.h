/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a coverage: what coverage.c adds to them. */
#ifndef CLAW_COVERAGE_ADD_H
#define CLAW_COVERAGE_ADD_H

#include "coverage.h"

/* To the file at path, which may be new; a line of number 0 and a path that is
 * NULL are left out. name of a function is copied. */
void claw_coverage_add_line(struct claw_coverage *coverage, const char *path,
			    const struct claw_coverage_line *line);
void claw_coverage_add_function(struct claw_coverage *coverage,
				const char *path,
				const struct claw_coverage_function *function);
void claw_coverage_add_branch(struct claw_coverage *coverage, const char *path,
			      const struct claw_coverage_branch *branch);

/* Everything once and in order: what was there before, too. */
void claw_coverage_put_together(struct claw_coverage *coverage);

void claw_coverage_release_files(struct claw_coverage *coverage);

#endif
