/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read a file of probes (faults/shared/probe_format.h) that may be of a process that
 * runs, was killed, or is hostile.
 */
#ifndef CLAW_PROBE_READER_H
#define CLAW_PROBE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faults/shared/probe_format.h"

struct claw_probe_file {
	struct claw_probe_header header;	/* its texts end, and are one line */
	struct claw_probe_part *parts;		/* header.parts of them */
	uint32_t *words;
	size_t word_count;
	uint64_t damaged;	/* words that should be there, parts without sense */
};

/* 0, -CLAW_E_IO (errno set), -CLAW_E_DAMAGED (no usable header),
 * -CLAW_E_VERSION. */
int claw_probe_file_read(const char *path, struct claw_probe_file *ret_file);
int claw_probe_file_read_memory(const void *bytes, size_t size,
				struct claw_probe_file *ret_file);
void claw_probe_file_release(struct claw_probe_file *file);

/* How often a counter of a part counted; in mode HIT 1: at all. UINT32_MAX:
 * that, or more. False: its word is not there. */
bool claw_probe_counter(const struct claw_probe_file *file, size_t part,
			uint32_t counter, uint32_t *ret_count);

/* The part an access of a record belongs to, and its number there; false:
 * there is no such part. */
bool claw_probe_access(const struct claw_probe_file *file, uint64_t access,
		       size_t *ret_part, uint32_t *ret_number);

/* "refused", "not source" ...: of a program that is not INSTRUMENTED. */
const char *claw_probe_state_text(enum claw_probe_state state);
/* What there is to say behind it, or "". */
const char *claw_probe_more(const struct claw_probe_header *header);

#endif
