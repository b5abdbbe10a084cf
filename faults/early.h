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

#include "guest.h"

/* In this process, or anew in a forked child; after claw_commands_begin().
 * False: libopenclaw-heap.so is not there, and nothing is closed. */
CLAW_HIDDEN bool claw_early_begin(void);
CLAW_HIDDEN bool claw_early_is_on(void);
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

/* This memory goes now; or it may move, or be protected otherwise: then it is
 * open before this returns. */
CLAW_HIDDEN void claw_early_freeing(uint64_t start, uint64_t bytes);
CLAW_HIDDEN void claw_early_touching(uint64_t start, uint64_t bytes);

#endif
