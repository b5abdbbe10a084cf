/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many runs at a time, where nobody says. Runs that share a working directory
 * may get into each other's way, and what one of them then does is no answer to
 * its fault: so more than one only where that is ruled out.
 */
#ifndef CLAW_SWEEP_JOBS_H
#define CLAW_SWEEP_JOBS_H

#include "sweep.h"

struct claw_sweep_jobs {
	unsigned int count;
	char *why;	/* "2 cores, 90 MiB a run" */
};

/*
 * After claw_sweep_begin(); it makes some more runs without faults. most: as
 * many as the runner can do. The caller frees ret_jobs->why.
 */
void claw_sweep_jobs_choose(const struct claw_sweep *sweep, unsigned int most,
			    struct claw_sweep_jobs *ret_jobs);

#endif
