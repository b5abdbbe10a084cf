/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores of the program to what a pending read has yet to write.
 * The driver gets memory of ours to read into, the program's pages are closed
 * meanwhile, and a touch is a signal. Once the program has waited for the read
 * (commands.h says when), the bytes are there and the pages are open.
 *
 * Only whole pages are closed that the read writes to the last byte. What
 * cannot be closed is left alone and counted: the driver reads into it.
 */
#ifndef CLAW_EARLY_H
#define CLAW_EARLY_H

#include "faults/call/guest.h"

/* In this process, or anew in a forked child; after claw_commands_begin().
 * False: libopenclaw-heap.so is not there, and nothing is closed. */
CLAW_HIDDEN bool claw_early_begin(void);
extern bool claw_early_on CLAW_HIDDEN;
static inline bool claw_early_is_on(void)
{
	return claw_early_on;
}
/* The process ends: nothing is closed any more. */
CLAW_HIDDEN void claw_early_end(void);

/* Before the driver, the last but for those who make the call another
 * (guards.h): it gets our memory. */
CLAW_HIDDEN void claw_early_before(struct claw_call *call);
/* After it, before anybody looks at the parameters: they are the program's
 * again. taken: the driver has the command. */
CLAW_HIDDEN void claw_early_after(struct claw_call *call, bool taken);
/* After all others, and before a callback: what the program knows to be
 * complete by now is there when this returns. */
CLAW_HIDDEN void claw_early_look(void);

/* call->early.read names a place for reads; which use of it is this? Are the bytes
 * of that use where the program wants them? *ret_lost: they never will be, for
 * the memory is gone. */
CLAW_HIDDEN uint64_t claw_early_use(uint16_t early);
CLAW_HIDDEN bool claw_early_is_in_place(uint16_t early, uint64_t use,
					bool *ret_lost);

/* This memory may go, move, or be protected otherwise: it is open before this
 * returns. */
CLAW_HIDDEN void claw_early_touching(uint64_t start, uint64_t bytes);

#endif
