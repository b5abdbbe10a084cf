/* SPDX-License-Identifier: Apache-2.0 */
/* The event that a call of the program's gives out, or one of ours instead. */
#include "config.h"

#include "guard_private.h"

static cl_event **place_of(const struct claw_call *call)
{
	return (cl_event **)claw_arg_address(call, CLAW_P_EVENT_OUT);
}

void claw_guard_event_lend(struct claw_call *call, cl_command_queue queue)
{
	cl_event **place = place_of(call);

	if (!place || *place || !claw_device_is_out_of_order(queue))
		return;
	call->guards.event = NULL;
	*place = &call->guards.event;
}

bool claw_guard_event_is_lent(const struct claw_call *call)
{
	cl_event **place = place_of(call);

	return place && *place == (cl_event *)&call->guards.event;
}

void claw_guard_event_take_back(struct claw_call *call)
{
	if (!claw_guard_event_is_lent(call))
		return;
	*place_of(call) = NULL;
	if (!call->err && call->guards.event) {
		claw_ours_begin();
		claw_next.clReleaseEvent(call->guards.event);
		claw_ours_end();
	}
}

cl_event claw_guard_event_of(const struct claw_call *call)
{
	cl_event **place = place_of(call);

	return place && *place ? **place : NULL;
}

bool claw_guard_event_is_lost(cl_event event)
{
	cl_int status = CL_COMPLETE;

	return claw_next.clGetEventInfo(event,
					CL_EVENT_COMMAND_EXECUTION_STATUS,
					sizeof(status), &status, NULL) ||
	       status < 0;
}
