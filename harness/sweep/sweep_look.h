/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Second looks of a sweep: a point that the program handled runs once more,
 * under a tool, and on the driver that the tool needs. What the tool sees then
 * is a finding, and so is what the program does there and not natively; a
 * fault that is not reached there leaves the point unknown.
 */
#ifndef CLAW_SWEEP_LOOK_H
#define CLAW_SWEEP_LOOK_H

#include "sweep.h"

/* Runs that a point is judged by. Borrowed from the sweep. */
struct claw_sweep_runs {
	const struct claw_judge_baseline *baseline;
	const struct claw_leak_scan *leaks;	/* without faults */
	uint64_t limit_ms;			/* of a run */
	const struct claw_judged_tool *tool;	/* above them, or NULL */
};

/* look: number of one, or CLAW_SWEEP_NO_LOOK. */
struct claw_sweep_runs claw_sweep_runs_of(const struct claw_sweep *sweep,
					  int look);

/* Make the runs without faults. 0, or -1: ret_judgement says why not. */
int claw_sweep_looks_begin(struct claw_sweep *sweep,
			   struct claw_judgement *ret_judgement);
void claw_sweep_looks_release(struct claw_sweep *sweep);

/* claw_sweep_signature() of a finding by those runs; what only the tool's runs
 * have is another mistake: "SIGSEGV load under valgrind". */
char *claw_sweep_look_signature(const struct claw_sweep *sweep, size_t point,
				int look, const struct claw_judged_run *run,
				struct claw_judgement *judgement);
/* The look that has made a signature, from its words. */
int claw_sweep_look_of_signature(const struct claw_sweep *sweep,
				 const char *signature);

/* Points that have run in that look. */
uint64_t claw_sweep_look_count(const struct claw_sweep *sweep, size_t look);

/* Of all points, as records and reports have it: the tool's, or "native". */
const char *claw_sweep_configuration(const struct claw_sweep *sweep);

#endif
