/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that other programs read coverage of kernels from.
 */
#ifndef CLAW_COVERAGE_FILES_H
#define CLAW_COVERAGE_FILES_H

#include <stdio.h>

#include "coverage.h"

/* A tracefile of lcov, 1.16 and 2.x. 0 or -CLAW_E_IO. */
int claw_coverage_write_lcov(FILE *out, const struct claw_coverage *coverage,
			     const char *test_name);

/* Cobertura's XML (coverage-04.dtd); files below root are named from there.
 * 0 or -CLAW_E_IO (errno set). */
int claw_coverage_write_cobertura(const char *path,
				  const struct claw_coverage *coverage,
				  const char *root);

#endif
