/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts for a driver that makes a loop over the work-items of what lies between
 * two barriers: pocl on CPUs. What control does there must stay what it was. pocl
 * 3.1 copies what follows a barrier in a branch for each edge that leads out of the
 * branch, and then believes that all work-items take the edge that the first one
 * took. Probes therefore add no branch to such a text, and where a block with a
 * barrier ends control comes together first.
 */
#ifndef CLAW_INSTRUMENT_REGIONS_H
#define CLAW_INSTRUMENT_REGIONS_H

#include "rewrite.h"

/* Is it such a text? */
bool claw_regions_are_in(const struct claw_rewrite *rewrite);
/* If so, have control come together where blocks with barriers end. */
void claw_regions_rewrite(struct claw_rewrite *rewrite);

#endif
