/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches that take several times as long: the wait for one is made longer by
 * its own time, which is what the driver's profiling says, or else what the
 * wait itself has taken. A launch that nobody waits for was slow for nobody:
 * its rule has not fired.
 */
#include "config.h"

#include "throttle.h"

#include <pthread.h>
#include <stdatomic.h>

#include "stand_in.h"
#include "faults/call/rule_table.h"

enum { MAX_LAUNCHES = 256 };

static struct slow_launch {
	cl_event event;			/* a reference of ours; NULL: free */
	cl_command_queue queue;
	unsigned int rule;
	struct claw_journal_record record;	/* of its call */
} launches[MAX_LAUNCHES];
static _Atomic unsigned int slow_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void claw_throttle_reset(void)
{
	pthread_mutex_init(&lock, NULL);
	for (unsigned int i = 0; i < MAX_LAUNCHES; i++)
		launches[i].event = NULL;
	atomic_store(&slow_count, 0);
}

bool claw_throttle_is_on(void)
{
	return atomic_load_explicit(&slow_count, memory_order_relaxed);
}

void claw_throttle_launched(const struct claw_call *call, unsigned int rule,
			    const struct claw_journal_record *record)
{
	const cl_event *event = claw_arg_pointer(call, CLAW_P_EVENT_OUT);
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	struct slow_launch *place = NULL;

	claw_ours_begin();
	claw_next.clRetainEvent(*event);
	claw_ours_end();
	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < MAX_LAUNCHES && !place; i++)
		if (!launches[i].event)
			place = &launches[i];
	if (place) {
		*place = (struct slow_launch){ *event, queue, rule, *record };
		atomic_fetch_add(&slow_count, 1);
	}
	pthread_mutex_unlock(&lock);
	claw_watch_all();
	if (place)
		return;
	claw_ours_begin();
	claw_next.clReleaseEvent(*event);
	claw_ours_end();
}

static bool waits(const struct claw_call *call)
{
	return call->api != CLAW_API_clFlush && claw_device_is_blocking(call) &&
	       claw_api_table[call->api].groups &
	       (CLAW_G_SYNC | CLAW_G_TRANSFER);
}

void claw_throttle_before(struct claw_call *call)
{
	if (waits(call))
		call->throttle.start_ns = claw_now_ns();
}

/* Take a launch of this queue, from *at on; its event becomes the caller's. */
static bool take(cl_command_queue queue, unsigned int *at,
		 struct slow_launch *taken)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (; *at < MAX_LAUNCHES && !found; (*at)++) {
		struct slow_launch *launch = &launches[*at];

		if (!launch->event || launch->queue != queue)
			continue;
		*taken = *launch;
		launch->event = NULL;
		found = true;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

/* Nobody has taken the place meanwhile but another launch: then any. */
static void put_back(const struct slow_launch *launch)
{
	struct slow_launch *place = NULL;

	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < MAX_LAUNCHES && !place; i++)
		if (!launches[i].event)
			place = &launches[i];
	if (place)
		*place = *launch;
	else
		atomic_fetch_sub(&slow_count, 1);
	pthread_mutex_unlock(&lock);
	if (!place)
		claw_next.clReleaseEvent(launch->event);
}

static bool is_complete(cl_event event)
{
	cl_int status = CL_QUEUED;

	return !claw_next.clGetEventInfo(event,
					 CL_EVENT_COMMAND_EXECUTION_STATUS,
					 sizeof(status), &status, NULL) &&
	       status <= CL_COMPLETE;
}

/* By the driver's clock; 0: it does not say. */
static uint64_t own_time_ns(cl_event event)
{
	cl_ulong start = 0, end = 0;

	if (claw_next.clGetEventProfilingInfo(event,
			CL_PROFILING_COMMAND_START, sizeof(start), &start,
			NULL) ||
	    claw_next.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END,
			sizeof(end), &end, NULL) || end < start)
		return 0;
	return end - start;
}

/* What is left of the wait counts once, whoever it was for. */
static void wait_on(const struct slow_launch *launch, uint64_t *waited_ns)
{
	double factor = claw_rules_get(launch->rule)->number;
	uint64_t ns = own_time_ns(launch->event), extra_ns;

	if (!ns) {
		ns = *waited_ns;
		*waited_ns = 0;
	}
	extra_ns = (uint64_t)((double)ns * (factor - 1));
	claw_sleep_ns(extra_ns);
	claw_journal_rule_delayed(claw_journal_rule_at((int)launch->rule),
				  extra_ns);
}

void claw_throttle_after(const struct claw_call *call)
{
	uint64_t waited_ns;
	struct slow_launch launch;
	cl_command_queue queue;
	unsigned int at = 0;

	if (call->err || !call->throttle.start_ns)
		return;
	waited_ns = claw_now_ns() - call->throttle.start_ns;
	claw_ours_begin();
	queue = claw_device_queue_of(call);
	while (queue && take(queue, &at, &launch)) {
		if (!is_complete(launch.event)) {
			put_back(&launch);
			continue;
		}
		atomic_fetch_sub(&slow_count, 1);
		if (claw_rules_fire_late(launch.rule, &launch.record))
			wait_on(&launch, &waited_ns);
		claw_next.clReleaseEvent(launch.event);
	}
	claw_ours_end();
}
