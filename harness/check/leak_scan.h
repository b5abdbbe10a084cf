/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All ledgers of a session together: the leaks of every process, and what is
 * not known.
 */
#ifndef CLAW_LEAK_SCAN_H
#define CLAW_LEAK_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "leaks.h"
#include "harness/session/session.h"

struct claw_leak_process {
	uint32_t pid;
	char *exe;		/* base name */
	bool forked;		/* a child that goes on with its parent's program */
	uint64_t made, alive;	/* objects; alive: with a reference of the program's */
};

struct claw_leak_scan {
	struct claw_leaks leaks;	/* sorted */
	struct claw_leak_process *processes;	/* that have a ledger */
	size_t process_count;
	uint64_t made, alive;	/* of all */
	bool definite;		/* only of what is definite (CLAW_LEAK_DEFINITE) are
				 * all leaks there */
	char *gap;		/* why this is not everything, one line, or NULL */
};

/*
 * Read the session as it is now; its processes may be running. definite: where
 * that is all that is wanted, which is faster.
 *
 * Returns 0, -CLAW_E_IO or -CLAW_E_LIMIT.
 */
int claw_leak_scan(const struct claw_session *session,
		   struct claw_leak_scan *ret_scan);
int claw_leak_scan_definite(const struct claw_session *session,
			    struct claw_leak_scan *ret_scan);
void claw_leak_scan_release(struct claw_leak_scan *scan);

/* The process of a leak; never NULL for one of the scan. */
const struct claw_leak_process *
claw_leak_scan_find(const struct claw_leak_scan *scan, uint32_t pid);

#endif
