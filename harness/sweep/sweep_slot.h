/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A place for the runs of one point at a time: the first, and where that was
 * handled, one after the other, those of the second looks (sweep_look.h). One
 * that hangs may be made again: a machine that is busy looks like that, too.
 */
#ifndef CLAW_SWEEP_SLOT_H
#define CLAW_SWEEP_SLOT_H

#include "sweep.h"

struct claw_sweep_slot {
	struct claw_sweep *sweep;
	enum {
		CLAW_SWEEP_SLOT_FREE,
		CLAW_SWEEP_SLOT_RUNNING,	/* one run */
		CLAW_SWEEP_SLOT_READY,		/* this is final */
	} state;
	size_t point;
	struct claw_judged_run run;
	enum claw_verdict verdict;		/* of run alone */
	char *hung;	/* message of an earlier run that has hung, or NULL */
	struct claw_judged_run look_run;
	int look;		/* that tells, or CLAW_SWEEP_NO_LOOK */
	struct claw_judgement judgement;
	/* For the slot itself. */
	char *directory, *look_directory;
	void (*moved)(void *user);
	void *user;
};

/*
 * number: from 1, another one for each slot of the sweep.
 * moved:  is called when runs have ended: the slot is ready, or free again
 *	   because a run could not be had, and its point waits.
 *
 * The caller releases.
 */
void claw_sweep_slot_init(struct claw_sweep_slot *slot,
			  struct claw_sweep *sweep, unsigned int number,
			  void (*moved)(void *user), void *user);
void claw_sweep_slot_release(struct claw_sweep_slot *slot);

/* Begin the runs of a point; moved may be called before this returns. */
void claw_sweep_slot_begin(struct claw_sweep_slot *slot, size_t point);
/* Once more: the run has hung. If the next one ends, nothing is known. */
void claw_sweep_slot_again(struct claw_sweep_slot *slot);
/* Free again, and the point is as if it had not been begun, but where another
 * run has stood for it meanwhile. */
void claw_sweep_slot_give_up(struct claw_sweep_slot *slot);
/* Free again. */
void claw_sweep_slot_empty(struct claw_sweep_slot *slot);

/* May one more run begin? */
bool claw_sweep_may_begin(struct claw_sweep *sweep);

#endif
