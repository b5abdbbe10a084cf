/* SPDX-License-Identifier: Apache-2.0 */
/* The coverage of a run's kernels, with source, as a part of its reports. Puts
 * nothing where the run has no DIR/coverage.info. */
#ifndef CLAW_COVERAGE_PART_H
#define CLAW_COVERAGE_PART_H

#include "harness/cover/code_lines.h"
#include "report.h"

/* Lines of one file, some of a set. */
struct claw_covered {
	const struct claw_code_line *first;
	size_t count, hit;
};

/* Into lines, to be released in any case. False: there is no coverage. */
bool claw_covered_lines(const struct claw_report_head *head,
			struct claw_code_lines *lines);
/* The file from *at on, which goes behind it. */
bool claw_covered_next(const struct claw_code_lines *lines, size_t *at,
		       struct claw_covered *part);
double claw_covered_percent(const struct claw_covered *part);
FILE *claw_covered_open(const struct claw_report_head *head,
			const struct claw_covered *part);
/* Of the part's lines the one of that number, or NULL. *next: the first that
 * may be it, which goes on. */
const struct claw_code_line *claw_covered_line(const struct claw_covered *part,
					       size_t *next,
					       unsigned int number);

/* Files, and the lines that never ran. */
void claw_report_put_coverage_markdown(FILE *out,
				       const struct claw_report_head *head);

#endif
