/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage beside that of an earlier run, which is a tracefile of lcov. */
#ifndef CLAW_COVERAGE_BASELINE_H
#define CLAW_COVERAGE_BASELINE_H

#include "code_lines.h"
#include "coverage.h"

/*
 * The lines of a tracefile; of several sections of a file the sum. "DA" and
 * "SF" are read, all else is left out.
 *
 * Returns 0, -CLAW_E_IO (errno set) or -CLAW_E_SYNTAX ("PATH:LINE: expected
 * ..." in error).
 */
int claw_tracefile_read(const char *path, struct claw_code_lines *lines,
			char *error, size_t error_size);
int claw_tracefile_parse(const char *bytes, size_t size, const char *path,
			 struct claw_code_lines *lines, char *error,
			 size_t error_size);

/* Lines that only one of both has executed, "FILE:12-14,20" a file, and files
 * that only one of both has, a sentence each; malloced, "" where there are
 * none. */
struct claw_coverage_change {
	char *covered, *uncovered, *files;
	size_t covered_count, uncovered_count;
};

/* Lines that both know, and all that had run of a file of the baseline that
 * is not in this run. host: what this run knows besides, or NULL. */
void claw_coverage_compare(const struct claw_coverage *coverage,
			   const struct claw_code_lines *host,
			   const struct claw_code_lines *baseline,
			   struct claw_coverage_change *ret_change);
void claw_coverage_change_release(struct claw_coverage_change *change);

#endif
