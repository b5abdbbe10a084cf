/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way CHECKED: calls that the features of the column CHECKS have nothing
 * to say of, because all that they name is alive and of the right type, which
 * the ledger finds out with the look that it takes anyway. Each function here
 * is what those features do about such a call on the long way, and no more; it
 * says no where there is more to do, and has done nothing then.
 */
#ifndef CLAW_CHECKED_H
#define CLAW_CHECKED_H

#include "faults/command/commands.h"
#include "faults/call/guest.h"
#include "faults/guard/guards.h"
#include "faults/ledger/ledger.h"

/* Is there a way CHECKED of this function? */
CLAW_HIDDEN bool claw_checked_has(enum claw_api api);

/* Calls of the guest's own, of a thread that may have left a frame that a
 * command uses, and when the next call of any kind has something to end. */
static inline bool claw_checked_never(void)
{
	return claw_ours_depth | claw_host_frames_used ||
	       (claw_guards_are_on() && claw_guards_are_waiting());
}

/* The call that the thread is in, as far as anybody asks meanwhile. */
static inline void claw_checked_begin(struct claw_call *call, enum claw_api api)
{
	call->api = api;
	call->site = 0;
	call->outer = claw_call_under_way;
	claw_call_under_way = call;
}

static inline void claw_checked_end(const struct claw_call *call)
{
	claw_call_under_way = call->outer;
}

/* clSetKernelArg: what the ledger is to do afterwards (CLAW_ARGUMENT_SAME:
 * nothing), or CLAW_ARGUMENT_DOUBTFUL. */
CLAW_HIDDEN enum claw_ledger_argument
claw_checked_argument(const void *const *args);

/* A last release that is held back: all is done, the driver is not asked. */
CLAW_HIDDEN bool claw_checked_hold(enum claw_api api, enum claw_obj object,
				   const void *handle);

/* A launch, before: the driver is to be asked; when that has refused it: once
 * more; when it has answered. */
CLAW_HIDDEN bool claw_checked_launching(struct claw_call *call);
CLAW_HIDDEN __attribute__((cold)) bool
claw_checked_launch_again(struct claw_call *call);
CLAW_HIDDEN void claw_checked_launched(struct claw_call *call);

/* A creation of memory in a context, before; when it is made; when the driver
 * has failed: true, it is to be asked once more, and if it fails again,
 * claw_checked_refused() says so. */
CLAW_HIDDEN bool claw_checked_creating(const struct claw_ledger_new *made);
CLAW_HIDDEN void claw_checked_created(const struct claw_ledger_new *made);
CLAW_HIDDEN __attribute__((cold)) bool
claw_checked_again(enum claw_api api, const void *const *args, cl_int err);

/* The driver has refused it. */
CLAW_HIDDEN __attribute__((cold)) void
claw_checked_refused(enum claw_api api, const void *const *args, cl_int err);

#endif
