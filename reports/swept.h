/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the page of Markdown says of a sweep: its findings, its points of which
 * nothing is known, the errors that the program was shown.
 */
#ifndef CLAW_REPORT_SWEPT_H
#define CLAW_REPORT_SWEPT_H

#include <stdint.h>
#include <stdio.h>

#include "sweep_handlers.h"
#include "sweep_shown.h"
#include "points.h"
#include "report.h"

enum { CLAW_REPORT_SWEPT_UNKNOWN = 50 };	/* named; others are counted */

struct claw_report_swept {
	struct claw_report_mistakes mistakes, known;
	struct claw_result unknown[CLAW_REPORT_SWEPT_UNKNOWN];
	uint64_t unknown_count;
	struct claw_sweep_shown shown;
	struct claw_sweep_handlers handlers;
	uint64_t points;
};

/* A point. */
void claw_report_swept_add(struct claw_report_swept *swept,
			   const struct claw_result *result);
/* The functions that the program calls without faults. */
void claw_report_swept_called(const struct claw_report_head *head,
			      struct claw_sweep_shown *shown);
/* What the program tells of its error paths. */
void claw_report_handlers_begin(const struct claw_report_head *head,
				struct claw_sweep_handlers *handlers);
/* A path a line of text, which is cut into them, each by put, until more than
 * room bytes are written. Returns how many are left out. */
size_t claw_report_put_paths(FILE *out, const struct claw_report_head *head,
			     char *text, long room,
			     void (*put)(FILE *out, const char *path));
/* Nothing, where there were no points. The findings are sorted by it. */
void claw_report_swept_print(FILE *out, const struct claw_report_head *head,
			     struct claw_report_swept *swept);
void claw_report_swept_release(struct claw_report_swept *swept);

#endif
