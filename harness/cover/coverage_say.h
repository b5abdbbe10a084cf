/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage in words, for people and for the records. */
#ifndef CLAW_COVERAGE_SAY_H
#define CLAW_COVERAGE_SAY_H

#include "coverage.h"

/* "kernel coverage: 83.3 % of 12 lines, 1 of 1 functions, 75.0 % of 4
 * branches"; malloced. */
char *claw_coverage_headline(const struct claw_coverage *coverage);

/* A table by file, launches, what had no probes and why: lines; files below
 * root are named from there. malloced. */
char *claw_coverage_table(const struct claw_coverage *coverage,
			  const char *root);

/* "lines=12 lines_hit=10 ..." for the records; malloced. */
char *claw_coverage_metrics(const struct claw_coverage_sum *sum);

/* --fail-under: "80", "79.5%"; NULL is -1, not given. Dies of anything else. */
double claw_coverage_least_parse(const char *text);
/* Fewer of the lines than that have run, one line, malloced, or NULL: as many,
 * or nothing is known. */
char *claw_coverage_too_little(const struct claw_coverage *coverage,
			       double least);

#endif
