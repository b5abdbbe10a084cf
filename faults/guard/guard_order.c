/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What waits for a launch by its event also waits for the check behind it, so
 * that what it breaks itself is not taken for the former's. That adds nothing
 * but our own short command to what it waits for: the check waits for nothing
 * but its launch.
 */
#include "config.h"

#include "guard_private.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 256 };

/* The event of a launch, and the one of its check, which is ours: an event
 * that is kept may keep memory. */
struct pair {
	cl_event launch, check;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pair pairs[SLOTS];
static uint32_t used;

static struct pair *slot_of(cl_event launch)
{
	uint64_t mix = (uintptr_t)launch * UINT64_C(0x9e3779b97f4a7c15);

	return &pairs[mix >> 56];
}

/* The check's event of that slot, if it is of that launch; it is the caller's
 * then. */
static cl_event take(struct pair *slot, cl_event launch)
{
	cl_event check = NULL;

	pthread_mutex_lock(&lock);
	if (slot->check && (!launch || slot->launch == launch)) {
		check = slot->check;
		slot->check = slot->launch = NULL;
		__atomic_fetch_sub(&used, 1, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(&lock);
	return check;
}

static void put_in(cl_event launch, cl_event check)
{
	struct pair *slot = slot_of(launch);
	cl_event old = check;

	pthread_mutex_lock(&lock);
	if (!slot->check) {
		slot->launch = launch;
		slot->check = check;
		__atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
		old = NULL;
	}
	pthread_mutex_unlock(&lock);
	if (old)
		claw_next.clReleaseEvent(old);
}

void claw_guard_order_add(cl_event launch, cl_event check)
{
	cl_event old = take(slot_of(launch), NULL);

	if (old)
		claw_next.clReleaseEvent(old);
	put_in(launch, check);
}

void claw_guard_order_forget(cl_event launch)
{
	cl_event check;

	if (!__atomic_load_n(&used, __ATOMIC_RELAXED))
		return;
	check = take(slot_of(launch), launch);
	if (!check)
		return;
	claw_ours_begin();
	claw_next.clReleaseEvent(check);
	claw_ours_end();
}

/* Is there something to wait for still, that will not fail? */
static bool is_under_way(cl_event event)
{
	cl_int status = CL_COMPLETE;

	return !claw_next.clGetEventInfo(event,
					 CL_EVENT_COMMAND_EXECUTION_STATUS,
					 sizeof(status), &status, NULL) &&
	       status > CL_COMPLETE;
}

void claw_guard_order_prune(void)
{
	if (!__atomic_load_n(&used, __ATOMIC_RELAXED))
		return;
	claw_ours_begin();
	for (unsigned int i = 0; i < SLOTS; i++) {
		cl_event launch = __atomic_load_n(&pairs[i].launch,
						  __ATOMIC_RELAXED);
		cl_event check = launch ? take(&pairs[i], launch) : NULL;

		if (check && is_under_way(check))
			put_in(launch, check);
		else if (check)
			claw_next.clReleaseEvent(check);
	}
	claw_ours_end();
}

/* ---- wait lists */

/* In place of the program's, which is put back afterwards. */
struct claw_guard_wait {
	cl_uint *count;			/* the parameters */
	const cl_event **list;
	cl_uint old_count;
	const cl_event *old_list;
	bool is_behind;			/* among ours are checks */
	cl_event events[];		/* the program's, then ours */
};

/* Of one that waits for a launch whose check is under way: that check's event,
 * retained, or NULL. */
static cl_event check_of(cl_event launch)
{
	struct pair *slot = slot_of(launch);
	cl_event check = take(slot, launch);

	if (!check)
		return NULL;
	if (!is_under_way(check)) {
		claw_next.clReleaseEvent(check);
		return NULL;
	}
	if (claw_next.clRetainEvent(check)) {
		put_in(launch, check);
		return NULL;
	}
	put_in(launch, check);
	return check;
}

/* For a check of each, and one more. */
static struct claw_guard_wait *make_wait(cl_uint *count, const cl_event **list)
{
	struct claw_guard_wait *wait = malloc(sizeof(*wait) +
		(2 * (size_t)*count + 1) * sizeof(cl_event));

	if (!wait)
		return NULL;
	wait->count = count;
	wait->list = list;
	wait->old_count = *count;
	wait->old_list = *list;
	wait->is_behind = false;
	if (*count)
		memcpy(wait->events, *list, *count * sizeof(cl_event));
	return wait;
}

void claw_guard_order_lengthen(struct claw_call *call)
{
	int i = claw_api_find_param(call->api, CLAW_P_WAIT_LIST);
	struct claw_guard_wait *wait = NULL;
	const cl_event **list;
	cl_uint *count, more = 0;

	if (i < 1 || !__atomic_load_n(&used, __ATOMIC_RELAXED))
		return;
	count = (cl_uint *)call->args[i - 1];
	list = (const cl_event **)call->args[i];
	for (cl_uint j = 0; *list && j < *count; j++) {
		cl_event check = check_of((*list)[j]);

		if (check && !wait)
			wait = make_wait(count, list);
		if (check && wait)
			wait->events[*count + more++] = check;
		else if (check)
			claw_next.clReleaseEvent(check);
	}
	if (!wait)
		return;
	*list = wait->events;
	*count += more;
	wait->is_behind = true;
	call->guards.wait = wait;
}

bool claw_guard_order_is_behind(const struct claw_call *call)
{
	return call->guards.wait && call->guards.wait->is_behind;
}

/* A list that is not there with a count, or the other way, stays the driver's
 * to refuse. */
void claw_guard_order_wait_for(struct claw_call *call, cl_event event)
{
	int i = claw_api_find_param(call->api, CLAW_P_WAIT_LIST);
	struct claw_guard_wait *wait = call->guards.wait;
	const cl_event **list;
	cl_uint *count;

	if (i >= 1) {
		count = (cl_uint *)call->args[i - 1];
		list = (const cl_event **)call->args[i];
		if (!wait && !*count == !*list)
			wait = call->guards.wait = make_wait(count, list);
	}
	if (!wait) {
		claw_next.clReleaseEvent(event);
		return;
	}
	wait->events[(*wait->count)++] = event;
	*wait->list = wait->events;
}

void claw_guard_order_put_back(struct claw_call *call)
{
	struct claw_guard_wait *wait = call->guards.wait;

	if (!wait)
		return;
	for (cl_uint i = wait->old_count; i < *wait->count; i++)
		claw_next.clReleaseEvent(wait->events[i]);
	*wait->count = wait->old_count;
	*wait->list = wait->old_list;
	free(wait);
	call->guards.wait = NULL;
}

void claw_guard_order_begin(void)
{
	pthread_mutex_init(&lock, NULL);
	memset(pairs, 0, sizeof(pairs));
	used = 0;
}
