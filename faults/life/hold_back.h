/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Final releases that are held back: the program was told that they are done,
 * the driver is asked later. Drivers give an address away again at once; as
 * long as the object is alive there, a stale handle names nothing else, and
 * its use does not crash.
 *
 * At most CLAW_HELD_MAX are held, and no more than their weight allows: the
 * bytes of device memory that they keep, and an estimate of what an object
 * takes besides. All together they may weigh 256 MiB, or a sixteenth of the
 * smallest memory of a device that has a context, or of what the process's
 * limits leave (memory_room.h), if that is less: a program that uses a device
 * up to that notices nothing, and 4,096 buffers of 64 KiB are all held. When
 * memory runs out all are given up, and what failed is tried once more. The oldest ones are given to the driver first, in the order in
 * which the program released them, which is one that the driver would have
 * met without us.
 *
 * Any thread may call these at any time. No lock is held while the driver is
 * asked.
 */
#ifndef CLAW_HOLD_BACK_H
#define CLAW_HOLD_BACK_H

#include "faults/call/guest.h"

enum { CLAW_HELD_MAX = 4096 };

/* A final release. */
struct claw_held {
	uint64_t handle;
	uint64_t bytes;		/* of the device's memory that it keeps */
	uint16_t api;		/* that releases it: enum claw_api */
	uint8_t object;		/* enum claw_obj */
	uint8_t tries;		/* private: how often the driver said no */
	uint64_t weight;	/* private */
};

/* In this process, or anew in a forked child: nothing is held, what the
 * parent held is the parent's. */
CLAW_HIDDEN void claw_hold_back_begin(void);

/* Would it be held? False: it is too large, or no object of OpenCL's own. */
CLAW_HIDDEN bool claw_hold_back_takes(enum claw_obj object, uint64_t bytes);
/* Hold it. Its ticket (from 1, never used again), or 0: it is not held, and
 * the driver is to be asked. */
CLAW_HIDDEN uint64_t claw_hold_back_add(const struct claw_held *held);
/* Ask the driver to release what is too much now. */
CLAW_HIDDEN void claw_hold_back_settle(void);

/* Is it still held? False when its driver has been asked, or is being so. */
CLAW_HIDDEN bool claw_hold_back_has(uint64_t ticket);
/* It is the program's again: the driver will not be asked. False: too late. */
CLAW_HIDDEN bool claw_hold_back_cancel(uint64_t ticket);

/* Ask the driver to release everything, now; or those that may keep a memory
 * object besides their own: kernels and events. */
CLAW_HIDDEN void claw_hold_back_end_all(void);
CLAW_HIDDEN void claw_hold_back_end_keepers(void);
/* The driver lacks memory: everything goes. True: there was something. */
CLAW_HIDDEN bool claw_hold_back_make_room(void);

/* There is a new context: its devices' memory counts. */
CLAW_HIDDEN void claw_hold_back_meet(cl_context context);
/* The program's device memory gains or loses that many bytes; and: would it
 * gain them, would what is held be in its way? */
CLAW_HIDDEN void claw_hold_back_gain(uint64_t bytes);
CLAW_HIDDEN void claw_hold_back_lose(uint64_t bytes);
CLAW_HIDDEN bool claw_hold_back_is_in_way(uint64_t bytes);

#endif
