/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands that the driver does not execute, and that end well all the same:
 * something else in the driver's queue has their event.
 */
#ifndef CLAW_STAND_IN_H
#define CLAW_STAND_IN_H

#include "faults/call/guest.h"

CLAW_HIDDEN void claw_stand_in_reset(void);
/* Take an enqueue in: a launch becomes one of no work-item, anything else a
 * marker, both only where the program wants an event. */
CLAW_HIDDEN void claw_stand_in_take(struct claw_call *call);
/* Is the event one of those? */
CLAW_HIDDEN bool claw_stand_in_is(cl_event event);
/* clGetEventInfo, after the driver: the type is the command's. */
CLAW_HIDDEN void claw_stand_in_patch(struct claw_call *call);

/* device.c: the event stands in for a command that hangs or has failed. */
CLAW_HIDDEN bool claw_device_is_hung_event(cl_event event);
/* device.c: take an enqueue in; its event ends with the code at that time. */
CLAW_HIDDEN void claw_device_swallow(struct claw_call *call, unsigned int rule,
				     uint64_t until_ns, cl_int code);
/* device.c: the call follows from what the rule did. */
CLAW_HIDDEN void claw_device_consequence(struct claw_call *call,
					 unsigned int rule);
/* device.c: answer a query (value, size, size_ret from that parameter on). */
CLAW_HIDDEN void claw_device_answer(struct claw_call *call,
				    unsigned int first_param,
				    const void *value, size_t size);
CLAW_HIDDEN bool claw_device_is_blocking(const struct claw_call *call);

#endif
