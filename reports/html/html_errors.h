/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The errors that a sweep has shown to the program, and the lines of code that
 * only they lead to.
 */
#ifndef CLAW_HTML_ERRORS_H
#define CLAW_HTML_ERRORS_H

#include "reports/swept.h"

void claw_html_put_errors(FILE *out, const struct claw_report_head *head,
			  struct claw_report_swept *swept);

#endif
