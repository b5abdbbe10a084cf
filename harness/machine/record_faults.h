/* SPDX-License-Identifier: Apache-2.0 */
/* "openclaw info --record-faults": what a real device does after a fault. */
#ifndef CLAW_RECORD_FAULTS_H
#define CLAW_RECORD_FAULTS_H

#include <stdio.h>

/*
 * Fault the first GPU (or the first device) in child processes, again and
 * again, and write a device model with what was seen: what machine says of
 * that device and its failure section (doc/device-failure.md). What each run
 * told goes to lines, or nowhere when that is NULL.
 *
 * Returns 0 with *ret_outcome or -CLAW_E_NOT_FOUND (the program for it). A
 * model is written with CLAW_RECORDED alone.
 */
enum claw_recorded {
	CLAW_RECORDED,
	CLAW_RECORDED_NO_DEVICE,	/* no kernel ran, with no fault at all */
	CLAW_RECORDED_SILENCE,		/* no run could say what follows */
	CLAW_RECORDED_NOTHING,		/* nothing followed any fault */
};
struct claw_machine;
int claw_record_faults(const struct claw_machine *machine, FILE *model,
		       FILE *lines, enum claw_recorded *ret_outcome);

#endif
