/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state machine: what has failed in this process, how far that reaches,
 * and how a call that meets it is answered.
 */
#include "config.h"

#include "failure_private.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "stand_in.h"

enum { MAX_LIVE = 16, MAX_DEVICES = 16 };

/* A state that something is in. */
struct live {
	uint64_t serial;	/* 0: none yet */
	unsigned int model;	/* whose rules */
	unsigned int shown;	/* which device the program is told of */
	unsigned int state, rule;
	cl_int error;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	uint64_t since_ns, until_ns;
	bool noticed;
};

/* As they are at one moment: a place may be used again. */
struct lives {
	struct live live[MAX_LIVE];
	unsigned int count;
};

/* What a call is about, found out once. */
struct subject {
	const struct claw_call *call;
	cl_command_queue queue;
	cl_context context;
	cl_device_id devices[MAX_DEVICES];
	unsigned int device_count;
	uint64_t context_since_ns, now_ns;
	bool waits;		/* for a command that did not run */
};

static struct live lives[MAX_LIVE];
static _Atomic unsigned int live_count;
static uint64_t last_serial;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void claw_failure_reset(void)
{
	pthread_mutex_init(&lock, NULL);
	atomic_store(&live_count, 0);
	claw_fail_contexts_reset();
	claw_stand_in_reset();
}

bool claw_failure_is_on(void)
{
	return claw_fail_has_lines() ||
	       atomic_load_explicit(&live_count, memory_order_relaxed);
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
	for (unsigned int m = 0; m < CLAW_MODELS_MAX; m++) {
		const struct claw_fail_rules *of = claw_fail_rules_of(m);

		for (unsigned int i = 0; i < of->answer_count; i++)
			if (of->answers[i].state == CLAW_FAIL_HEALTHY &&
			    claw_fail_targets(&of->answers[i], api))
				return true;
	}
	return false;
}

/* --------------------------------------------------------- what is whose */

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

static void find_subject(const struct claw_call *call, struct subject *subject)
{
	*subject = (struct subject){ .call = call };
	subject->device_count = claw_device_of_call(call, subject->devices,
						    MAX_DEVICES);
	claw_ours_begin();
	subject->queue = claw_device_queue_of(call);
	subject->context = claw_device_context_of(call);
	claw_ours_end();
	subject->context_since_ns = subject->context ?
		claw_fail_context_since_ns(subject->context) : 0;
	subject->waits = is_waiting(call);
	subject->now_ns = claw_now_ns();
}

static bool has_device(const struct subject *subject, cl_device_id device)
{
	for (unsigned int i = 0; i < subject->device_count; i++)
		if (subject->devices[i] == device)
			return true;
	return false;
}

static bool reaches(const struct live *live,
		    const struct claw_fail_state *state,
		    const struct subject *subject)
{
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
		return has_device(subject, live->device);
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

/* Of the questions about events only the one for the status is answered. */
static bool is_other_question(const struct claw_call *call)
{
	return call->api == CLAW_API_clGetEventInfo &&
	       *(const cl_event_info *)call->args[1] !=
	       CL_EVENT_COMMAND_EXECUTION_STATUS;
}

static const struct claw_fail_answer *
find_answer(const struct live *live, const struct subject *subject)
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
			      live->context))
			return answer;
	}
	return NULL;
}

/* ---------------------------------------------------------------- begin */

/* Under the lock: does nothing that the program still has reach it? Objects of
 * its context may, so such a place is taken when there is no other. */
static bool is_over(const struct live *live, bool with_context)
{
	const struct claw_fail_state *state =
		&claw_fail_rules_of(live->model)->states[live->state];

	if (!with_context)
		return live->until_ns <= claw_now_ns();
	return (state->reach == CLAW_FAIL_QUEUE ||
		state->reach == CLAW_FAIL_CONTEXT) &&
	       claw_fail_context_is_gone(live->context, live->since_ns);
}

/* Under the lock: a place for a state, or NULL. */
static struct live *place_of_new(void)
{
	if (live_count < MAX_LIVE)
		return &lives[live_count];
	for (unsigned int pass = 0; pass < 2; pass++)
		for (unsigned int i = 0; i < MAX_LIVE; i++)
			if (is_over(&lives[i], pass == 1))
				return &lives[i];
	return NULL;
}

static void add_live(const struct live *live)
{
	static bool said;
	struct live *place;

	pthread_mutex_lock(&lock);
	place = place_of_new();
	if (place) {
		*place = *live;
		place->serial = ++last_serial;
		if (place == &lives[live_count])
			atomic_fetch_add(&live_count, 1);
	} else {
		claw_journal_add_damaged();
		if (!said)
			claw_say("more failures than it can follow; the rest "
				 "are left alone");
		said = true;
	}
	pthread_mutex_unlock(&lock);
	claw_watch_all();
}

static void copy_lives(struct lives *copy)
{
	copy->count = 0;
	if (!live_count)
		return;
	pthread_mutex_lock(&lock);
	copy->count = live_count;
	memcpy(copy->live, lives, copy->count * sizeof(*lives));
	pthread_mutex_unlock(&lock);
}

unsigned int claw_fail_model_of(const struct claw_call *call)
{
	return claw_models_are_on() ? claw_model_of_call(call) : 0;
}

/* Of the devices that the call is about, the one that the rule names. */
static cl_device_id device_of_rule(const struct subject *subject,
				   const struct claw_rule *rule)
{
	for (unsigned int i = 0; i < subject->device_count; i++)
		if (rule->device < 0 ||
		    claw_device_index(subject->devices[i]) == rule->device)
			return subject->devices[i];
	return subject->device_count ? subject->devices[0] : NULL;
}

bool claw_failure_begin(const struct claw_call *call, unsigned int rule_index,
			uint64_t start_ns)
{
	const struct claw_rule *rule = claw_rules_get(rule_index);
	const struct claw_fail_trigger *trigger;
	const struct claw_fail_state *state;
	unsigned int shown, model;
	struct subject subject;
	cl_device_id device;
	uint64_t cure_ns;

	/* Without models there is nothing to ask the driver about. */
	if (!claw_models_are_on() && !claw_fail_trigger_find(0, rule, &model))
		return false;
	find_subject(call, &subject);
	device = device_of_rule(&subject, rule);
	shown = claw_models_are_on() && device ? claw_model_of_device(device) :
		0;
	trigger = claw_fail_trigger_find(shown, rule, &model);
	if (!trigger)
		return false;
	state = &claw_fail_rules_of(model)->states[trigger->state];
	cure_ns = rule->recover_ns ? rule->recover_ns : state->cure_ns;
	add_live(&(struct live){
		.model = model, .shown = shown, .state = trigger->state,
		.rule = rule_index, .error = trigger->error,
		.device = device,
		.context = subject.context, .queue = subject.queue,
		.since_ns = start_ns,
		.until_ns = cure_ns ? start_ns + cure_ns : UINT64_MAX,
	});
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
static void notice(const struct live *live,
		   const struct claw_fail_state *state, enum claw_api api)
{
	bool first = false;

	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < live_count; i++)
		if (lives[i].serial == live->serial) {
			first = !lives[i].noticed;
			lives[i].noticed = true;
		}
	pthread_mutex_unlock(&lock);
	if (first && *state->notice)
		claw_fail_tell(live->context, state->notice, live->error, api,
			       live->shown);
}

/* A call that waits does so, where the driver's own commands end. */
static void wait_as_asked(const struct subject *subject,
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

static void give_code(struct subject *subject, const struct live *live,
		      const struct claw_fail_answer *answer, cl_int code)
{
	struct claw_call *call = (struct claw_call *)subject->call;
	const struct claw_fail_state *state =
		&claw_fail_rules_of(live->model)->states[live->state];

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
static bool carry_out(struct subject *subject, const struct live *live,
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
		notice(live, &claw_fail_rules_of(live->model)->
		       states[live->state], call->api);
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
static bool is_answered(enum claw_api api, const struct lives *now)
{
	for (unsigned int l = 0; l < now->count; l++) {
		const struct live *live = &now->live[l];
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
	struct subject subject;
	struct lives now;

	copy_lives(&now);
	if (!is_answered(call->api, &now))
		return false;
	find_subject(call, &subject);
	for (unsigned int i = 0; i < now.count; i++) {
		const struct live *live = &now.live[i];
		const struct claw_fail_answer *answer;

		if (!reaches(live, &claw_fail_rules_of(live->model)->
			     states[live->state], &subject))
			continue;
		answer = find_answer(live, &subject);
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
	struct subject subject;
	struct lives now;
	bool hides = false;

	copy_lives(&now);
	if (!now.count)
		return false;
	find_subject(call, &subject);
	for (unsigned int i = 0; i < now.count && !hides; i++) {
		const struct live *live = &now.live[i];
		const struct claw_fail_state *state = &claw_fail_rules_of(
			live->model)->states[live->state];

		hides = !state->available &&
			subject.now_ns >= live->since_ns &&
			subject.now_ns < live->until_ns &&
			has_device(&subject, live->device);
	}
	return hides;
}

/* ---------------------------------------------------------------- after */

/* What a release was about is gone: nothing is asked of it. */
static bool mend_for_state(struct claw_call *call)
{
	struct lives now;

	if (claw_api_table[call->api].effect == CLAW_RELEASES)
		return false;
	copy_lives(&now);
	for (unsigned int i = 0; i < now.count; i++) {
		const struct live *live = &now.live[i];
		const struct claw_fail_answer *answer =
			claw_fail_find_said(live->model, (int)live->state, call);
		struct subject subject;

		if (!answer)
			continue;
		find_subject(call, &subject);
		if (!reaches(live, &claw_fail_rules_of(live->model)->
			     states[live->state], &subject))
			continue;
		claw_fail_mend(call, answer, live->error, live->shown);
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
		claw_fail_context_counted(*(const cl_context *)call->args[0],
					  1);
	else if (info->effect == CLAW_RELEASES)
		claw_fail_context_counted(*(const cl_context *)call->args[0],
					  -1);
}

void claw_failure_after(struct claw_call *call)
{
	const struct claw_fail_answer *answer;
	unsigned int model;

	follow_context(call);
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
