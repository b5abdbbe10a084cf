/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lifetime errors: use of released objects, of NULL, and of objects of the
 * wrong type. The ledger has the live objects; this room has the table of
 * released handles (graves.h) and delays final releases, because drivers reuse
 * addresses at once.
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
 * May answer that: call->held and call->injected are set if it is delayed,
 * which is a success for all other features.
 */
CLAW_HIDDEN void claw_life_releasing(struct claw_call *call);
/* All of these for the program's last release of an object of OpenCL's own whose
 * entry that was, and which may wait (life_waits.c) with that many bytes. False:
 * nothing was done; it is not delayed. */
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
