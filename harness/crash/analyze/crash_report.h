/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report of "openclaw crash-analyze", for a person and as JSON.
 */
#ifndef CLAW_CRASH_REPORT_H
#define CLAW_CRASH_REPORT_H

#include <jansson.h>

#include "crash_deep.h"
#include "harness/crash/facts/crash_facts.h"

struct claw_crash_view {
	FILE *out;		/* where the text goes; it is not clean: names in it
				 * are the dump's */
	const char *path;	/* of the dump, as it was given */
	const struct claw_dump *dump;
	const struct claw_crash *crash;
	const struct claw_crash_facts *facts;	/* of the same dump */
	const struct claw_crash_deep *deep;	/* or NULL: not asked for */
	uint32_t calls;		/* how many of the last to show; UINT32_MAX: all */
};

/* Facts of the process, or of the device if a device faulted. */
enum claw_crash_report_row {
	CLAW_CRASH_ROW_TYPE, CLAW_CRASH_ROW_ADDRESS, CLAW_CRASH_ROW_POINTER,
	CLAW_CRASH_ROW_PC, CLAW_CRASH_ROW_ADDR, CLAW_CRASH_ROW_GROUP,
	CLAW_CRASH_ROW_ITEM, CLAW_CRASH_ROWS,
};
/* The row in words, malloced; "not available" where OpenCL and the dump do not
 * tell. */
char *claw_crash_row(const struct claw_crash_view *view,
		     enum claw_crash_report_row row);

void claw_crash_print(const struct claw_crash_view *view);
json_t *claw_crash_json(const struct claw_crash_view *view);
/* The contents of the dump, and its sections. */
void claw_crash_print_contents(const struct claw_crash_view *view);
json_t *claw_crash_contents_json(const struct claw_crash_view *view);

/* ---- for the files of the report -------------------------------------- */

/* The last calls, the failed ones before them, and the kept ones. */
void claw_crash_print_calls(const struct claw_crash_view *view);
json_t *claw_crash_calls_json(const struct claw_crash_view *view);
/* Calls that the trace does not have, the most frequent first. */
void claw_crash_print_polls(const struct claw_crash_view *view);
json_t *claw_crash_polls_json(const struct claw_crash_view *view);
/* Live objects, and the use of memory. */
void claw_crash_print_objects(const struct claw_crash_view *view);
json_t *claw_crash_objects_json(const struct claw_crash_view *view);
/* The last lines of what it printed to standard error. */
void claw_crash_print_said(const struct claw_crash_view *view);
json_t *claw_crash_said_json(const struct claw_crash_view *view);
void claw_crash_print_timeline(const struct claw_crash_view *view);
json_t *claw_crash_timeline_json(const struct claw_crash_view *view);

enum { CLAW_CRASH_NEXT_MAX = 10 };
/* Commands to paste, with what they are for; malloced texts, up to
 * CLAW_CRASH_NEXT_MAX. Returns how many. */
struct claw_crash_next {
	char *command;
	const char *what;
};
size_t claw_crash_next_find(const struct claw_crash_view *view,
			    struct claw_crash_next *ret_next);
void claw_crash_next_release(struct claw_crash_next *next, size_t count);

/* Why the report is not all that could be: one line each, malloced, or NULL:
 * nothing is missing. */
char *claw_crash_gaps(const struct claw_crash_view *view);
/* A cause was found, in a dump that is whole. */
bool claw_crash_is_answered(const struct claw_crash_view *view);

#endif
