/* SPDX-License-Identifier: Apache-2.0 */
/* What is left to do of a call whose objects are all alive. */
#include "config.h"

#include "stages.h"

#include "checked.h"
#include "faults/ledger/graves.h"
#include "faults/life/hold_back.h"

bool claw_checked_has(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	return api == CLAW_API_clSetKernelArg ||
	       api == CLAW_API_clCreateBuffer ||
	       api == CLAW_API_clEnqueueNDRangeKernel ||
	       ((info->effect == CLAW_RETAINS ||
		 info->effect == CLAW_RELEASES) &&
		info->object != CLAW_OBJ_SVM && info->fails_as == CLAW_STATUS);
}

enum claw_ledger_argument claw_checked_argument(const void *const *args)
{
	const void *kernel = CLAW_ARG_IN(args, clSetKernelArg, kernel);
	const void *value = CLAW_ARG_IN(args, clSetKernelArg, arg_value);
	enum claw_ledger_argument what;
	struct claw_grave grave;

	/* The driver and a launch will need them. */
	__builtin_prefetch(kernel);
	claw_kernels_prefetch(kernel);
	what = claw_ledger_look_at_arg(kernel,
		CLAW_ARG_IN(args, clSetKernelArg, arg_index),
		CLAW_ARG_IN(args, clSetKernelArg, arg_size), value);
	if (what == CLAW_ARGUMENT_NUMBER &&
	    claw_graves_find(CLAW_OBJ_MEM, *(void *const *)value, &grave))
		what = CLAW_ARGUMENT_DOUBTFUL;
	return claw_kernels_have_shared() ? CLAW_ARGUMENT_DOUBTFUL : what;
}

bool claw_checked_hold(enum claw_api api, enum claw_obj object,
		       const void *handle)
{
	struct claw_ledger_entry entry;
	struct claw_call call;
	uint64_t bytes;

	if (!claw_life_is_on() || claw_guards_are_on() ||
	    (object != CLAW_OBJ_MEM && object != CLAW_OBJ_EVENT) ||
	    !claw_ledger_copy(object, handle, &entry) ||
	    entry.object != object || entry.references != 1 ||
	    !claw_life_may_wait(&entry, &bytes) ||
	    !claw_commands_let_go(&entry) ||
	    !claw_life_hold(api, &entry, bytes))
		return false;
	if (object == CLAW_OBJ_EVENT)
		claw_commands_event_gone(entry.handle);
	claw_checked_begin(&call, api);
	claw_hold_back_settle();
	claw_checked_end(&call);
	return true;
}

static bool waits_for_living(const struct claw_call *call)
{
	const cl_event *list =
		CLAW_ARG(call, clEnqueueNDRangeKernel, event_wait_list);
	cl_uint count = CLAW_ARG(call, clEnqueueNDRangeKernel,
				 num_events_in_wait_list);

	for (cl_uint i = 0; list && i < count; i++)
		if (!claw_ledger_is_alive(CLAW_OBJ_EVENT, list[i], 0))
			return false;
	return true;
}

bool claw_checked_launching(struct claw_call *call)
{
	const void *kernel = CLAW_ARG(call, clEnqueueNDRangeKernel, kernel);
	struct claw_launch launch;

	if (!claw_ledger_is_alive(CLAW_OBJ_QUEUE,
			CLAW_ARG(call, clEnqueueNDRangeKernel, command_queue),
			0) ||
	    !waits_for_living(call) ||
	    !claw_ledger_uses(kernel, &launch.serial, launch.used,
			      CLAW_LAUNCH_USES, &launch.count))
		return false;
	launch.kernel = (uintptr_t)kernel;
	if (!claw_commands_launching(call, &launch))
		return false;
	call->outer = claw_call_under_way;
	claw_call_under_way = call;
	return true;
}

bool claw_checked_launch_again(struct claw_call *call)
{
	return claw_life_again(call);
}

void claw_checked_launched(struct claw_call *call)
{
	const cl_event *event = CLAW_ARG(call, clEnqueueNDRangeKernel, event);

	if (call->err) {
		claw_life_after(call);
	} else if (event) {
		claw_ledger_created(&(struct claw_ledger_new){
			.handle = *event, .api = call->api,
			.object = CLAW_OBJ_EVENT,
			.parent = CLAW_ARG(call, clEnqueueNDRangeKernel,
					   command_queue),
			.flags = CLAW_LEDGER_IMPLICIT, .site = call->site,
			.kernel = CLAW_ARG(call, clEnqueueNDRangeKernel,
					   kernel),
			.kernel_lives = true,
		});
		claw_graves_remove(CLAW_OBJ_EVENT, *event);
	}
	claw_commands_launched(call, event && !call->err ?
			       (uintptr_t)*event : 0);
	claw_checked_end(call);
}

bool claw_checked_creating(const struct claw_ledger_new *made)
{
	if (!claw_ledger_is_alive(CLAW_OBJ_CONTEXT, made->parent, 0))
		return false;
	if (claw_hold_back_is_in_way(made->bytes))
		claw_hold_back_end_all();
	return true;
}

void claw_checked_created(const struct claw_ledger_new *made)
{
	bool entered = claw_ledger_created(made);

	claw_graves_remove(made->object, made->handle);
	if (entered)
		claw_hold_back_gain(made->bytes);
}

bool claw_checked_again(enum claw_api api, const void *const *args, cl_int err)
{
	struct claw_call call;

	claw_call_begin(&call, api, args);
	call.err = err;
	return claw_life_again(&call);
}

void claw_checked_refused(enum claw_api api, const void *const *args,
			  cl_int err)
{
	struct claw_call call;

	claw_call_begin(&call, api, args);
	call.err = err;
	claw_life_after(&call);
}
