/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ledgers for tests, as the guest would write them: entries and holds that a
 * test has put together, in two shards, as the bytes of a file.
 */
#ifndef LEDGER_MAKER_H
#define LEDGER_MAKER_H

#include <stdlib.h>
#include <string.h>

#include "faults/shared/ledger_format.h"

enum { MADE_ENTRIES = 64, MADE_HOLDS = 64 };

struct made_ledger {
	struct claw_ledger_header header;
	struct claw_ledger_entry entries[2][MADE_ENTRIES];	/* a shard each */
	struct claw_ledger_hold holds[MADE_HOLDS];
	uint32_t entry_count, hold_count;
};

static inline void made_init(struct made_ledger *made)
{
	memset(made, 0, sizeof(*made));
	memcpy(made->header.magic, CLAW_LEDGER_MAGIC,
	       sizeof(made->header.magic));
	made->header.version = CLAW_LEDGER_VERSION;
	made->header.header_bytes = sizeof(made->header);
	made->header.endian = CLAW_JOURNAL_ENDIAN;
	made->header.entry_bytes = sizeof(struct claw_ledger_entry);
	made->header.hold_bytes = sizeof(struct claw_ledger_hold);
	made->header.pid = 4711;
	made->header.has_sites = 1;
	made->header.file_bytes = sizeof(*made);
	for (unsigned int i = 0; i < 2; i++) {
		made->header.shards[i * 7].capacity = MADE_ENTRIES;
		made->header.shards[i * 7].offset =
			offsetof(struct made_ledger, entries) +
			i * sizeof(made->entries[0]);
	}
	made->header.holds_offset = offsetof(struct made_ledger, holds);
	made->header.holds_capacity = MADE_HOLDS;
}

/* One more object, with one reference; its handle is 0x1000 * its serial. Of
 * two neighbours each is in another shard. */
static inline struct claw_ledger_entry *
made_add(struct made_ledger *made, unsigned int object, unsigned int api,
	 const struct claw_ledger_entry *parent)
{
	uint32_t number = made->entry_count++;
	struct claw_ledger_entry *entry =
		&made->entries[number % 2][(number * 5) % MADE_ENTRIES];

	made->header.created++;
	made->header.shards[number % 2 * 7].used++;
	*entry = (struct claw_ledger_entry){
		.serial = number + 1,
		.parent = parent ? parent->handle : 0,
		.references = 1,
		.api = (uint16_t)api,
		.object = (uint8_t)object,
	};
	entry->handle = entry->serial * 0x1000;
	return entry;
}

static inline void made_hold(struct made_ledger *made,
			     struct claw_ledger_entry *holder,
			     struct claw_ledger_entry *what)
{
	struct claw_ledger_hold *hold = &made->holds[made->hold_count++];

	*hold = (struct claw_ledger_hold){
		.handle = what->handle, .serial = what->serial,
		.next = holder->hold, .bytes = what->bytes,
	};
	holder->hold = made->hold_count;
	what->holders++;
}

#endif
