/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What did not pass, of all but sweeps: equal ones once, the first hundreds in
 * full, of the rest how many.
 */
#ifndef CLAW_HTML_FINDINGS_H
#define CLAW_HTML_FINDINGS_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/report.h"

enum {
	CLAW_HTML_FINDINGS = 400,	/* in full */
	CLAW_HTML_ALIKE = 20,		/* named, of those like it */
};

struct claw_html_finding {
	struct claw_result shown;	/* the first; own texts */
	uint64_t count;
	char *names[CLAW_HTML_ALIKE];	/* of the others */
};

struct claw_html_findings {
	struct claw_html_finding *items;
	size_t count;
	json_t *index;			/* what makes them equal, to a number */
	uint64_t left_out;
};

/* Is it to be shown among them? */
bool claw_html_is_finding(const struct claw_result *result);
void claw_html_findings_add(struct claw_html_findings *findings,
			    const struct claw_result *result);
/* Its number, from 1, for "#finding-1"; 0: it is not there. */
size_t claw_html_findings_find(const struct claw_html_findings *findings,
			       const struct claw_result *result);
void claw_html_put_findings(FILE *out, const struct claw_report_head *head,
			    const struct claw_html_findings *findings);
void claw_html_findings_release(struct claw_html_findings *findings);

#endif
