/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call is about, whether a state reaches that, and which answer of the
 * state fits.
 */
#include "config.h"

#include "failure_private.h"

#include "stand_in.h"

/* Does the call wait for the faulting command, or one that came after it? */
static bool is_waiting(const struct claw_call *call)
{
	static const enum claw_role roles[] = {
		CLAW_P_EVENTS, CLAW_P_WAIT_LIST,
	};
	cl_event event = claw_arg_pointer(call, CLAW_P_EVENT);

	if (event && (claw_stand_in_is(event) ||
		      claw_device_is_hung_event(event)))
		return true;
	for (unsigned int i = 0; i < 2; i++) {
		void *const *list;
		uint32_t count = claw_arg_list(call, roles[i], &list);

		for (uint32_t j = 0; j < count; j++)
			if (claw_stand_in_is(list[j]) ||
			    claw_device_is_hung_event(list[j]))
				return true;
	}
	return false;
}

void claw_fail_subject_find(const struct claw_call *call,
			    struct claw_fail_subject *ret_subject)
{
	struct claw_fail_subject *subject = ret_subject;

	*subject = (struct claw_fail_subject){ .call = call };
	subject->device_count = claw_device_of_call(call, subject->devices,
						    CLAW_FAIL_DEVICES);
	claw_ours_begin();
	subject->queue = claw_device_queue_of(call);
	subject->context = claw_device_context_of(call);
	claw_ours_end();
	subject->context_since_ns = subject->context ?
		claw_fail_context_since_ns(subject->context) : 0;
	subject->waits = is_waiting(call);
	subject->now_ns = claw_now_ns();
}

bool claw_fail_has_device(const struct claw_fail_subject *subject,
			  cl_device_id device)
{
	for (unsigned int i = 0; i < subject->device_count; i++)
		if (subject->devices[i] == device)
			return true;
	return false;
}

bool claw_fail_reaches(const struct claw_fail_live *live,
		       const struct claw_fail_subject *subject)
{
	const struct claw_fail_state *state = claw_fail_state_of(live);

	if (subject->now_ns < live->since_ns ||
	    subject->now_ns >= live->until_ns)
		return false;
	if (state->by_context &&
	    (claw_api_makes_context(subject->call->api) ||
	     subject->context_since_ns > live->since_ns))
		return false;
	switch (state->reach) {
	case CLAW_FAIL_QUEUE:
		return subject->queue && subject->queue == live->queue;
	case CLAW_FAIL_CONTEXT:
		return subject->context && subject->context == live->context;
	case CLAW_FAIL_DEVICE:
		return claw_fail_has_device(subject, live->device) &&
		       (subject->device_count == 1 ||
			claw_device_needs_each(subject->call));
	default:
		return true;
	}
}

static bool holds(enum claw_fail_is wanted, bool is)
{
	return wanted == CLAW_FAIL_ANY || (wanted == CLAW_FAIL_YES) == is;
}

/* A condition about an object holds only where the call is about one. */
static bool holds_for(enum claw_fail_is wanted, const void *object,
		      const void *of_live)
{
	return wanted == CLAW_FAIL_ANY ||
	       (object && (wanted == CLAW_FAIL_YES) == (object == of_live));
}

/* Of the call's devices one alone says which it is about. */
static bool holds_for_device(enum claw_fail_is wanted,
			     const struct claw_fail_subject *subject,
			     cl_device_id device)
{
	return holds_for(wanted, subject->device_count == 1 ?
			 subject->devices[0] : NULL, device);
}

/* Of the questions about events only the one for the status is answered. */
static bool is_other_question(const struct claw_call *call)
{
	return call->api == CLAW_API_clGetEventInfo &&
	       CLAW_ARG(call, clGetEventInfo, param_name) !=
	       CL_EVENT_COMMAND_EXECUTION_STATUS;
}

const struct claw_fail_answer *
claw_fail_find_answer(const struct claw_fail_live *live,
		      const struct claw_fail_subject *subject)
{
	const struct claw_fail_rules *of = claw_fail_rules_of(live->model);
	const struct claw_call *call = subject->call;

	if (is_other_question(call))
		return NULL;
	for (unsigned int i = 0; i < of->answer_count; i++) {
		const struct claw_fail_answer *answer = &of->answers[i];

		if (answer->state == (int)live->state && !answer->has_says &&
		    claw_fail_targets(answer, call->api) &&
		    holds(answer->noticed, live->noticed) &&
		    holds(answer->blocking, claw_device_is_blocking(call)) &&
		    holds(answer->waits, subject->waits) &&
		    holds_for(answer->same_queue, subject->queue, live->queue) &&
		    holds_for(answer->same_context, subject->context,
			      live->context) &&
		    holds_for_device(answer->same_device, subject,
				     live->device))
			return answer;
	}
	return NULL;
}

cl_device_id claw_fail_device_of_rule(const struct claw_fail_subject *subject,
				      const struct claw_rule *rule)
{
	for (unsigned int i = 0; i < subject->device_count; i++)
		if (rule->device < 0 ||
		    claw_device_index(subject->devices[i]) == rule->device)
			return subject->devices[i];
	return subject->device_count ? subject->devices[0] : NULL;
}
