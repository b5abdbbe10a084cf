/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a suite program, or openclaw-kernel, says about a case in the file
 * OPENCLAW_CASE_RESULT (doc/records.md, "Case results").
 */
#ifndef CLAW_CASE_REPORT_H
#define CLAW_CASE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/records/finding.h"

struct claw_case_test {
	char *name, *word, *place, *message, *deviation;
	uint64_t duration_us;
};
struct claw_case_report {
	char *suite, *name;	/* of the case; NULL: the file says nothing */
	char *skip;		/* why it was skipped, or NULL */
	/* "fact KEY VALUE" (what it runs on), "metric KEY VALUE" (what it
	 * measured: gb_per_s, kernel_ms ...). */
	struct claw_case_fact { char *key, *value; } *facts, *metrics;
	size_t fact_count, metric_count;
	struct claw_case_test *tests;
	size_t test_count;
	/* "finding KIND SPACE KERNEL FILE LINE COLUMN SIZE TEXT": seen by the
	 * program itself (guard zones, wrong results). */
	struct claw_findings findings;
	/* "code CLW-CODE TEXT": its diagnosis, or NULL. */
	char *code, *code_text;
	bool ended;		/* the end line was there and its counts fit */
};

/* A file that is not there reads as an empty report. */
void claw_case_report_read(const char *path, struct claw_case_report *ret_report);
void claw_case_report_release(struct claw_case_report *report);

#endif
