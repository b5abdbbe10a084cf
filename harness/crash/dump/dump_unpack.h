/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of one section. */
#ifndef CLAW_DUMP_UNPACK_H
#define CLAW_DUMP_UNPACK_H

#include "harness/files/byte_source.h"
#include "dump_frame.h"

struct claw_dump_unpacker;	/* what is used again for each section */

struct claw_dump_unpacker *
claw_dump_unpacker_new(const struct claw_source *source);
void claw_dump_unpacker_free(struct claw_dump_unpacker *unpacker);

/* Are the stored bytes, which begin at offset, those that were written? */
bool claw_dump_check_stored(struct claw_dump_unpacker *unpacker,
			    uint64_t offset,
			    const struct claw_dump_frame *frame);

/*
 * The section's bytes, with a NUL behind them; the caller frees them. No more
 * memory is taken than twice what really comes out, whatever the frame says.
 *
 * ret_made: bytes that were made, also when they are not right.
 *
 * Returns 0 or -CLAW_E_DAMAGED.
 */
int claw_dump_unpack(struct claw_dump_unpacker *unpacker, uint64_t offset,
		     const struct claw_dump_frame *frame,
		     unsigned char **ret_bytes, uint64_t *ret_made);

#endif
