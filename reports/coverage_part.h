/* SPDX-License-Identifier: Apache-2.0 */
/* The coverage of a run's kernels, with source, as a part of its reports. Puts
 * nothing where the run has no DIR/coverage.info. */
#ifndef CLAW_COVERAGE_PART_H
#define CLAW_COVERAGE_PART_H

#include "report.h"

/* A section of the page. */
void claw_html_put_coverage(FILE *out, const struct claw_report_head *head);
/* Files, and the lines that never ran. */
void claw_report_put_coverage_markdown(FILE *out,
				       const struct claw_report_head *head);

#endif
