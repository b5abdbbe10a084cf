/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guard zones: every buffer is made as a part of a larger one, between bytes
 * that no kernel may change, which are looked at after each launch.
 */
#ifndef CLAW_GUARDS_H
#define CLAW_GUARDS_H

#include "faults/call/guest.h"

/* In this process, or anew in a forked child. */
CLAW_HIDDEN void claw_guards_begin(void);
extern bool claw_guards_on CLAW_HIDDEN;
static inline bool claw_guards_are_on(void)
{
	return claw_guards_on;
}

/* Is there more to do about a call of this function than what any call has to
 * see to, and is there something of that now? */
CLAW_HIDDEN bool claw_guards_interest(enum claw_api api);
CLAW_HIDDEN bool claw_guards_are_waiting(void);

/* Just before the driver is asked: may replace parameters in place, or answer
 * the call (call->injected, call->guarded and the result are set). */
CLAW_HIDDEN void claw_guards_before(struct claw_call *call);
/* Just after it, before anybody else looks: puts the parameters back, and may
 * replace the result. */
CLAW_HIDDEN void claw_guards_after(struct claw_call *call);

#endif
