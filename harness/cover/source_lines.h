/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where lines of files are, by what is in them: a text is compared with the
 * few files that have one of its lines, not with all. Lines that could be
 * anybody's, for they are short, are left out.
 */
#ifndef CLAW_SOURCE_LINES_H
#define CLAW_SOURCE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source_files.h"

/* A shorter line is in no index. */
enum { CLAW_SOURCE_LINE_BYTES = CLAW_SOURCE_TELLING_BYTES / 2 + 1 };

struct claw_source_line {
	uint64_t hash;			/* of the line without its newline */
	uint32_t offset;		/* in the file */
	uint32_t file : 31;		/* which of the files' items */
	uint32_t is_key : 1;		/* the longest of its file, but the last */
};

struct claw_source_lines {
	struct claw_source_line *items;	/* by hash, file, offset */
	size_t count;
	uint32_t *keyless;		/* files without a key */
	size_t keyless_count;
	unsigned int version;		/* of the files that were read */
};

/* Again only when the files are others than the last time. */
void claw_source_lines_read(struct claw_source_lines *lines,
			    const struct claw_source_files *files);
void claw_source_lines_release(struct claw_source_lines *lines);

/* All lines of its hash, which may be of another text; NULL: there is none. */
const struct claw_source_line *
claw_source_lines_find(const struct claw_source_lines *lines, const char *line,
		       size_t size, size_t *ret_count);

#endif
