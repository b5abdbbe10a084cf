/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What "openclaw check" says of a session: lines for a person, and records.
 */
#ifndef CLAW_CHECK_REPORT_H
#define CLAW_CHECK_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "found_scan.h"
#include "leak_scan.h"
#include "harness/evidence/probe_sum.h"
#include "harness/records/records.h"

struct claw_check_view {
	bool leaks;		/* are looked for */
	uint32_t find;		/* so are these: enum claw_found_mode */
	bool notes;		/* shown, too */
	enum claw_leak_check which;
	bool verbose, color;
	const char *prefix;	/* of each line but those of stacks */
	const char *when;	/* "at the time it was killed", or NULL: at the end */
	bool is_now;		/* the program goes on: nothing is a leak yet */
};

/* What a session's files say. */
struct claw_check_scan {
	struct claw_leak_scan leaks;
	struct claw_found_scan found;
	struct claw_probe_sum probes;
};

struct claw_check_tally {
	uint64_t leaks, leaked;		/* places; objects */
	uint64_t lifetime, guards, kernels;	/* errors of these */
	uint64_t suppressed;		/* objects */
	uint64_t silenced;		/* errors that are suppressed */
	uint64_t kept;			/* objects that are alive and no leak */
};

/* Is it one that is to be reported? */
bool claw_check_counts_leak(const struct claw_check_view *view,
			    const struct claw_leak *leak);
bool claw_check_counts_found(const struct claw_check_view *view,
			     const struct claw_found_group *group);
struct claw_check_tally claw_check_tally(const struct claw_check_view *view,
					 const struct claw_check_scan *scan);
/* Leaks and errors. */
uint64_t claw_check_findings(const struct claw_check_tally *tally);

/* "no lifetime errors, 2 leaks: 1,441 objects ..."; "no leaks: 12 objects made,
 * all released (1 process)"; malloced. */
char *claw_check_summary(const struct claw_check_view *view,
			 const struct claw_check_scan *scan);

/* A line an error, note and leak, with its stacks when verbose; what has no
 * guard zones. */
void claw_check_print(FILE *out, const struct claw_check_view *view,
		      const struct claw_check_scan *scan);
/* What was done, and what could not be looked at, for those who ask. */
void claw_check_print_counts(FILE *out, const struct claw_check_view *view,
			     const struct claw_check_scan *scan);
/* A line a suppression that kept nothing silent, of what was looked for. */
void claw_check_print_unused(FILE *out, const struct claw_check_view *view,
			     const struct claw_suppressions *suppressions);
/* A line an error and leak that is to be reported, each once. */
void claw_check_write_suppressions(FILE *out,
				   const struct claw_check_view *view,
				   const struct claw_check_scan *scan);

/* A result an error and leak, and one more a suppressed one; a note a note.
 * program: base name; reproduce: line to paste. 0 or what the records
 * return. */
int claw_check_record(struct claw_records *records,
		      const struct claw_check_view *view,
		      const struct claw_check_scan *scan, const char *program,
		      const char *fault, const char *reproduce,
		      uint64_t duration_us);

#endif
