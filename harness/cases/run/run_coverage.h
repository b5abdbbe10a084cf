/* SPDX-License-Identifier: Apache-2.0 */
/* "openclaw test --coverage": what all cases together have run. */
#ifndef CLAW_TEST_COVERAGE_H
#define CLAW_TEST_COVERAGE_H

#include "harness/cover/coverage.h"
#include "run_case.h"

/* --coverage[=hit|count] as enum claw_probe_mode, 0: it is neither. */
uint32_t claw_test_coverage_mode(const char *word);

/* Folders that texts may be of. directory: the output's. */
void claw_test_coverage_init(struct claw_coverage *coverage,
			     const char *directory, const char *root);

/* Add a try that has ended, before its session is removed. 0 or -CLAW_E_IO
 * (errno set). */
int claw_test_coverage_add(struct claw_coverage *coverage,
			   const struct claw_test_try *try);

#endif
