/* SPDX-License-Identifier: Apache-2.0 */
/* Guard zones: which calls are of interest. */
#include "config.h"

#include "guards.h"

#include "faults/call/event_callbacks.h"
#include "guard_private.h"

bool claw_guards_on CLAW_HIDDEN;

/* The program is about to be told by a callback. */
static void told(cl_event event, cl_int status)
{
	(void)event;
	if (claw_guards_on && status <= CL_COMPLETE)
		claw_shadows_push();
}

void claw_guards_begin(void)
{
	claw_guard_contexts_begin();
	claw_shadows_begin();
	claw_maps_begin();
	claw_natives_begin();
	claw_event_callbacks_begin(told);
	claw_zones_begin();
	claw_checks_begin();
	claw_homes_begin();
	claw_parts_begin();
	claw_guard_launches_begin();
	claw_guard_order_begin();
	claw_guards_on = true;
}

/* Without room for its callback: what it finds in the program's own memory is
 * what is there now, and nothing is said of the launches that were to change
 * that. */
static void wrap_callback(struct claw_call *call)
{
	if (claw_event_callbacks_wrap(call))
		return;
	claw_shadows_push();
	claw_found_count(CLAW_COUNT_LAUNCHES_UNCHECKED, 1);
}

bool claw_guards_interest(enum claw_api api)
{
	return api != CLAW_API_clSetKernelArg &&
	       claw_api_table[api].effect != CLAW_RETAINS &&
	       claw_api_table[api].effect != CLAW_RELEASES;
}

bool claw_guards_are_waiting(void)
{
	return claw_natives_are_waiting() || claw_parts_are_waiting();
}

void claw_guards_before(struct claw_call *call)
{
	claw_natives_settle();
	if (claw_api_table[call->api].groups & CLAW_G_TRANSFER) {
		claw_guard_check_range(call);
		claw_guard_check_images(call);
	}
	if (claw_api_makes_buffer(call->api))
		claw_guard_create(call);
	switch (call->api) {
	case CLAW_API_clCreateSubBuffer:
		claw_part_make_sub(call);
		break;
	case CLAW_API_clReleaseMemObject:
		claw_guard_contexts_let_go(
			CLAW_ARG(call, clReleaseMemObject, memobj));
		break;
	case CLAW_API_clReleaseEvent:
		claw_guard_order_forget(CLAW_ARG(call, clReleaseEvent, event));
		break;
	case CLAW_API_clEnqueueNDRangeKernel:
	case CLAW_API_clEnqueueTask:
	case CLAW_API_clEnqueueNativeKernel:
		claw_guard_launching(call);
		break;
	case CLAW_API_clSetEventCallback:
		if (claw_shadows_are_any())
			wrap_callback(call);
		break;
	default:
		break;
	}
	if (call->injected)
		return;
	claw_maps_before(call);
	claw_guard_sync_before(call);
}

static void look_at_new(struct claw_call *call)
{
	/* One that is refused is the program's to see. */
	if (call->api == CLAW_API_clCreateSubBuffer && call->ret)
		claw_guard_check_range(call);
	switch (claw_api_table[call->api].object) {
	case CLAW_OBJ_MEM:
		claw_guard_created(call);
		break;
	case CLAW_OBJ_CONTEXT:
		if (call->ret)
			claw_guard_context_forget(call->ret);
		break;
	case CLAW_OBJ_SVM:
		if (!call->ret)
			break;
		claw_found_count(CLAW_COUNT_BARE_SVM, 1);
		claw_shadows_refuse();
		break;
	default:
		break;
	}
}

/* Where the program waits, what came of its launches is there to be had. */
static bool has_waited(const struct claw_call *call)
{
	return call->api == CLAW_API_clFinish ||
	       call->api == CLAW_API_clWaitForEvents ||
	       claw_call_is_blocking(call);
}

/* Where it is told that something is complete, its own memory has to be what
 * the device made of it. */
static bool has_learned(const struct claw_call *call)
{
	const cl_int *status;

	switch (call->api) {
	case CLAW_API_clGetEventInfo:
		status = CLAW_ARG(call, clGetEventInfo, param_value);
		return !call->err && status &&
		       CLAW_ARG(call, clGetEventInfo, param_name) ==
			CL_EVENT_COMMAND_EXECUTION_STATUS &&
		       *status <= CL_COMPLETE;
	case CLAW_API_clGetEventProfilingInfo:
		return !call->err;
	case CLAW_API_clReleaseCommandQueue:
	case CLAW_API_clReleaseContext:
		return true;
	default:
		return has_waited(call);
	}
}

static void waited(void)
{
	claw_guard_contexts_collect(false);
	claw_guard_order_prune();
}

void claw_guards_after(struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	claw_guard_sync_after(call);
	claw_maps_after(call);
	if (claw_shadows_are_any() && has_learned(call))
		claw_shadows_push();
	if (info->effect == CLAW_CREATES)
		look_at_new(call);
	else if (info->effect == CLAW_RELEASES)
		claw_guard_contexts_sweep();
	else if (has_waited(call))
		waited();
	claw_parts_settle();
	claw_natives_settle();
	switch (call->api) {
	case CLAW_API_clEnqueueNDRangeKernel:
	case CLAW_API_clEnqueueTask:
	case CLAW_API_clEnqueueNativeKernel:
		claw_guard_launched(call);
		break;
	case CLAW_API_clGetMemObjectInfo:
		claw_guard_answer(call);
		break;
	case CLAW_API_clSetEventCallback:
		claw_event_callbacks_end(call);
		break;
	case CLAW_API_clSetMemObjectDestructorCallback:
		if (!call->err)
			claw_guard_sync_destruction(call);
		break;
	case CLAW_API_clGetContextInfo:
		claw_guard_answer_context(call);
		break;
	case CLAW_API_clEnqueueCommandBufferKHR:
		if (!call->err)
			claw_found_count(CLAW_COUNT_LAUNCHES_UNCHECKED, 1);
		break;
	default:
		break;
	}
}
