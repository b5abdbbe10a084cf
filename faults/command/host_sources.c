/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What pending writes read: is it still what it was? A source is hashed when
 * its command is enqueued, in some chunks, and again when the program learns
 * that the command is complete. It may be gone by then: the kernel says
 * so.
 */
#include "config.h"

#include <string.h>

#include "host_memory.h"
#include "faults/call/program_memory.h"

enum {
	STEPS = 256,
	BLOCK = 4096,
	BLOCKS = 32,			/* of a chunk, at most */
	CHUNK = BLOCK * BLOCKS,		/* bytes of a chunk, at most */
};

/* ---- chunks */

/* What is looked at of a chunk: all of it, or blocks at equal distances. */
struct chunk {
	uint64_t start, step;
	size_t block_bytes;
	unsigned int blocks;
};

static uint64_t offset_of(uint64_t bytes, unsigned int i)
{
	return i == CLAW_CHUNKS ? bytes : bytes / CLAW_CHUNKS * i;
}

static struct chunk chunk_of(const struct claw_source *source, unsigned int i)
{
	uint64_t from = offset_of(source->bytes, i);
	uint64_t bytes = offset_of(source->bytes, i + 1) - from;

	if (bytes <= CHUNK)
		return (struct chunk){
			.start = source->start + from, .step = 0,
			.block_bytes = (size_t)bytes, .blocks = bytes != 0,
		};
	return (struct chunk){
		.start = source->start + from, .step = bytes / BLOCKS,
		.block_bytes = BLOCK, .blocks = BLOCKS,
	};
}

/* Four sums side by side: one after the other waits for its product. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
	static const uint64_t factors[4] = {
		UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xe7037ed1a0b428db),
		UINT64_C(0xa0761d6478bd642f), UINT64_C(0x8ebc6af09c88c6e3),
	};
	uint64_t sums[4] = { hash, ~hash, hash << 7, hash >> 9 }, words[4];
	const unsigned char *at = bytes;
	size_t i = 0;

	for (; i + sizeof(words) <= count; i += sizeof(words)) {
		memcpy(words, at + i, sizeof(words));
		for (unsigned int j = 0; j < 4; j++) {
			sums[j] = (sums[j] ^ words[j]) * factors[j];
			sums[j] ^= sums[j] >> 29;
		}
	}
	for (; i < count; i++)
		sums[0] = (sums[0] ^ at[i]) * factors[0];
	for (unsigned int j = 1; j < 4; j++)
		sums[0] = (sums[0] ^ sums[j]) * factors[j];
	return sums[0];
}

static __attribute__((no_sanitize("address", "thread"))) uint64_t
hash_now(const struct chunk *chunk)
{
	uint64_t hash = chunk->block_bytes;

	for (unsigned int i = 0; i < chunk->blocks; i++)
		hash = mix(hash, (const void *)(uintptr_t)
				 (chunk->start + i * chunk->step),
			   chunk->block_bytes);
	return hash;
}

/* Of memory that may be gone. */
static bool is_there(const struct chunk *chunk)
{
	for (unsigned int i = 0; i < chunk->blocks; i++)
		if (claw_readable_look((const void *)(uintptr_t)
				     (chunk->start + i * chunk->step),
				     chunk->block_bytes) != CLAW_READABLE)
			return false;
	return true;
}

/* ---- sources */

/* What the driver is about to read can be read. */
void claw_host_hash(struct claw_source *source)
{
	for (unsigned int i = 0; i < CLAW_CHUNKS; i++) {
		struct chunk chunk = chunk_of(source, i);

		source->hashes[i] = hash_now(&chunk);
	}
}

bool claw_host_is_changed(const struct claw_source *source,
			  uint64_t *ret_offset)
{
	for (unsigned int i = 0; i < CLAW_CHUNKS; i++) {
		struct chunk chunk = chunk_of(source, i);

		if (!is_there(&chunk))
			return false;
		if (hash_now(&chunk) != source->hashes[i]) {
			*ret_offset = offset_of(source->bytes, i);
			return true;
		}
	}
	return false;
}

static bool ranges_meet(const struct claw_access *a,
			const struct claw_access *b)
{
	return a->span.start < claw_span_end(&b->span) &&
	       b->span.start < claw_span_end(&a->span);
}

bool claw_host_keep_source(const struct claw_access *access)
{
	bool writes = access->use & CLAW_WRITES;
	uint32_t at = claw_accesses_of_host(!writes);

	for (unsigned int i = 0; at && (writes || i < STEPS); i++) {
		const struct claw_access *other = claw_access_at(at);

		at = other->older;
		if (!ranges_meet(access, other))
			continue;
		if (!writes)
			return false;
		claw_command_at(other->command)->no_source = true;
	}
	/* There may be more of them: then nothing is sure. */
	return writes || !at;
}
