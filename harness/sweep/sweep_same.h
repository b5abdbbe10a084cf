/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Points whose run is known to be that of another point, which has ended.
 */
#ifndef CLAW_SWEEP_SAME_H
#define CLAW_SWEEP_SAME_H

#include "sweep.h"

/*
 * The next point from number `from` on that has not ended and whose run would be
 * the one of this point: it fails the same call in the same way, and then every
 * further call of that function, of which this run made none. Only where the
 * run is wholly known, in one process, with that function called by one thread.
 *
 * Returns its number, or SIZE_MAX: there is none.
 */
size_t claw_sweep_same_next(const struct claw_sweep *sweep, size_t point,
			    const struct claw_judged_run *run, size_t from);

#endif
