/* SPDX-License-Identifier: Apache-2.0 */
/* Meters of what becomes of events: see meter.h. */
#include "config.h"

#include "meter_events.h"

#include <string.h>

#include "faults/call/event_callbacks.h"
#include "faults/ledger/ledger.h"
#include "meter.h"
#include "meter_batches.h"
#include "meter_calls.h"
#include "faults/device/stand_in.h"

enum { SEEN = 256 };

/* Serials of events whose failure is counted: a program may ask on and on. */
static uint64_t seen[SEEN];

/* Those that the ledger does not know are told apart by their handles. */
static bool is_first_time(cl_event event)
{
	struct claw_ledger_entry entry;
	uint64_t name = (uintptr_t)event;

	if (claw_ledger_copy(CLAW_OBJ_EVENT, event, &entry))
		name = entry.serial;
	return __atomic_exchange_n(&seen[name % SEEN], name,
				   __ATOMIC_RELAXED) != name;
}

/* What the driver says, whatever the program is told. */
static cl_int driver_status(cl_event event)
{
	cl_int status = CL_COMPLETE;
	cl_int err;

	claw_ours_begin();
	err = claw_next.clGetEventInfo(event,
				       CL_EVENT_COMMAND_EXECUTION_STATUS,
				       sizeof(status), &status, NULL);
	claw_ours_end();
	return err ? CL_COMPLETE : status;
}

/* Does openclaw end it? */
static bool is_ours_to_end(cl_event event)
{
	return claw_stand_in_is(event) || claw_device_is_hung_event(event);
}

bool claw_meter_waits_for_ours(const struct claw_call *call)
{
	void *const *events;
	uint32_t count = claw_arg_list(call, call->api ==
				       CLAW_API_clWaitForEvents ?
				       CLAW_P_EVENTS : CLAW_P_WAIT_LIST, &events);

	for (uint32_t i = 0; i < count; i++)
		if (is_ours_to_end(events[i]))
			return true;
	return false;
}

/* ours: it is what openclaw says of it. */
static void count(cl_event event, cl_int status, bool ours)
{
	if (!is_first_time(event))
		return;
	if (ours || is_ours_to_end(event))
		claw_meter_answered(status);
	else
		claw_meter_event_failed(status);
}

/* The program is told that status of it at that time, by a query or a
 * callback. */
static void end_event(cl_event event, cl_int status, uint64_t ticks)
{
	if (status > CL_COMPLETE)
		return;
	claw_meter_waited_event(event, ticks, status == CL_COMPLETE);
	if (status < 0)
		count(event, status, false);
}

void claw_meter_asked(const void *const *args)
{
	cl_event event = CLAW_ARG_IN(args, clGetEventInfo, event);
	const void *value = CLAW_ARG_IN(args, clGetEventInfo, param_value);
	cl_int status;

	if (CLAW_ARG_IN(args, clGetEventInfo, param_name) !=
	    CL_EVENT_COMMAND_EXECUTION_STATUS || !value)
		return;
	memcpy(&status, value, sizeof(status));
	if (status >= 0 || driver_status(event) == status)
		end_event(event, status, claw_journal_ticks());
	else
		count(event, status, true);
}

void claw_meter_events_waited(void *const *events, uint32_t count, cl_int err,
			      uint64_t ticks)
{
	if (err && err != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
		return;
	for (uint32_t i = 0; i < count; i++)
		end_event(events[i], err ? driver_status(events[i]) :
				CL_COMPLETE, ticks);
}

/* ---- callbacks */

static void told(cl_event event, cl_int status)
{
	if (claw_meters_are_on())
		end_event(event, status, claw_journal_ticks());
}

void claw_meter_events_begin(void)
{
	memset(seen, 0, sizeof(seen));
	claw_event_callbacks_begin(told);
}
