/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read a file of findings (faults/shared/found_format.h) that may be of a process
 * that runs, was killed, or is hostile: intact entries are given, the rest is
 * counted.
 */
#ifndef CLAW_FOUND_READER_H
#define CLAW_FOUND_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faults/shared/found_format.h"

struct claw_found_file {
	struct claw_found_entry *entries;	/* in order of the file, all complete;
						 * names end */
	size_t count;
	uint32_t pid;
	uint32_t modes;			/* enum claw_found_mode */
	uint64_t lost;			/* different findings there was no room for */
	uint64_t counts[CLAW_COUNT_MAX];	/* enum claw_found_count */
	uint64_t damaged;		/* entries that could not be read */
};

/* 0, -CLAW_E_IO (errno set), -CLAW_E_DAMAGED (no usable header),
 * -CLAW_E_VERSION. */
int claw_found_file_read(const char *path, struct claw_found_file *ret_found);
int claw_found_file_read_memory(const void *bytes, size_t size,
				struct claw_found_file *ret_found);
void claw_found_file_release(struct claw_found_file *found);

/* "use-after-release"; its diagnosis code, or NULL. */
const char *claw_found_kind_name(enum claw_found_kind kind);
const char *claw_found_kind_code(enum claw_found_kind kind);
bool claw_found_kind_is_note(enum claw_found_kind kind);

#endif
