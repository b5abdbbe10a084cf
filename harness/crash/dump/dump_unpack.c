/* SPDX-License-Identifier: Apache-2.0 */
/* Stored bytes checked, and unpacked into memory that grows with them. */
#include "config.h"

#include "dump_unpack.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"

enum {
	CHUNK_BYTES = 128 << 10,
	FIRST_BYTES = 4 << 10,
	SMALL_BYTES = 64 << 10,
	WINDOW_LOG_MAX = 23,	/* 8 MiB; what is written needs 2 */
};

struct claw_dump_unpacker {
	const struct claw_source *source;
	ZSTD_DCtx *zstd;
	unsigned char *chunk;	/* of a file; bytes are where they are */
	/* The section that is unpacked: */
	uint64_t wanted;	/* bytes in the end */
	unsigned char *bytes;
	size_t used, room;
};

struct claw_dump_unpacker *
claw_dump_unpacker_new(const struct claw_source *source)
{
	struct claw_dump_unpacker *unpacker = claw_calloc(1, sizeof(*unpacker));

	unpacker->source = source;
	unpacker->zstd = claw_made(ZSTD_createDCtx());
	unpacker->chunk = source->bytes ? NULL : claw_malloc(CHUNK_BYTES);
	ZSTD_DCtx_setParameter(unpacker->zstd, ZSTD_d_windowLogMax,
			       WINDOW_LOG_MAX);
	return unpacker;
}

void claw_dump_unpacker_free(struct claw_dump_unpacker *unpacker)
{
	if (!unpacker)
		return;
	ZSTD_freeDCtx(unpacker->zstd);
	free(unpacker->chunk);
	free(unpacker);
}

/* Some of the bytes that are left; NULL: they are not there. */
static const unsigned char *next_chunk(struct claw_dump_unpacker *unpacker,
				       uint64_t offset, uint64_t left,
				       size_t *ret_size)
{
	const struct claw_source *source = unpacker->source;

	*ret_size = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;
	if (offset > source->size || *ret_size > source->size - offset)
		return NULL;
	if (source->bytes)
		return source->bytes + offset;
	return claw_source_read(source, offset, unpacker->chunk, *ret_size) ==
	       *ret_size ? unpacker->chunk : NULL;
}

bool claw_dump_check_stored(struct claw_dump_unpacker *unpacker,
			    uint64_t offset,
			    const struct claw_dump_frame *frame)
{
	uint32_t check = (uint32_t)crc32(0, NULL, 0);
	uint64_t left = frame->stored;

	while (left > 0) {
		size_t size;
		const unsigned char *chunk = next_chunk(unpacker, offset, left,
							&size);

		if (!chunk)
			return false;
		check = (uint32_t)crc32_z(check, chunk, size);
		offset += size;
		left -= size;
	}
	return check == frame->stored_check;
}

/* Room for at least one byte more, and no more than is wanted. */
static void grow(struct claw_dump_unpacker *unpacker)
{
	uint64_t room = unpacker->room ? unpacker->room * 2ull : FIRST_BYTES;

	if (room > unpacker->wanted)
		room = unpacker->wanted;
	unpacker->bytes = claw_grow(unpacker->bytes, (size_t)room + 1, 1);
	unpacker->room = (size_t)room;
}

static int copy(struct claw_dump_unpacker *unpacker,
		const unsigned char *chunk, size_t size)
{
	if (size > unpacker->wanted - unpacker->used)
		return -CLAW_E_DAMAGED;
	while (unpacker->room - unpacker->used < size)
		grow(unpacker);
	memcpy(unpacker->bytes + unpacker->used, chunk, size);
	unpacker->used += size;
	return 0;
}

/* ret_done: the end of the compressed bytes was there. */
static int unpack(struct claw_dump_unpacker *unpacker,
		  const unsigned char *chunk, size_t size, bool *ret_done)
{
	ZSTD_inBuffer in = { .src = chunk, .size = size };
	size_t before, left;

	do {
		ZSTD_outBuffer out;

		if (unpacker->used == unpacker->room &&
		    unpacker->room < unpacker->wanted)
			grow(unpacker);
		before = in.pos + unpacker->used;
		out = (ZSTD_outBuffer) {
			.dst = unpacker->bytes, .size = unpacker->room,
			.pos = unpacker->used,
		};
		left = ZSTD_decompressStream(unpacker->zstd, &out, &in);
		if (ZSTD_isError(left))
			return -CLAW_E_DAMAGED;
		unpacker->used = out.pos;
		*ret_done = left == 0;
	} while (left > 0 && in.pos + unpacker->used > before);
	/* Behind the end, or in the middle with no room for more. */
	return in.pos < in.size ? -CLAW_E_DAMAGED : 0;
}

/* A small one at once: what it takes is known, and little. */
static int unpack_small(struct claw_dump_unpacker *unpacker, uint64_t offset,
			const struct claw_dump_frame *frame)
{
	size_t size, made;
	const unsigned char *chunk = next_chunk(unpacker, offset,
						frame->stored, &size);

	if (!chunk)
		return -CLAW_E_DAMAGED;
	unpacker->bytes = claw_malloc((size_t)frame->bytes + 1);
	made = ZSTD_decompressDCtx(unpacker->zstd, unpacker->bytes,
				   (size_t)frame->bytes, chunk, size);
	if (ZSTD_isError(made) || made != frame->bytes)
		return -CLAW_E_DAMAGED;
	unpacker->used = made;
	return 0;
}

static int unpack_all(struct claw_dump_unpacker *unpacker, uint64_t offset,
		      const struct claw_dump_frame *frame)
{
	bool is_packed = frame->flags & CLAW_DUMP_ZSTD, done = !is_packed;
	uint64_t left = frame->stored;
	int ret = 0;

	grow(unpacker);
	while (ret == 0 && left > 0) {
		size_t size;
		const unsigned char *chunk = next_chunk(unpacker, offset, left,
							&size);

		if (!chunk)
			return -CLAW_E_DAMAGED;
		ret = is_packed ? unpack(unpacker, chunk, size, &done) :
			copy(unpacker, chunk, size);
		offset += size;
		left -= size;
	}
	if (ret == 0 && (!done || unpacker->used != unpacker->wanted))
		ret = -CLAW_E_DAMAGED;
	return ret;
}

int claw_dump_unpack(struct claw_dump_unpacker *unpacker, uint64_t offset,
		     const struct claw_dump_frame *frame,
		     unsigned char **ret_bytes, uint64_t *ret_made)
{
	int ret;

	unpacker->wanted = frame->bytes;
	unpacker->bytes = NULL;
	unpacker->used = unpacker->room = 0;
	ZSTD_DCtx_reset(unpacker->zstd, ZSTD_reset_session_only);
	ret = frame->flags & CLAW_DUMP_ZSTD && frame->bytes <= SMALL_BYTES &&
	      frame->stored <= CHUNK_BYTES ?
		unpack_small(unpacker, offset, frame) :
		unpack_all(unpacker, offset, frame);
	*ret_made = unpacker->used;
	if (ret < 0) {
		free(unpacker->bytes);
		return ret;
	}
	unpacker->bytes[unpacker->used] = '\0';
	*ret_bytes = unpacker->bytes;
	return 0;
}
