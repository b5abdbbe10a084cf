/* SPDX-License-Identifier: Apache-2.0 */
/* Many small pieces of memory that go together. */
#ifndef CLAW_ARENA_H
#define CLAW_ARENA_H

#include <stddef.h>

struct claw_arena;

/* Memory that is there, or the end of the program, as memory.h has it. */
struct claw_arena *claw_arena_new(void) __attribute__((returns_nonnull));
/* size bytes (or more: never NULL for 0), all 0, aligned for anything. */
void *claw_arena_alloc(struct claw_arena *arena, size_t size)
	__attribute__((returns_nonnull));
/* count elements of size bytes. */
void *claw_arena_array(struct claw_arena *arena, size_t count, size_t size)
	__attribute__((returns_nonnull));
/* A copy of these bytes, with eight that are 0 behind it. */
void *claw_arena_copy(struct claw_arena *arena, const void *bytes,
		      size_t size) __attribute__((returns_nonnull));
/* What another has is this one's from now on; the other one is gone. */
void claw_arena_adopt(struct claw_arena *arena, struct claw_arena *other);
void claw_arena_free(struct claw_arena *arena);

#endif
