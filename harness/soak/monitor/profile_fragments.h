/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How broken up a device's free memory would be: the live objects of ledgers,
 * looked at again and again, placed first-fit on a device of that size, as the
 * device models do (doc/device-model.md). Real drivers say nothing of it, and
 * may place otherwise: it is a model.
 */
#ifndef CLAW_PROFILE_FRAGMENTS_H
#define CLAW_PROFILE_FRAGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/readers/ledger_reader.h"

/* Free memory at a moment. */
struct claw_fragments_moment {
	uint64_t used_bytes, free_bytes, largest_bytes;
};

struct claw_fragments {
	uint64_t device_bytes;
	struct claw_fragments_moment worst;	/* largest/free was least */
	struct claw_fragments_moment peak;	/* used was most */
	size_t looks;
	bool overflowed;	/* more objects than it keeps, or than the device has
				 * room for: nothing further is known */
	struct claw_fragment *placed;	/* by place */
	size_t count, capacity;
};

enum { CLAW_FRAGMENTS_MAX = 16384 };	/* objects */

void claw_fragments_init(struct claw_fragments *fragments,
			 uint64_t device_bytes);
/* What is in the ledger now. */
void claw_fragments_look(struct claw_fragments *fragments,
			 const struct claw_ledger *ledger);
void claw_fragments_release(struct claw_fragments *fragments);

/* 0..1: the part of free memory that the largest allocation cannot have. */
double claw_fragments_part(const struct claw_fragments_moment *moment);

#endif
