/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The launch that faults. The driver does not execute it, or only a part of
 * its work-items.
 */
#include "config.h"

#include "failure_private.h"
#include "faults/call/rule_table.h"

#include <string.h>

#include "stand_in.h"

enum { NAP_NS = 100000, MAX_IDLE_NAPS = 50000 };

cl_int claw_failure_event_code(const struct claw_call *call,
			       unsigned int rule_index)
{
	unsigned int model;
	const struct claw_fail_trigger *trigger = claw_fail_trigger_find(
		claw_fail_model_of(call), claw_rules_get(rule_index), &model);

	return trigger ? claw_fail_rules_of(model)->
		states[trigger->state].event : CL_OUT_OF_RESOURCES;
}

void claw_failure_crash(struct claw_call *call, unsigned int rule_index)
{
	cl_int event = claw_failure_event_code(call, rule_index);

	if (event)
		claw_device_swallow(call, rule_index, claw_now_ns(), event);
	else
		claw_stand_in_take(call);
	claw_failure_begin(call, rule_index, claw_now_ns());
}

void claw_failure_transfer(struct claw_call *call, unsigned int rule_index)
{
	const struct claw_rule *rule = claw_rules_get(rule_index);
	unsigned int model;

	if (!claw_fail_trigger_find(claw_fail_model_of(call), rule, &model)) {
		claw_fail(call, claw_rule_code(rule, call->api));
	} else if (claw_device_is_blocking(call) ||
		   claw_api_table[call->api].fails_as != CLAW_STATUS) {
		claw_failure_begin(call, rule_index, claw_now_ns());
		if (!claw_failure_answer(call))
			claw_fail(call, claw_rule_code(rule, call->api));
	} else {
		claw_failure_crash(call, rule_index);
	}
}

/* Of the slowest dimension that has several groups only the first ones. */
static bool cut(const struct claw_call *call, double percent, size_t *global)
{
	cl_uint dimensions = CLAW_ARG(call, clEnqueueNDRangeKernel, work_dim);
	const size_t *whole =
		CLAW_ARG(call, clEnqueueNDRangeKernel, global_work_size);
	const size_t *local =
		CLAW_ARG(call, clEnqueueNDRangeKernel, local_work_size);

	if (!whole || !dimensions || dimensions > 3)
		return false;
	memcpy(global, whole, dimensions * sizeof(*whole));
	for (cl_uint i = dimensions; i-- > 0;) {
		size_t unit = local && local[i] ? local[i] : 1;
		size_t groups = whole[i] / unit;

		if (groups < 2)
			continue;
		groups = (size_t)((double)groups * percent / 100);
		global[i] = (groups ? groups : 1) * unit;
		return true;
	}
	return false;
}

/*
 * What it writes is written before the failure is shown. A part that the
 * driver does not begin, for it waits for what the program has yet to do, is
 * not waited for for ever.
 */
static void await(cl_command_queue queue, cl_event event)
{
	cl_int status = CL_QUEUED;

	claw_next.clFlush(queue);
	for (unsigned int idle = 0; idle < MAX_IDLE_NAPS;) {
		if (claw_next.clGetEventInfo(event,
				CL_EVENT_COMMAND_EXECUTION_STATUS,
				sizeof(status), &status, NULL) ||
		    status <= CL_COMPLETE)
			return;
		idle += status != CL_RUNNING;
		claw_sleep_ns(NAP_NS);
	}
}

bool claw_failure_run_part(const struct claw_call *call,
			   unsigned int rule_index)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	uint32_t count;
	size_t global[3];
	void *const *list;
	cl_event event = NULL;
	cl_int err;

	if (!cut(call, claw_rules_get(rule_index)->number, global))
		return false;
	count = claw_arg_list(call, CLAW_P_WAIT_LIST, &list);
	claw_ours_begin();
	err = claw_next.clEnqueueNDRangeKernel(
		queue, claw_arg_pointer(call, CLAW_P_KERNEL),
		CLAW_ARG(call, clEnqueueNDRangeKernel, work_dim),
		CLAW_ARG(call, clEnqueueNDRangeKernel, global_work_offset),
		global, CLAW_ARG(call, clEnqueueNDRangeKernel, local_work_size),
		count, (const cl_event *)list, &event);
	if (!err) {
		await(queue, event);
		claw_next.clReleaseEvent(event);
	}
	claw_ours_end();
	return !err;
}
