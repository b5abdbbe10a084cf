/* SPDX-License-Identifier: Apache-2.0 */
/* What the sections of a dump become. */
#ifndef CLAW_DUMP_PARTS_H
#define CLAW_DUMP_PARTS_H

#include "dump_frame.h"

struct claw_dump_memory;

struct claw_dump_parts {
	struct claw_dump *dump;
	struct claw_dump_memory *memory;	/* dump->memory */
	uint32_t seen;		/* bits of sections that are there */
};

/* The dump has it then, and frees it. */
void claw_dump_parts_init(struct claw_dump_parts *parts,
			  struct claw_dump *dump);
/* Is there one of that kind already, and may no other come? */
bool claw_dump_parts_has(const struct claw_dump_parts *parts,
			 uint32_t section);
/* A section's bytes, malloced and with a NUL behind them, which are the dump's
 * now. 0 or -CLAW_E_DAMAGED (not what it should be). */
int claw_dump_parts_take(struct claw_dump_parts *parts, uint32_t section,
			 unsigned char *bytes, size_t size);
/* The trace, which needs all that came. */
void claw_dump_parts_finish(struct claw_dump_parts *parts);

#endif
