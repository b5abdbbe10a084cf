/* SPDX-License-Identifier: Apache-2.0 */
/* Memory in blocks, of which pieces are cut; large pieces are blocks. */
#include "config.h"

#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum {
	FIRST_BLOCK_BYTES = 1 << 10,	/* doubled up to the last */
	LAST_BLOCK_BYTES = 256 << 10,
	ALIGN = alignof(max_align_t),
	BEHIND_COPY = 8,
};

struct block {
	struct block *next;
	size_t room, used;	/* bytes of memory */
	alignas(max_align_t) unsigned char memory[];
};

struct claw_arena {
	struct block *blocks;	/* pieces are cut from the first */
	size_t next_bytes;
};

struct claw_arena *claw_arena_new(void)
{
	struct claw_arena *arena = claw_calloc(1, sizeof(*arena));

	arena->next_bytes = FIRST_BLOCK_BYTES;
	return arena;
}

static struct block *add_block(struct claw_arena *arena, size_t size)
{
	size_t room = size > arena->next_bytes ? size : arena->next_bytes;
	struct block *block = claw_calloc(1, sizeof(*block) + room);

	block->room = room;
	if (arena->next_bytes < LAST_BLOCK_BYTES)
		arena->next_bytes *= 2;
	block->next = arena->blocks;
	arena->blocks = block;
	return block;
}

void *claw_arena_alloc(struct claw_arena *arena, size_t size)
{
	struct block *block = arena->blocks;
	void *piece;

	if (size > SIZE_MAX / 2)
		claw_made(NULL);
	size = (size + (size == 0) + ALIGN - 1) / ALIGN * ALIGN;
	if (!block || block->room - block->used < size)
		block = add_block(arena, size);
	piece = block->memory + block->used;
	block->used += size;
	return piece;
}

void *claw_arena_array(struct claw_arena *arena, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		bytes = SIZE_MAX;
	return claw_arena_alloc(arena, bytes);
}

void *claw_arena_copy(struct claw_arena *arena, const void *bytes, size_t size)
{
	void *copy = claw_arena_alloc(arena, size > SIZE_MAX / 2 ? SIZE_MAX :
				      size + BEHIND_COPY);

	if (size > 0)
		memcpy(copy, bytes, size);
	return copy;
}

void claw_arena_adopt(struct claw_arena *arena, struct claw_arena *other)
{
	struct block **end = &arena->blocks;

	while (*end)
		end = &(*end)->next;
	*end = other->blocks;
	free(other);
}

void claw_arena_free(struct claw_arena *arena)
{
	if (!arena)
		return;
	while (arena->blocks) {
		struct block *block = arena->blocks;

		arena->blocks = block->next;
		free(block);
	}
	free(arena);
}
