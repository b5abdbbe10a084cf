/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands that are under way, as far as the program can know: what each one
 * reads and writes, what it waits for, and whether anything the program did
 * since makes sure that it is done. That is not whether it is done: what is
 * right only on a fast day is found on every day.
 */
#ifndef CLAW_COMMANDS_H
#define CLAW_COMMANDS_H

#include "guest.h"

/* In this process, or anew in a forked child. */
CLAW_HIDDEN void claw_commands_begin(void);
CLAW_HIDDEN bool claw_commands_are_on(void);

/* Before the driver (after claw_life_before(), before claw_ledger_before()),
 * and after it. An answered call is not seen. */
CLAW_HIDDEN void claw_commands_before(struct claw_call *call);
CLAW_HIDDEN void claw_commands_after(struct claw_call *call);

/* The program frees this memory now (heap_watch.c); 0 bytes: not known. */
CLAW_HIDDEN void claw_commands_freeing(const void *memory, size_t bytes);

#endif
