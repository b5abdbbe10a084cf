/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a captured launch is wrong, which need not be where it crashed: its
 * calls are run again under oclgrind, which checks each access.
 */
#ifndef CLAW_CRASH_DEEP_H
#define CLAW_CRASH_DEEP_H

#include "harness/crash/facts/crash.h"
#include "harness/records/finding.h"

struct claw_crash_deep {
	char *why;		/* it could not be tried, or NULL */
	char *left_out;		/* what the replay made up or left out, or NULL */
	struct claw_findings found;
	/* Of the finding that fits the crash, NULL or "" where it is not told. */
	const struct claw_finding *first;
	char *group, *local_item;	/* "23,5,0" */
	bool is_null;		/* the address is of no object: NULL and what follows */
	bool has_offset;
	uint64_t offset;	/* in its memory object */
	int64_t argument;	/* of the kernel whose memory it most likely is, or -1 */
	uint64_t bytes;		/* of that */
};

/* path: of the dump. 0 or -CLAW_E_IO. Release it in any case.
 */
int claw_crash_deep_look(const struct claw_dump *dump, const char *path,
			 const struct claw_crash *crash,
			 struct claw_crash_deep *ret_deep);
/* The same of what a tool has found, without a replay: found is taken over. Of
 * its reports the one that fits the crash best: the launch's kernel, an access,
 * NULL where the address is. */
void claw_crash_deep_take(const struct claw_trace *trace,
			  const struct claw_crash *crash,
			  struct claw_findings *found,
			  struct claw_crash_deep *ret_deep);
void claw_crash_deep_release(struct claw_crash_deep *deep);

#endif
