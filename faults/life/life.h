/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lifetime errors: what the program does to objects that are gone, to NULL,
 * and to objects of another type. Stands on the ledger, which knows what is
 * alive; what was released last is kept here (graves.h), and final releases
 * are held back for a while, because drivers use addresses again at once.
 */
#ifndef CLAW_LIFE_H
#define CLAW_LIFE_H

#include "faults/call/guest.h"

/* In this process, or anew in a forked child. The ledger has begun. protect:
 * calls that would crash the driver are answered with the specification's
 * error. */
CLAW_HIDDEN void claw_life_begin(bool protect);
extern bool claw_life_on CLAW_HIDDEN;
static inline bool claw_life_is_on(void)
{
	return claw_life_on;
}

/*
 * Before the driver and before claw_ledger_before(). May answer the call:
 * call->injected and the result are set.
 */
CLAW_HIDDEN void claw_life_before(struct claw_call *call);
/*
 * Just after claw_ledger_before(), which knows which release is the last one.
 * May answer that: call->held and call->injected are set when it is held back,
 * which is a success for everybody else.
 */
CLAW_HIDDEN void claw_life_releasing(struct claw_call *call);
/* All of these for the program's last release of an object of OpenCL's own whose
 * entry that was, and which may wait (life_waits.c) with that many bytes. False:
 * nothing was done, it is not to be held back after all. */
struct claw_ledger_entry;
CLAW_HIDDEN bool claw_life_may_wait(const struct claw_ledger_entry *entry,
				    uint64_t *ret_bytes);
CLAW_HIDDEN bool claw_life_hold(enum claw_api api,
				const struct claw_ledger_entry *entry,
				uint64_t bytes);
/* The driver has refused the call; true: for lack of what is held, which has
 * been given up, and it is to be made again. */
CLAW_HIDDEN bool claw_life_again(struct claw_call *call);
/* After the driver and after claw_ledger_after(). */
CLAW_HIDDEN void claw_life_after(struct claw_call *call);

#endif
