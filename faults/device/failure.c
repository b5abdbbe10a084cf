/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state machine: what has failed in this process, how far that reaches,
 * and how a call that meets it is answered.
 */
#include "config.h"

#include "failure_private.h"
#include "faults/call/rule_table.h"

#include "stand_in.h"

void claw_fail_start(const struct claw_fail_live *about,
		     const struct claw_fail_trigger *trigger,
		     uint64_t start_ns)
{
	struct claw_fail_live live = *about;
	const struct claw_fail_state *state =
		&claw_fail_rules_of(live.model)->states[trigger->state];
	uint64_t cure_ns = live.rule != CLAW_NO_RULE &&
		claw_rules_get(live.rule)->recover_ns ?
		claw_rules_get(live.rule)->recover_ns : state->cure_ns;

	live.state = trigger->state;
	live.error = trigger->error;
	live.since_ns = start_ns;
	live.until_ns = cure_ns ? start_ns + cure_ns : UINT64_MAX;
	claw_fail_live_add(&live);
}

/* The first model that has something follow a fork: a process has one state
 * of that. */
static void begin_forked(void)
{
	for (unsigned int m = 0; claw_fail_has_lines() && m < CLAW_MODELS_MAX;
	     m++) {
		const struct claw_fail_trigger *trigger =
			claw_fail_trigger_on(m, CLAW_FAIL_ON_FORK);

		if (!trigger)
			continue;
		claw_fail_start(&(struct claw_fail_live){
			.model = m, .shown = m, .rule = CLAW_NO_RULE,
		}, trigger, claw_now_ns());
		return;
	}
}

void claw_failure_reset(void)
{
	claw_fail_lives_reset();
	claw_fail_contexts_reset();
	claw_fail_gates_reset();
	claw_stand_in_reset();
	begin_forked();
}

bool claw_failure_is_on(void)
{
	return claw_fail_has_lines() || claw_fail_is_any_live();
}

bool claw_fail_targets(const struct claw_fail_answer *answer, enum claw_api api)
{
	return answer->targets[api / 64] >> (api % 64) & 1;
}

bool claw_failure_interest(enum claw_api api)
{
	if (!claw_fail_has_lines())
		return false;
	if (claw_api_table[api].object == CLAW_OBJ_CONTEXT &&
	    claw_api_table[api].effect != CLAW_NOTHING)
		return true;
	if (claw_fail_gates_interest(api))
		return true;
	for (unsigned int m = 0; m < CLAW_MODELS_MAX; m++) {
		const struct claw_fail_rules *of = claw_fail_rules_of(m);

		for (unsigned int i = 0; i < of->answer_count; i++)
			if (of->answers[i].state == CLAW_FAIL_HEALTHY &&
			    claw_fail_targets(&of->answers[i], api))
				return true;
	}
	return false;
}

unsigned int claw_fail_model_of(const struct claw_call *call)
{
	return claw_models_are_on() ? claw_model_of_call(call) : 0;
}

bool claw_failure_begin(const struct claw_call *call, unsigned int rule_index,
			uint64_t start_ns)
{
	const struct claw_rule *rule = claw_rules_get(rule_index);
	const struct claw_fail_trigger *trigger;
	unsigned int shown, model;
	struct claw_fail_subject subject;
	cl_device_id device;

	/* Without models there is nothing to ask the driver about. */
	if (!claw_models_are_on() && !claw_fail_trigger_find(0, rule, &model))
		return false;
	claw_fail_subject_find(call, &subject);
	device = claw_fail_device_of_rule(&subject, rule);
	shown = claw_models_are_on() && device ? claw_model_of_device(device) :
		0;
	trigger = claw_fail_trigger_find(shown, rule, &model);
	if (!trigger)
		return false;
	claw_fail_start(&(struct claw_fail_live){
		.model = model, .shown = shown, .rule = rule_index,
		.device = device,
		.context = subject.context, .queue = subject.queue,
	}, trigger, start_ns);
	return true;
}

uint64_t claw_failure_watchdog_ns(const struct claw_call *call,
				  unsigned int rule_index)
{
	unsigned int model;
	const struct claw_fail_trigger *trigger = claw_fail_trigger_find(
		claw_fail_model_of(call), claw_rules_get(rule_index), &model);

	return trigger && trigger->after_ns ? claw_now_ns() + trigger->after_ns :
		UINT64_MAX;
}

/* --------------------------------------------------------------- answer */

/* Once in a state: the context of what failed hears of it. */
static void notice(const struct claw_fail_live *live, enum claw_api api)
{
	const struct claw_fail_state *state = claw_fail_state_of(live);

	if (claw_fail_live_notice(live) && *state->notice)
		claw_fail_tell(live->context, state->notice, live->error, api,
			       live->shown);
}

/* A call that waits does so, where the driver's own commands end. */
static void wait_as_asked(const struct claw_fail_subject *subject,
			  const struct claw_fail_state *state)
{
	const struct claw_call *call = subject->call;
	void *const *list;
	uint32_t count;

	if (state->event || !claw_device_is_blocking(call))
		return;
	claw_ours_begin();
	count = claw_arg_list(call, CLAW_P_EVENTS, &list);
	if (count)
		claw_next.clWaitForEvents(count, (const cl_event *)list);
	else if (claw_arg_pointer(call, CLAW_P_QUEUE) &&
		 call->api != CLAW_API_clFlush &&
		 !claw_device_is_out_of_order(subject->queue))
		claw_next.clFinish(subject->queue);
	claw_ours_end();
}

static void give_code(struct claw_fail_subject *subject,
		      const struct claw_fail_live *live,
		      const struct claw_fail_answer *answer, cl_int code)
{
	struct claw_call *call = (struct claw_call *)subject->call;
	const struct claw_fail_state *state = claw_fail_state_of(live);

	if (!code && claw_api_table[call->api].groups & CLAW_G_ENQUEUE &&
	    claw_api_table[call->api].fails_as == CLAW_STATUS) {
		claw_stand_in_take(call);
		return;
	}
	wait_as_asked(subject, state);
	if (answer->has_status)
		claw_device_answer(call, 2, &answer->status,
				   sizeof(answer->status));
	claw_fail(call, call->err ? call->err : code);
}

/* Returns whether the call is answered: else the driver does it. */
static bool carry_out(struct claw_fail_subject *subject,
		      const struct claw_fail_live *live,
		      const struct claw_fail_answer *answer, bool writes)
{
	struct claw_call *call = (struct claw_call *)subject->call;
	cl_int code = answer->code_is_error || !answer->has_code ? live->error :
		answer->code;

	if (answer->has_code)
		give_code(subject, live, answer, code);
	if (*answer->tell)
		claw_fail_tell(subject->context, answer->tell, code, call->api,
			       live->shown);
	if (answer->notices)
		notice(live, call->api);
	if (!answer->has_code)
		return false;
	if (writes) {
		claw_device_consequence(call, live->rule);
		claw_write_event(call, 0);
	}
	return true;
}

/* Is there an answer for the function at all? Else nothing is asked of the
 * call's handles, which may be dead ones. */
static bool is_answered(enum claw_api api, const struct claw_fail_lives *now)
{
	for (unsigned int l = 0; l < now->count; l++) {
		const struct claw_fail_live *live = &now->live[l];
		const struct claw_fail_rules *of =
			claw_fail_rules_of(live->model);

		for (unsigned int i = 0; i < of->answer_count; i++)
			if (of->answers[i].state == (int)live->state &&
			    !of->answers[i].has_says &&
			    claw_fail_targets(&of->answers[i], api))
				return true;
	}
	return false;
}

static bool check(struct claw_call *call, bool writes)
{
	struct claw_fail_subject subject;
	struct claw_fail_lives now;

	claw_fail_lives_copy(&now);
	if (now.count)
		claw_fail_keep_value(call);
	if (!is_answered(call->api, &now))
		return false;
	claw_fail_subject_find(call, &subject);
	for (unsigned int i = 0; i < now.count; i++) {
		const struct claw_fail_live *live = &now.live[i];
		const struct claw_fail_answer *answer;

		if (!claw_fail_reaches(live, &subject))
			continue;
		answer = claw_fail_find_answer(live, &subject);
		if (answer)
			return carry_out(&subject, live, answer, writes);
	}
	return false;
}

bool claw_failure_check(struct claw_call *call)
{
	return check(call, true);
}

bool claw_failure_answer(struct claw_call *call)
{
	return check(call, false);
}

bool claw_failure_hides_device(const struct claw_call *call)
{
	struct claw_fail_subject subject;
	struct claw_fail_lives now;
	bool hides = false;

	claw_fail_lives_copy(&now);
	if (!now.count)
		return false;
	claw_fail_subject_find(call, &subject);
	for (unsigned int i = 0; i < now.count && !hides; i++) {
		const struct claw_fail_live *live = &now.live[i];
		const struct claw_fail_state *state = claw_fail_state_of(live);

		hides = !state->available &&
			subject.now_ns >= live->since_ns &&
			subject.now_ns < live->until_ns &&
			claw_fail_has_device(&subject, live->device);
	}
	return hides;
}

/* ---------------------------------------------------------------- after */

/* What a release was about is gone: nothing is asked of it. */
static bool mend_for_state(struct claw_call *call)
{
	struct claw_fail_lives now;

	if (claw_api_table[call->api].effect == CLAW_RELEASES)
		return false;
	claw_fail_lives_copy(&now);
	for (unsigned int i = 0; i < now.count; i++) {
		const struct claw_fail_live *live = &now.live[i];
		const struct claw_fail_answer *answer =
			claw_fail_find_said(live->model, (int)live->state, call);
		struct claw_fail_subject subject;

		if (!answer)
			continue;
		claw_fail_subject_find(call, &subject);
		if (!claw_fail_reaches(live, &subject))
			continue;
		claw_fail_mend(call, answer, live->error, live->shown);
		if (answer->notices)
			notice(live, call->api);
		claw_device_consequence(call, live->rule);
		return true;
	}
	return false;
}

static void follow_context(const struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	if (info->object != CLAW_OBJ_CONTEXT || call->err)
		return;
	if (info->effect == CLAW_CREATES && call->ret)
		claw_fail_context_made(call);
	else if (info->effect == CLAW_RETAINS)
		claw_fail_context_counted(
			CLAW_ARG(call, clRetainContext, context), 1);
	else if (info->effect == CLAW_RELEASES)
		claw_fail_context_counted(
			CLAW_ARG(call, clReleaseContext, context), -1);
}

void claw_failure_after(struct claw_call *call)
{
	const struct claw_fail_answer *answer;
	unsigned int model;

	follow_context(call);
	claw_fail_gates_follow(call);
	if (call->api == CLAW_API_clGetEventInfo)
		claw_stand_in_patch(call);
	if (mend_for_state(call) || !claw_failure_interest(call->api))
		return;
	/* What has been released may be no more. */
	if (claw_api_table[call->api].effect == CLAW_RELEASES && !call->err)
		return;
	model = claw_fail_model_of(call);
	answer = claw_fail_find_said(model, CLAW_FAIL_HEALTHY, call);
	if (answer)
		claw_fail_mend(call, answer, call->err, model);
}
