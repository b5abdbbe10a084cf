/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Free space of a device, first fit: the lowest place that is large enough is
 * taken. In units that the caller chooses. The caller locks.
 */
#ifndef CLAW_MODEL_EXTENTS_H
#define CLAW_MODEL_EXTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "faults/journal/journal.h"

struct claw_extent;		/* free from here on */

struct claw_extents {
	struct claw_extent *nodes;	/* mapped; [0] is none */
	uint32_t root, spare, fresh, room;
	uint64_t lost;		/* units that no node could be had for */
	uint64_t free;		/* units */
};

/* Nothing is free. False: no memory. */
CLAW_HIDDEN bool claw_extents_begin(struct claw_extents *extents);
/* False: there is no piece as large. */
CLAW_HIDDEN bool claw_extents_take(struct claw_extents *extents, uint32_t units,
				   uint32_t *ret_start);
CLAW_HIDDEN void claw_extents_give(struct claw_extents *extents, uint32_t start,
				   uint32_t units);
/* Units of the largest piece. */
CLAW_HIDDEN uint32_t claw_extents_largest(const struct claw_extents *extents);

#endif
