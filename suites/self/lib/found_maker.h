/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of findings for tests, as the guest would write them.
 */
#ifndef FOUND_MAKER_H
#define FOUND_MAKER_H

#include <stdio.h>
#include <string.h>

#include "faults/shared/found_format.h"

struct made_found {
	struct claw_found_header header;
	struct claw_found_entry entries[CLAW_FOUND_CAPACITY];
};

static inline void made_found_init(struct made_found *made)
{
	memset(made, 0, sizeof(*made));
	memcpy(made->header.magic, CLAW_FOUND_MAGIC,
	       sizeof(made->header.magic));
	made->header.version = CLAW_FOUND_VERSION;
	made->header.header_bytes = sizeof(made->header);
	made->header.endian = CLAW_JOURNAL_ENDIAN;
	made->header.entry_bytes = sizeof(struct claw_found_entry);
	made->header.pid = 4711;
	made->header.modes = CLAW_FOUND_LIFETIME | CLAW_FOUND_HEAP;
	made->header.capacity = CLAW_FOUND_CAPACITY;
}

static inline struct claw_found_place
made_place(uint32_t site, unsigned int api, enum claw_obj object)
{
	return (struct claw_found_place){
		.site = site, .api = (uint16_t)api, .object = (uint8_t)object,
	};
}

/* One more, at nowhere, of a buffer. */
static inline struct claw_found_entry *
made_found_add(struct made_found *made, enum claw_found_kind kind,
	       const char *name)
{
	struct claw_found_entry *entry =
		&made->entries[made->header.used++];
	struct claw_found_place nowhere =
		made_place(0, CLAW_FOUND_NO_API, CLAW_OBJ_NONE);

	*entry = (struct claw_found_entry){
		.complete = 1, .kind = (uint16_t)kind, .times = 1,
		.at = nowhere, .second = nowhere, .third = nowhere,
	};
	snprintf(entry->name, sizeof(entry->name), "%s", name);
	return entry;
}

#endif
