/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory that a captured program had from OpenCL, call by call. For
 * crash*.c alone.
 */
#ifndef CLAW_CRASH_MEMORY_H
#define CLAW_CRASH_MEMORY_H

#include "crash_facts.h"

/* A change of it. */
struct claw_crash_moment {
	uint32_t call;		/* index + 1 */
	int64_t change;		/* bytes: made, or gone if negative; 0: refused */
	uint64_t asked;		/* bytes that were refused */
	uint64_t alive;		/* bytes after it */
	uint32_t objects;	/* alive after it */
};

struct claw_crash_memory {
	struct claw_crash_moment *moments;	/* in order of calls */
	size_t count;
	uint64_t before, peak;	/* bytes of what is older than the trace; the most */
};

/* Release in any case. */
void claw_crash_memory_follow(const struct claw_crash_facts *facts,
			      struct claw_crash_memory *ret_memory);
void claw_crash_memory_release(struct claw_crash_memory *memory);

/* Is it memory of its own: no part of another, no mapping? */
bool claw_crash_is_memory(const struct claw_trace *trace,
			  const struct claw_trace_object *object);
/* Bytes alive before that call (index + 1), and how many objects. */
uint64_t claw_crash_memory_alive(const struct claw_crash_facts *facts,
				 uint32_t call, uint32_t *ret_objects);
/* Of the first device that META tells of; 0: not known. */
uint64_t claw_crash_device_memory(const struct claw_dump *dump);
/* The local memory of it that a work-group can have; 0: not known. */
uint64_t claw_crash_local_memory(const struct claw_dump *dump);
/* Its name, or NULL. */
const char *claw_crash_device_name(const struct claw_dump *dump);

#endif
