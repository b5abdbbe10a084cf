/* SPDX-License-Identifier: Apache-2.0 */
/* The report for people, in parts: text.c, and text_soak.c for soaks. */
#ifndef CLAW_REPORT_TEXT_H
#define CLAW_REPORT_TEXT_H

#include "event_rows.h"
#include "report.h"

/* A row: the name, the verdict, and how long it took where that is wanted. */
void claw_text_row(FILE *out, const struct claw_report_head *head,
		   const char *name, const struct claw_result *result);
/* What is said below a row: everything of a failure, the reason of a skip.
 * is_test: of a case of a suite; else of a judged program. */
void claw_text_detail(FILE *out, const struct claw_report_head *head,
		      bool is_test, const struct claw_result *result);

/* A soak, until all of it was read. */
struct claw_text_soak {
	struct claw_report_events events;
	struct claw_result *results;	/* own texts */
	size_t count;
};

void claw_text_soak_add(struct claw_text_soak *soak,
			const struct claw_result *result);
/* The verdict first, then what did not pass, what is known of the rest, and what
 * happened. */
void claw_text_soak_print(FILE *out, const struct claw_report_head *head,
			  const struct claw_text_soak *soak);
void claw_text_soak_release(struct claw_text_soak *soak);

#endif
