/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What "openclaw check" says of a session's leaks: lines for a person, and
 * records.
 */
#ifndef CLAW_CHECK_REPORT_H
#define CLAW_CHECK_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "leak_scan.h"
#include "records.h"

struct claw_check_view {
	enum claw_leak_check which;
	bool verbose, color;
	const char *prefix;	/* of each line but those of stacks */
	const char *when;	/* "at the time it was killed", or NULL: at the end */
	bool is_now;		/* the program goes on: nothing is a leak yet */
};

struct claw_check_tally {
	uint64_t leaks, leaked;		/* places; objects */
	uint64_t suppressed;		/* objects */
	uint64_t kept;			/* objects that are alive and no leak */
};

/* Is it one that is to be reported? */
bool claw_check_counts(const struct claw_check_view *view,
		       const struct claw_leak *leak);
struct claw_check_tally claw_check_tally(const struct claw_check_view *view,
					 const struct claw_leak_scan *scan);

/* "2 leaks: 1,441 objects ..."; "no leaks: 12 objects made, all released (1
 * process)"; malloced, NULL without memory. */
char *claw_check_summary(const struct claw_check_view *view,
			 const struct claw_leak_scan *scan);

/* A line a leak, with its stack when verbose. */
void claw_check_print(FILE *out, const struct claw_check_view *view,
		      const struct claw_leak_scan *scan);
/* A line a suppression that kept nothing silent. */
void claw_check_print_unused(FILE *out, const struct claw_check_view *view,
			     const struct claw_suppressions *suppressions);
/* A line a leak that is to be reported, each once. */
void claw_check_write_suppressions(FILE *out,
				   const struct claw_check_view *view,
				   const struct claw_leak_scan *scan);

/* A result a leak, and one more a suppressed one. program: base name;
 * reproduce: line to paste. 0 or what the records return. */
int claw_check_record(struct claw_records *records,
		      const struct claw_check_view *view,
		      const struct claw_leak_scan *scan, const char *program,
		      const char *fault, const char *reproduce,
		      uint64_t duration_us);

#endif
