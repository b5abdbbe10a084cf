/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stays wrong after a fault has fired: devices that are lost, commands
 * that hang, programs that could not be built (device_*.c). Here is in which
 * order a call meets them, and what its queries are told. Everything follows
 * the specification's text; device models come on top of it.
 */
#include "config.h"

#include "faults/call/guest.h"

#include <string.h>

#include "device_private.h"
#include "failure.h"
#include "faults/call/rule_table.h"
#include "stand_in.h"

/* A table is full: what is not in it is not treated as it should be. */
void claw_say_full(bool *said, const char *what)
{
	claw_journal_add_damaged();
	if (!*said)
		claw_say("more %s than it can follow; the rest are left alone",
			 what);
	*said = true;
}

uint64_t claw_deadline_ns(uint64_t span_ns)
{
	return span_ns ? claw_now_ns() + span_ns : UINT64_MAX;
}

void claw_device_consequence(struct claw_call *call, unsigned int rule)
{
	call->flags |= CLAW_REC_CONSEQUENCE;
	if (rule == CLAW_NO_RULE)
		return;
	call->rule = (uint16_t)(rule + 1);
	call->fault = (uint16_t)claw_rules_get(rule)->fault;
	claw_journal_rule_consequence(claw_journal_rule_at((int)rule));
}

/* Answer a query as the specification describes it (value, size, size_ret). */
void claw_device_answer(struct claw_call *call, unsigned int first_param,
			const void *value, size_t size)
{
	size_t room = *(const size_t *)call->args[first_param];
	void *out = *(void *const *)call->args[first_param + 1];
	size_t *size_out = *(size_t *const *)call->args[first_param + 2];

	if (out && room < size) {
		call->err = CL_INVALID_VALUE;
		return;
	}
	if (out)
		memcpy(out, value, size);
	if (size_out)
		*size_out = size;
	call->err = CL_SUCCESS;
	call->flags |= CLAW_REC_INJECTED;
}

static void patch_device_info(struct claw_call *call)
{
	cl_device_info name = CLAW_ARG(call, clGetDeviceInfo, param_name);
	cl_bool available = CL_FALSE;

	struct claw_lost_device lost;

	if (name == CL_DEVICE_AVAILABLE && !call->err &&
	    ((claw_loss_find(call, &lost) && !lost.by_context) ||
	     claw_failure_hides_device(call)))
		claw_device_answer(call, 2, &available, sizeof(available));
}

static void patch_event_info(struct claw_call *call)
{
	struct claw_hung_event *hung =
		claw_hung_event_find(claw_arg_pointer(call, CLAW_P_EVENT));
	cl_event_info name = CLAW_ARG(call, clGetEventInfo, param_name);

	cl_uint references;

	if (!hung)
		return;
	if (name == CL_EVENT_REFERENCE_COUNT && !call->err &&
	    CLAW_ARG(call, clGetEventInfo, param_value)) { /* one is ours */
		memcpy(&references, CLAW_ARG(call, clGetEventInfo, param_value),
		       sizeof(references));
		references--;
		claw_device_answer(call, 2, &references, sizeof(references));
	} else if (name == CL_EVENT_COMMAND_TYPE)
		claw_device_answer(call, 2, &hung->type, sizeof(hung->type));
	else if (name == CL_EVENT_COMMAND_QUEUE)
		claw_device_answer(call, 2, &hung->queue, sizeof(hung->queue));
	/* Whoever waited knows that it failed before the driver may do. */
	else if (name == CL_EVENT_COMMAND_EXECUTION_STATUS &&
		 __atomic_load_n(&hung->ended, __ATOMIC_ACQUIRE))
		claw_device_answer(call, 2, &hung->hang.code,
				   sizeof(hung->hang.code));
}

/* A command that says it is complete has times, if its queue keeps any. */
static void patch_event_times(struct claw_call *call)
{
	struct claw_hung_event *hung =
		claw_hung_event_find(claw_arg_pointer(call, CLAW_P_EVENT));
	cl_profiling_info name =
		CLAW_ARG(call, clGetEventProfilingInfo, param_name);
	cl_ulong ns;

	if (!hung || !__atomic_load_n(&hung->ended, __ATOMIC_ACQUIRE) ||
	    hung->hang.code < 0 || name < CL_PROFILING_COMMAND_QUEUED ||
	    name > CL_PROFILING_COMMAND_END)
		return;
	ns = name == CL_PROFILING_COMMAND_END ? hung->hang.until_ns :
		hung->hang.since_ns;
	if (claw_queue_properties(hung->queue) & CL_QUEUE_PROFILING_ENABLE)
		claw_device_answer(call, 2, &ns, sizeof(ns));
}

void claw_device_patch(struct claw_call *call)
{
	switch (call->api) {
	case CLAW_API_clGetDeviceInfo:
		if (claw_loss_is_any() || claw_failure_is_on())
			patch_device_info(call);
		break;
	case CLAW_API_clGetEventInfo:
		if (claw_hung_events_are_any())
			patch_event_info(call);
		break;
	case CLAW_API_clGetEventProfilingInfo:
		if (claw_hung_events_are_any())
			patch_event_times(call);
		break;
	case CLAW_API_clGetProgramBuildInfo:
		if (claw_failed_builds_are_any())
			claw_failed_build_patch(call);
		break;
	case CLAW_API_clBuildProgram:
	case CLAW_API_clCompileProgram:
		/* The driver built it after all. */
		if (claw_failed_builds_are_any() && !call->err)
			claw_failed_build_forget(
				claw_arg_pointer(call, CLAW_P_PROGRAM));
		break;
	default:
		break;
	}
}

bool claw_device_check(struct claw_call *call)
{
	if (claw_hung_events_are_any())
		claw_hung_events_end_overdue();
	if (claw_hung_events_are_any() &&
	    call->api == CLAW_API_clSetEventCallback &&
	    claw_hung_event_keep_callback(call))
		return true;
	if (claw_loss_is_any() && claw_loss_check(call))
		return true;
	if (claw_failure_check(call))
		return true;
	if ((claw_hung_queues_are_any() || claw_hung_events_are_any()) &&
	    claw_hang_check(call))
		return true;
	return claw_failed_builds_are_any() && claw_failed_build_check(call);
}

void claw_device_created(const struct claw_call *call)
{
	switch (claw_api_table[call->api].object) {
	case CLAW_OBJ_CONTEXT:
		if (claw_loss_is_any())
			claw_loss_adopt(call->ret);
		break;
	case CLAW_OBJ_PROGRAM:
		if (claw_failed_builds_are_any())
			claw_failed_build_forget(call->ret);
		break;
	case CLAW_OBJ_QUEUE:
		claw_hung_queue_forget(call->ret);
		break;
	default:
		break;
	}
}

void claw_device_reset(void)
{
	claw_loss_reset();
	claw_hung_queues_reset();
	claw_hung_events_reset();
	claw_failed_builds_reset();
	claw_failure_reset();
}
