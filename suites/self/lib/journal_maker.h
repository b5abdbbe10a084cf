/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal of a process that crashed, for tests: one fatal signal, and the
 * libraries that its frames are in.
 */
#ifndef JOURNAL_MAKER_H
#define JOURNAL_MAKER_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "harness/readers/journal_reader.h"

enum { MADE_MODULES = 4, MADE_STRING_BYTES = 1024 };

struct made_journal {
	struct claw_journal_header header;
	struct claw_journal_record event;
	struct claw_journal_site site;
	struct claw_journal_module modules[MADE_MODULES];
	char strings[MADE_STRING_BYTES];
};

static inline struct claw_journal_area made_area(size_t offset, size_t bytes,
						 uint32_t capacity,
						 uint64_t used)
{
	return (struct claw_journal_area){
		.offset = offset, .entry_bytes = (uint32_t)bytes,
		.capacity = capacity, .used = used,
	};
}

/* No signal, no library. */
static inline void made_journal_init(struct made_journal *made)
{
	memset(made, 0, sizeof(*made));
	made->header = (struct claw_journal_header){
		.version = CLAW_JOURNAL_VERSION,
		.header_bytes = sizeof(made->header),
		.endian = CLAW_JOURNAL_ENDIAN, .state = CLAW_JOURNAL_OPEN,
		.file_bytes = sizeof(*made), .pid = 4711, .clock_is_ns = 1,
	};
	memcpy(made->header.magic, CLAW_JOURNAL_MAGIC,
	       sizeof(made->header.magic));
	made->header.events = made_area(offsetof(struct made_journal, event),
					sizeof(made->event), 1, 0);
	made->header.sites = made_area(offsetof(struct made_journal, site),
				       sizeof(made->site), 1, 0);
	made->header.modules = made_area(
		offsetof(struct made_journal, modules),
		sizeof(*made->modules), MADE_MODULES, 0);
	made->header.strings = made_area(
		offsetof(struct made_journal, strings), 1, MADE_STRING_BYTES,
		4);
}

static inline uint32_t made_string(struct made_journal *made, const char *text)
{
	uint32_t offset = (uint32_t)made->header.strings.used;
	struct claw_journal_text entry = {
		.length = (uint32_t)strlen(text),
		.check = claw_journal_text_check(text, strlen(text)),
	};
	size_t bytes = (sizeof(entry) + entry.length + 1 + 3) / 4 * 4;

	if (offset + bytes > MADE_STRING_BYTES)
		abort();
	memcpy(made->strings + offset, &entry, sizeof(entry));
	memcpy(made->strings + offset + sizeof(entry), text, entry.length + 1);
	made->header.strings.used += bytes;
	return offset;
}

/* One more frame, outwards, in the library with that path; NULL: in none. */
static inline void made_frame(struct made_journal *made, const char *path)
{
	uint32_t number = 0;

	if (path) {
		number = (uint32_t)++made->header.modules.used;
		if (number > MADE_MODULES)
			abort();
		made->modules[number - 1].path_string = made_string(made, path);
		made->modules[number - 1].commit = claw_journal_entry_commit(
			&made->modules[number - 1], sizeof(*made->modules),
			number);
	}
	made->site.kind = CLAW_SITE_NATIVE;
	made->site.frames[made->site.frame_count++] =
		(struct claw_journal_frame){ .module = number, .offset = 16 };
	made->header.sites.used = 1;
}

/* The signal, in that thread (0: none that has made a call), with the frames
 * that were made. */
static inline void made_crash(struct made_journal *made, int number,
			      uint32_t thread)
{
	made->event = (struct claw_journal_record){
		.result = number, .thread = thread, .flags = CLAW_REC_CRASH,
		.site = made->site.frame_count ? 1 : 0,
	};
	made->event.commit = claw_journal_record_commit(&made->event, 1);
	made->header.events.used = 1;
}

/* As the reader gives it; NULL: it does not take it. */
static inline struct claw_journal *made_journal_read(struct made_journal *made)
{
	struct claw_journal *journal = NULL;

	made->site.commit = claw_journal_entry_commit(&made->site,
						      sizeof(made->site), 1);
	return claw_journal_read_memory(made, sizeof(*made), &journal) == 0 ?
		journal : NULL;
}

#endif
