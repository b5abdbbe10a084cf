/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Consequences of a fault, defined by a device model (doc/device-failure.md): a
 * fault is a trigger that takes a queue, a context, a device or the process
 * into a state, and a state says how each call is answered. A model without
 * rules for a fault has the generic ones (failure_generic.c), which are the
 * specification's text.
 *
 * A line of the session's file "models", behind "failure ":
 *
 *	state NAME reach=queue|context|device|process
 *		cure=process|context|notice|NANOSECONDS event=CODE
 *		available=0|1
 *		[notice=TEXT]
 *	trigger FAULT[=KIND]|fork|user-event state=NAME error=CODE [after=NANOSECONDS]
 *	answer STATE call=TARGET[,TARGET...] [noticed=0|1] [blocking=0|1]
 *		[waits=0|1] [queue=same|other] [context=same|other]
 *		[device=same|other] [says=CODE] [shows=CODE] [value=null] [local=over] [answer=CODE|error]
 *		[status=CODE] [notices=1] [tell=TEXT]
 *
 * The first answer that fits a call counts. TEXT goes to the end of its line.
 */
#ifndef CLAW_FAILURE_H
#define CLAW_FAILURE_H

#include "faults/call/guest.h"

/* A line of the session's file "models" behind "failure ", of that model. */
CLAW_HIDDEN void claw_failure_read_line(unsigned int device, const char *rest);

/* In a forked child: nothing has happened yet but the fork itself. */
CLAW_HIDDEN void claw_failure_reset(void);
/* Has a model rules, or is something in a state? */
CLAW_HIDDEN bool claw_failure_is_on(void);
/* Do the rules look at calls of this function although nothing has failed? */
CLAW_HIDDEN bool claw_failure_interest(enum claw_api api);

/*
 * The rule's fault has happened at this call: its queue, context, device or
 * the process is in the state that the model says from start_ns on.
 *
 * Returns false when no rule says what follows.
 */
CLAW_HIDDEN bool claw_failure_begin(const struct claw_call *call,
				    unsigned int rule_index,
				    uint64_t start_ns);
/* Final status of the event of the rule's command: that of the state that
 * follows, or CL_OUT_OF_RESOURCES. */
CLAW_HIDDEN cl_int claw_failure_event_code(const struct claw_call *call,
					   unsigned int rule_index);
/* The launch faults: it is taken in, and what follows begins. */
CLAW_HIDDEN void claw_failure_crash(struct claw_call *call,
				    unsigned int rule_index);
/* The transfer fails: in the call, or taken in as a launch is, where a state
 * follows and the call does not wait. */
CLAW_HIDDEN void claw_failure_transfer(struct claw_call *call,
				       unsigned int rule_index);
/* Before the launch faults the driver runs a part of its work-items. False: it
 * has nothing to run a part of, and the launch is not to fault. */
CLAW_HIDDEN bool claw_failure_run_part(const struct claw_call *call,
				       unsigned int rule_index);
/* When does the device end a launch that hangs? UINT64_MAX: never. */
CLAW_HIDDEN uint64_t claw_failure_watchdog_ns(const struct claw_call *call,
					      unsigned int rule_index);

/* Answer the call if it meets such a state. */
CLAW_HIDDEN bool claw_failure_check(struct claw_call *call);
/* The same for the call that it begins with, whose rule is written down by who
 * carries that out. */
CLAW_HIDDEN bool claw_failure_answer(struct claw_call *call);
/* After the driver: contexts are remembered, answers and texts mended. */
CLAW_HIDDEN void claw_failure_after(struct claw_call *call);
/* Is the device that the call asks about shown as not available? */
CLAW_HIDDEN bool claw_failure_hides_device(const struct claw_call *call);

/* Tell the callback that the program gave the context, if it did: one line. */
CLAW_HIDDEN void claw_failure_notify(cl_context context, const char *format,
				     ...)
	__attribute__((format(printf, 2, 3)));

#endif
