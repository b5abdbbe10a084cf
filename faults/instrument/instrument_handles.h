/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of what is kept of the program's handles: an entry is the first member
 * of what it is of. It lives as long as the program has references to its
 * handle, or somebody is at it.
 */
#ifndef CLAW_INSTRUMENT_HANDLES_H
#define CLAW_INSTRUMENT_HANDLES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "faults/journal/journal.h"

enum { CLAW_PROBED_BUCKETS = 1024 };

struct claw_probed_entry {
	struct claw_probed_entry *next;	/* in its bucket */
	void *handle;
	uint32_t references;		/* the program's */
	uint32_t users;			/* the table, and who is at it */
};

struct claw_probed_table {
	struct claw_probed_entry *buckets[CLAW_PROBED_BUCKETS];
	uint32_t count;
	pthread_mutex_t lock;
	void (*release)(struct claw_probed_entry *entry);
};

CLAW_HIDDEN void
claw_probed_table_begin(struct claw_probed_table *table,
			void (*release)(struct claw_probed_entry *entry));
/* What had that handle before is forgotten. False: no room. */
CLAW_HIDDEN bool claw_probed_add(struct claw_probed_table *table,
				 struct claw_probed_entry *entry, void *handle);
/* NULL: not known; else to be left. */
CLAW_HIDDEN struct claw_probed_entry *
claw_probed_hold(struct claw_probed_table *table, const void *handle);
CLAW_HIDDEN void claw_probed_leave(struct claw_probed_table *table,
				   struct claw_probed_entry *entry);
/* The program's references: one more, one less. */
CLAW_HIDDEN void claw_probed_retain(struct claw_probed_table *table,
				    const void *handle);
CLAW_HIDDEN void claw_probed_release(struct claw_probed_table *table,
				     const void *handle);
/* Nothing has that handle any more. */
CLAW_HIDDEN void claw_probed_remove(struct claw_probed_table *table,
				    const void *handle);
/* Under the table's lock: where it is, or would be, linked. */
CLAW_HIDDEN struct claw_probed_entry **
claw_probed_find(struct claw_probed_table *table, const void *handle);

#endif
