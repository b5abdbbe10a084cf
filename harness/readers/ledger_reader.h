/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read a ledger (faults/shared/ledger_format.h) that may be of a process that runs,
 * was killed, or is hostile: every offset is checked, intact entries are
 * given, the rest is counted.
 */
#ifndef CLAW_LEDGER_READER_H
#define CLAW_LEDGER_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faults/shared/ledger_format.h"

struct claw_ledger {
	struct claw_ledger_entry *entries;	/* in order of their serials */
	size_t count;
	struct claw_ledger_hold *holds;		/* all, as in the file; entry.hold is an
						 * index + 1 into these */
	size_t hold_count;
	uint32_t pid;
	bool forked, has_sites;
	uint64_t dropped, unknown, created;
	uint64_t damaged;		/* entries and shards that could not be read */
};

/* 0, -CLAW_E_IO (errno set), -CLAW_E_DAMAGED (no usable header),
 * -CLAW_E_VERSION. */
int claw_ledger_read(const char *path, struct claw_ledger *ret_ledger);
int claw_ledger_read_memory(const void *bytes, size_t size,
			    struct claw_ledger *ret_ledger);
void claw_ledger_release(struct claw_ledger *ledger);

/* The entry of that object, or NULL. */
const struct claw_ledger_entry *
claw_ledger_find(const struct claw_ledger *ledger, uint64_t handle,
		 uint64_t serial);

#endif
