/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands that wait for a user event. A device may have the queues of such
 * commands in a state once the program has ended the event with an error (the
 * trigger "user-event").
 */
#include "config.h"

#include "failure_private.h"

#include <pthread.h>

#include "stand_in.h"

enum { MAX_GATED = 512 };

/* root: the user event; made: the command's event, or NULL. */
static struct gated {
	cl_event root, made;
	struct claw_fail_live about;
} gated[MAX_GATED];
static unsigned int gated_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void claw_fail_gates_reset(void)
{
	pthread_mutex_init(&lock, NULL);
	gated_count = 0;
}

static bool is_wanted(void)
{
	for (unsigned int m = 0; m < CLAW_MODELS_MAX; m++)
		if (claw_fail_trigger_on(m, CLAW_FAIL_ON_USER_EVENT))
			return true;
	return false;
}

bool claw_fail_gates_interest(enum claw_api api)
{
	return (api == CLAW_API_clCreateUserEvent ||
		api == CLAW_API_clSetUserEventStatus ||
		claw_api_table[api].groups & CLAW_G_ENQUEUE) && is_wanted();
}

static bool is_user_event(cl_event event)
{
	cl_command_type type = 0;
	bool is;

	claw_ours_begin();
	is = !claw_next.clGetEventInfo(event, CL_EVENT_COMMAND_TYPE,
				       sizeof(type), &type, NULL) &&
	     type == CL_COMMAND_USER;
	claw_ours_end();
	return is;
}

/* Under the lock: the user event that the event waits for, or NULL. */
static cl_event root_of(cl_event event)
{
	for (unsigned int i = 0; i < gated_count; i++)
		if (gated[i].made == event)
			return gated[i].root;
	return NULL;
}

/* Under the lock: nothing that the driver has just made is an older one. */
static void forget_made(cl_event event)
{
	for (unsigned int i = 0; event && i < gated_count; i++)
		if (gated[i].made == event)
			gated[i].made = NULL;
}

/* Under the lock. */
static void add(cl_event root, cl_event made,
		const struct claw_fail_live *about)
{
	static bool said;

	if (gated_count < MAX_GATED)
		gated[gated_count++] = (struct gated){ root, made, *about };
	else if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		claw_say("more commands behind user events than it can follow; "
			 "the rest are left alone");
}

static void follow_enqueue(const struct claw_call *call)
{
	cl_event *event_out = claw_arg_pointer(call, CLAW_P_EVENT_OUT);
	cl_event made = event_out ? *event_out : NULL, root = NULL;
	void *const *list;
	uint32_t count = claw_arg_list(call, CLAW_P_WAIT_LIST, &list);
	struct claw_fail_subject subject;
	struct claw_fail_live about = { .rule = CLAW_NO_RULE };

	pthread_mutex_lock(&lock);
	forget_made(made);
	for (uint32_t i = 0; i < count && !root; i++)
		root = root_of(list[i]);
	pthread_mutex_unlock(&lock);
	for (uint32_t i = 0; i < count && !root; i++)
		if (!claw_device_is_hung_event(list[i]) &&
		    is_user_event(list[i]))
			root = list[i];
	if (!root)
		return;
	claw_fail_subject_find(call, &subject);
	about.model = about.shown = claw_fail_model_of(call);
	about.device = subject.device_count ? subject.devices[0] : NULL;
	about.context = subject.context;
	about.queue = subject.queue;
	pthread_mutex_lock(&lock);
	add(root, made, &about);
	pthread_mutex_unlock(&lock);
}

/* Take one of the event's out of the table. */
static bool take(cl_event root, struct gated *ret_gated)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < gated_count && !found; i++) {
		if (gated[i].root != root)
			continue;
		found = true;
		*ret_gated = gated[i];
		gated[i] = gated[--gated_count];
	}
	pthread_mutex_unlock(&lock);
	return found;
}

/* Several commands of a queue fail as one. */
static bool is_known(const struct claw_fail_live *about,
		     const struct claw_fail_trigger *trigger)
{
	struct claw_fail_lives now;

	claw_fail_lives_copy(&now);
	for (unsigned int i = 0; i < now.count; i++)
		if (now.live[i].queue == about->queue &&
		    now.live[i].model == about->model &&
		    now.live[i].state == trigger->state &&
		    now.live[i].until_ns == UINT64_MAX)
			return true;
	return false;
}

static void end_gate(cl_event root, bool has_failed)
{
	struct gated one;

	while (take(root, &one)) {
		const struct claw_fail_trigger *trigger = has_failed ?
			claw_fail_trigger_on(one.about.model,
					     CLAW_FAIL_ON_USER_EVENT) : NULL;

		if (trigger && !is_known(&one.about, trigger))
			claw_fail_start(&one.about, trigger, claw_now_ns());
	}
}

void claw_fail_gates_follow(const struct claw_call *call)
{
	if (call->err || !claw_fail_gates_interest(call->api))
		return;
	if (call->api == CLAW_API_clCreateUserEvent)
		end_gate(call->ret, false);
	else if (call->api == CLAW_API_clSetUserEventStatus)
		end_gate(CLAW_ARG(call, clSetUserEventStatus, event),
			 CLAW_ARG(call, clSetUserEventStatus,
				  execution_status) < 0);
	else
		follow_enqueue(call);
}
