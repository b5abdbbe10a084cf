/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All findings of a session together: those of every process, what was looked
 * at, and what is not known.
 */
#ifndef CLAW_FOUND_SCAN_H
#define CLAW_FOUND_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "found_groups.h"
#include "harness/session/session.h"

struct claw_found_scan {
	struct claw_found_groups groups;	/* sorted */
	uint64_t counts[CLAW_COUNT_MAX];	/* enum claw_found_count, of all processes */
	uint32_t modes;		/* enum claw_found_mode that all processes have */
	size_t process_count;
	char *gap;		/* why this is not everything, one line, or NULL */
};

/*
 * Read the session as it is now; its processes may be running.
 *
 * wanted: enum claw_found_mode that every process should have; 0: as any has.
 *
 * Returns 0 or -CLAW_E_IO.
 */
int claw_found_scan(const struct claw_session *session, uint32_t wanted,
		    struct claw_found_scan *ret_scan);
/* The same, where kernels are those of this file, if they are in it. */
int claw_found_scan_of(const struct claw_session *session, uint32_t wanted,
		       const char *source, struct claw_found_scan *ret_scan);
void claw_found_scan_release(struct claw_found_scan *scan);

/* "3 buffers have no guard zones: 2 live in the program's own memory, 1 is
 * shared memory"; malloced. NULL: all have them. */
char *claw_found_bare_text(const struct claw_found_scan *scan);
/* "2 non-blocking reads were not watched for loads before a wait: 2 fill no
 * page to the last byte"; malloced. NULL: all were. */
char *claw_found_not_closed_text(const struct claw_found_scan *scan);
/* Why guard zones say nothing at all; malloced. NULL: they do. */
char *claw_found_guards_gap(const struct claw_found_scan *scan);

#endif
