/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is in the buffers of a launch before it and after it: as it was
 * captured, or as a replay of what was before it reads them.
 */
#ifndef CLAW_EMIT_CLW_MEMORY_H
#define CLAW_EMIT_CLW_MEMORY_H

#include "emit_clw.h"

struct claw_emit_memory {
	claw_object_id object;		/* of spec->trace */
	uint64_t bytes;
	unsigned char *before, *after;	/* NULL: not known */
};

struct claw_emit_memories {
	struct claw_emit_memory *items;	/* one for each argument that is one */
	size_t count;
	uint32_t made_up;		/* contents that the replay made up */
	char *why;			/* nothing can be known; or NULL */
};

/* with_after: the launch is done, too. 0 or -CLAW_E_IO; the caller releases in
 * any case. */
int claw_emit_memories_find(const struct claw_emit_clw *spec, bool with_after,
			    struct claw_emit_memories *ret_memories);
void claw_emit_memories_release(struct claw_emit_memories *memories);
/* NULL: it is none of them. */
const struct claw_emit_memory *
claw_emit_memories_get(const struct claw_emit_memories *memories,
		       claw_object_id object);

#endif
