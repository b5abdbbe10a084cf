/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches that take several times as long: the time from the first of them
 * to the end of a wait for their queue is what the wait is made longer by.
 */
#include "config.h"

#include "throttle.h"

#include <pthread.h>
#include <stdatomic.h>

#include "stand_in.h"

enum { MAX_QUEUES = 64 };

static struct slow_queue {
	cl_command_queue queue;		/* NULL: free */
	uint64_t since_ns;
	unsigned int rule;
} queues[MAX_QUEUES];
static _Atomic unsigned int slow_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void claw_throttle_reset(void)
{
	pthread_mutex_init(&lock, NULL);
	for (unsigned int i = 0; i < MAX_QUEUES; i++)
		queues[i].queue = NULL;
	atomic_store(&slow_count, 0);
}

bool claw_throttle_is_on(void)
{
	return atomic_load_explicit(&slow_count, memory_order_relaxed);
}

void claw_throttle_launch(const struct claw_call *call, unsigned int rule)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	struct slow_queue *place = NULL;

	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < MAX_QUEUES; i++) {
		if (queues[i].queue == queue) {
			place = NULL;
			break;
		}
		if (!queues[i].queue && !place)
			place = &queues[i];
	}
	if (place) {
		*place = (struct slow_queue){ queue, claw_now_ns(), rule };
		atomic_fetch_add(&slow_count, 1);
	}
	pthread_mutex_unlock(&lock);
	claw_watch_all();
}

/* Take what is slow about this queue; since_ns 0: nothing. */
static struct slow_queue take(cl_command_queue queue)
{
	struct slow_queue taken = { .since_ns = 0 };

	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < MAX_QUEUES; i++)
		if (queue && queues[i].queue == queue) {
			taken = queues[i];
			queues[i].queue = NULL;
			atomic_fetch_sub(&slow_count, 1);
		}
	pthread_mutex_unlock(&lock);
	return taken;
}

void claw_throttle_after(const struct claw_call *call)
{
	struct slow_queue slow;
	const struct claw_rule *rule;
	uint64_t extra_ns;

	if (call->api == CLAW_API_clFlush || !claw_device_is_blocking(call) ||
	    !(claw_api_table[call->api].groups &
	      (CLAW_G_SYNC | CLAW_G_TRANSFER)))
		return;
	claw_ours_begin();
	slow = take(claw_device_queue_of(call));
	claw_ours_end();
	if (!slow.since_ns)
		return;
	rule = claw_rules_get(slow.rule);
	extra_ns = (uint64_t)((double)(claw_now_ns() - slow.since_ns) *
			      (rule->factor - 1));
	claw_sleep_ns(extra_ns);
	claw_journal_rule_delayed(claw_journal_rule_at((int)slow.rule),
				  extra_ns);
}
