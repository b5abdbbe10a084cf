/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results as a table, a row a case and a column a tool.
 */
#ifndef CLAW_REPORT_CASES_H
#define CLAW_REPORT_CASES_H

#include <jansson.h>

#include "report.h"

struct claw_report_row {
	char *suite, *name;
	/* One a tool, in the order of the tools; own texts. name NULL: the
	 * tool has no result of the case. */
	struct claw_result *results;
	size_t room;			/* of results */
};

struct claw_report_cases {
	char **tools;			/* in the order of their first results */
	size_t tool_count;
	struct claw_report_row *rows;	/* likewise */
	size_t row_count;
	json_t *index;			/* suite and name, to a row */
};

/* Add a copy. Of two results of one case under one
 * tool the later one stays. */
void claw_report_cases_add(struct claw_report_cases *cases,
			   const struct claw_result *result);
void claw_report_cases_release(struct claw_report_cases *cases);

/* NULL when the tool has none of the case. */
const struct claw_result *
claw_report_cases_find(const struct claw_report_row *row, size_t tool);

/* The table for a terminal: verdicts, and what was seen. */
void claw_report_cases_print(FILE *out, const struct claw_report_cases *cases);

#endif
