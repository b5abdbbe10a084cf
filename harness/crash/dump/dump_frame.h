/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frames of a dump, each a section: a header of fixed size, then as many
 * bytes as it says. doc/dump-format.md says the same in prose.
 */
#ifndef CLAW_DUMP_FRAME_H
#define CLAW_DUMP_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/files/byte_source.h"
#include "dump.h"

#define CLAW_DUMP_FIRST_LINE	"OPENCLAW DUMP 1\n"
#define CLAW_DUMP_FIRST_WORD	"OPENCLAW DUMP "
#define CLAW_DUMP_MARKER \
	"==== end of text: openclaw crash-analyze reads the rest ====\n"
/* No text has it, and no transfer as text leaves it alone. */
#define CLAW_DUMP_SYNC		"\x89" "CLAW\r\n\x1a"

enum { CLAW_DUMP_SYNC_BYTES = 8 };

enum claw_dump_flags {
	CLAW_DUMP_ZSTD = 1 << 0,	/* the stored bytes are compressed */
	CLAW_DUMP_KNOWN_FLAGS = CLAW_DUMP_ZSTD,
};

struct claw_dump_frame {
	unsigned char sync[CLAW_DUMP_SYNC_BYTES];
	uint32_t section;	/* enum claw_dump_section */
	uint32_t flags;		/* enum claw_dump_flags */
	uint64_t stored;	/* bytes that follow */
	uint64_t bytes;		/* of the section, when it is unpacked */
	uint32_t number;	/* of the frame, from 1 */
	uint32_t endian;	/* CLAW_JOURNAL_ENDIAN */
	uint32_t stored_check;	/* CRC-32 of the stored bytes */
	uint32_t check;		/* CRC-32 of this header before it */
};

_Static_assert(sizeof(struct claw_dump_frame) == 48, "format");

/* CONTENT: this, then the bytes. */
struct claw_dump_content {
	uint64_t hash[2];
	uint64_t length;
};

/* END: how many frames were before it. */
struct claw_dump_end {
	uint64_t frames;
};

uint32_t claw_dump_frame_check(const struct claw_dump_frame *frame);
/* The intact header of a frame at that place, if there is one (dump_read.c). */
bool claw_dump_frame_read(const struct claw_source *source, uint64_t offset,
			  struct claw_dump_frame *ret_frame);

/* What is known of a kind; NULL: no such kind. */
struct claw_dump_kind {
	const char *name;	/* "journal" */
	bool many;		/* may come more than once */
	uint64_t max_bytes;	/* 0: whatever the reader's limit allows */
};
const struct claw_dump_kind *claw_dump_kind_get(uint32_t section);

/* A section in pieces (dump_write.c). Its size has to be told first; what is
 * begun is ended, or undone. 0 or -CLAW_E_IO. */
int claw_dump_section_begin(struct claw_dump_writer *writer,
			    enum claw_dump_section section, uint64_t bytes);
int claw_dump_section_add(struct claw_dump_writer *writer, const void *bytes,
			  size_t size);
int claw_dump_section_end(struct claw_dump_writer *writer);
int claw_dump_section_undo(struct claw_dump_writer *writer);

#endif
