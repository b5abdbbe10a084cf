/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the journal's writer share and nobody else uses.
 */
#ifndef CLAW_JOURNAL_PRIVATE_H
#define CLAW_JOURNAL_PRIVATE_H

#include <limits.h>
#include <pthread.h>
#include <signal.h>

#include "journal.h"

/* Where the areas are. */
struct claw_journal_layout {
	struct claw_journal_area threads, rules, events, sites, modules, strings;
	uint64_t calls_offset;
};

/* This process's journal. */
struct claw_journal_process {
	unsigned char *base;		/* of the mapping; NULL: none */
	struct claw_journal_layout layout;
	size_t reserved_bytes;		/* addresses that are ours from base on */
	uint64_t max_calls;		/* as many fit into them; 0: no more */
	enum claw_record_mode record;	/* as asked for */
	bool on_disk;
	uint32_t rule_count;
	uint64_t file_device_major, file_device_minor, file_inode;
	char session[PATH_MAX];		/* "": none */
	char path[PATH_MAX];		/* "": no file */
};
extern struct claw_journal_process claw_own_journal CLAW_HIDDEN;

/* Entry of an area, by index. */
static inline void *claw_journal_entry(const struct claw_journal_area *area,
				       uint64_t index)
{
	return claw_own_journal.base + area->offset +
	       index * area->entry_bytes;
}

/* The lock of everything that grows but calls and events. Signals are blocked
 * while it is held: a handler that makes OpenCL calls cannot meet itself. */
CLAW_HIDDEN void claw_journal_lock(sigset_t *ret_mask);
CLAW_HIDDEN void claw_journal_unlock(const sigset_t *mask);
/* In a forked child, whose parent's other threads may have held it. */
CLAW_HIDDEN void claw_journal_lock_reset(void);

/* What happens to this thread's registration: once at open, and in a child. */
CLAW_HIDDEN void claw_journal_threads_init(void);
CLAW_HIDDEN void claw_journal_threads_restart(void);
/* There is no journal any more: nothing counts. */
CLAW_HIDDEN void claw_journal_threads_forget(void);

/* Copy the tables (strings, modules, sites, rule texts) of a journal whose
 * other threads may be writing it. */
CLAW_HIDDEN void
claw_journal_tables_copy(const struct claw_journal_header *from,
			 struct claw_journal_header *to);

#endif
