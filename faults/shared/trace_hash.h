/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hash by which equal contents of a trace are told: 128 bits, fast, not
 * made to withstand anybody who looks for two contents with the same one. Four
 * lanes take every fourth word; the rest of the last 32 bytes is 0.
 */
#ifndef CLAW_TRACE_HASH_H
#define CLAW_TRACE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { CLAW_TRACE_HASH_STEP = 32 };

struct claw_trace_hasher {
	uint64_t lanes[4];
};

static inline uint64_t claw_trace_hash_factor(unsigned int lane)
{
	static const uint64_t factors[4] = {
		UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9),
		UINT64_C(0x94d049bb133111eb), UINT64_C(0xd6e8feb86659fd93),
	};

	return factors[lane];
}

/* salt: NULL, but where a hash is to tell nothing of what was hashed. */
static inline void claw_trace_hash_begin(struct claw_trace_hasher *hasher,
					 uint64_t length, const uint64_t *salt)
{
	hasher->lanes[0] = length;
	hasher->lanes[1] = ~length;
	hasher->lanes[2] = claw_trace_hash_factor(0) ^ (salt ? salt[0] : 0);
	hasher->lanes[3] = claw_trace_hash_factor(3) ^ (salt ? salt[1] : 0);
}

static inline void claw_trace_hash_step(struct claw_trace_hasher *hasher,
					const void *bytes, size_t size)
{
	uint64_t words[4] = { 0 };

	memcpy(words, bytes, size);
#pragma GCC unroll 4
	for (unsigned int i = 0; i < 4; i++) {
		uint64_t lane = (hasher->lanes[i] ^ words[i]) *
			claw_trace_hash_factor(i);

		hasher->lanes[i] = lane ^ lane >> 29;
	}
}

/* size: a multiple of CLAW_TRACE_HASH_STEP, but for the last piece. */
static inline void claw_trace_hash_add(struct claw_trace_hasher *hasher,
				       const void *bytes, uint64_t size)
{
	const unsigned char *at = (const unsigned char *)bytes;
	struct claw_trace_hasher own = *hasher;		/* in registers */

	/* All but the last by a size that the compiler knows. */
	for (; size >= sizeof(own.lanes); size -= sizeof(own.lanes)) {
		claw_trace_hash_step(&own, at, sizeof(own.lanes));
		at += sizeof(own.lanes);
	}
	if (size)
		claw_trace_hash_step(&own, at, (size_t)size);
	*hasher = own;
}

static inline void claw_trace_hash_end(const struct claw_trace_hasher *hasher,
				       uint64_t ret_hash[2])
{
	struct claw_trace_hasher last = *hasher;
	uint64_t *lanes = last.lanes;

	for (unsigned int i = 0; i < 8; i++) {
		lanes[i % 4] = (lanes[i % 4] ^ lanes[(i + 1) % 4]) *
			claw_trace_hash_factor(i % 4);
		lanes[i % 4] ^= lanes[i % 4] >> 32;
	}
	ret_hash[0] = lanes[0] ^ lanes[2];
	ret_hash[1] = lanes[1] ^ lanes[3];
}

static inline void claw_trace_hash(const void *bytes, uint64_t length,
				   uint64_t ret_hash[2])
{
	struct claw_trace_hasher hasher;

	claw_trace_hash_begin(&hasher, length, NULL);
	claw_trace_hash_add(&hasher, bytes, length);
	claw_trace_hash_end(&hasher, ret_hash);
}

#endif
