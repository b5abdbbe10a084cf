/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands that do not complete, and whatever waits for them: in the call, in
 * their queue, or by its wait list.
 */
#include "config.h"

#include "faults/call/guest.h"

#include <pthread.h>
#include <stdatomic.h>

#include "device_private.h"
#include "failure.h"
#include "faults/call/rule_table.h"
#include "stand_in.h"

enum { MAX_HUNG_QUEUES = 256 };

struct hung_queue {
	cl_command_queue queue;
	struct claw_hang hang;
	bool out_of_order;
};

static struct {
	pthread_mutex_t lock;
	struct hung_queue items[MAX_HUNG_QUEUES];
	_Atomic unsigned int count;
} hung_queues = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool claw_hung_queues_are_any(void)
{
	return hung_queues.count;
}

bool claw_device_is_blocking(const struct claw_call *call)
{
	const cl_bool *blocking = claw_arg_address(call, CLAW_P_BLOCKING);

	if (blocking)
		return *blocking;
	return !(claw_api_table[call->api].groups & CLAW_G_ENQUEUE);
}

/* Stay in the call until the watchdog strikes. */
static void block(struct claw_call *call, uint64_t until_ns)
{
	call->flags |= CLAW_REC_BLOCKS;
	claw_write_event(call, 0);
	for (;;) {
		uint64_t now = claw_now_ns();

		if (now >= until_ns)
			break;
		uint64_t left = until_ns - now;
		claw_sleep_ns(left < 1000000000 ? left : 1000000000);
	}
	claw_hung_events_end_overdue();
	call->flags &= (uint16_t)~CLAW_REC_BLOCKS;
}

/* What has hung in the call is over, and no rule of a model answers it. */
static void fail_blocked(struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	claw_fail(call, claw_api_allows(call->api, CL_OUT_OF_RESOURCES) ||
		  !info->code_count ? CL_OUT_OF_RESOURCES : info->codes[0]);
}

/* Take an enqueue in without giving it to the driver. */
static void swallow(struct claw_call *call, const struct claw_hang *hang)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	cl_int err = claw_hung_event_make(call, queue, hang);
	cl_int *errcode = claw_arg_pointer(call, CLAW_P_ERRCODE);

	call->injected = true;
	call->err = err;
	call->ret = NULL;
	if (errcode)
		*errcode = err;
	call->flags |= CLAW_REC_INJECTED | CLAW_REC_SWALLOWED;
}

void claw_device_swallow(struct claw_call *call, unsigned int rule,
			 uint64_t until_ns, cl_int code)
{
	swallow(call, &(struct claw_hang){ rule, until_ns, until_ns, code,
					   false });
	claw_watch_all();
	claw_hung_events_end_overdue();
}

/* Under the lock: the entry of this queue, or one that is not needed any
 * more, or NULL. */
static struct hung_queue *place_of_queue(cl_command_queue queue)
{
	struct hung_queue *spare = NULL;
	uint64_t now = claw_now_ns();

	for (unsigned int i = 0; i < hung_queues.count; i++) {
		if (hung_queues.items[i].queue == queue)
			return &hung_queues.items[i];
		if (!hung_queues.items[i].queue ||
		    now >= hung_queues.items[i].hang.until_ns)
			spare = &hung_queues.items[i];
	}
	if (!spare && hung_queues.count < MAX_HUNG_QUEUES)
		spare = &hung_queues.items[hung_queues.count];
	return spare;
}

/* A command in the queue does not complete before then. all: nor does any
 * that comes after it. */
static void hang_queue(cl_command_queue queue, const struct claw_hang *hang,
		       bool all)
{
	static bool said;
	struct hung_queue *hung;

	pthread_mutex_lock(&hung_queues.lock);
	hung = place_of_queue(queue);
	if (hung && hung->queue == queue &&
	    claw_now_ns() < hung->hang.until_ns) {
		hung->out_of_order = hung->out_of_order && !all;
		if (hang->until_ns > hung->hang.until_ns)
			hung->hang.until_ns = hang->until_ns;
	} else if (hung) {
		*hung = (struct hung_queue){ queue, *hang, !all };
		if (hung == &hung_queues.items[hung_queues.count])
			atomic_fetch_add(&hung_queues.count, 1);
	} else {
		claw_say_full(&said, "queues that hang");
	}
	pthread_mutex_unlock(&hung_queues.lock);
}

static bool find_hung_queue(cl_command_queue queue, struct hung_queue *ret_hung)
{
	bool found = false;

	if (!queue || !hung_queues.count)
		return false;
	pthread_mutex_lock(&hung_queues.lock);
	for (unsigned int i = 0; i < hung_queues.count && !found; i++) {
		found = hung_queues.items[i].queue == queue &&
			claw_now_ns() < hung_queues.items[i].hang.until_ns;
		if (found)
			*ret_hung = hung_queues.items[i];
	}
	pthread_mutex_unlock(&hung_queues.lock);
	return found;
}

/* A map that hangs without blocking would have to give a pointer. */
static bool hangs_in_call(const struct claw_call *call)
{
	return claw_device_is_blocking(call) ||
	       !claw_arg_pointer(call, CLAW_P_QUEUE) ||
	       claw_api_table[call->api].fails_as != CLAW_STATUS;
}

/* Does everything that comes later wait for this command? */
static bool holds_up(const struct claw_call *call, cl_command_queue queue)
{
	return call->api == CLAW_API_clEnqueueBarrier ||
	       call->api == CLAW_API_clEnqueueBarrierWithWaitList ||
	       call->api == CLAW_API_clEnqueueWaitForEvents ||
	       !claw_device_is_out_of_order(queue);
}

void claw_device_hang(struct claw_call *call, unsigned int rule_index)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	struct claw_hang hang = {
		rule_index, claw_now_ns(),
		claw_deadline_ns(claw_rules_get(rule_index)->time_ns),
		claw_failure_event_code(call, rule_index), false,
	};

	if (hang.until_ns == UINT64_MAX)
		hang.until_ns = claw_failure_watchdog_ns(call, rule_index);
	if (hang.until_ns != UINT64_MAX)
		hang.is_followed = claw_failure_begin(call, rule_index,
						      hang.until_ns);
	if (hangs_in_call(call)) {
		block(call, hang.until_ns);
		if (!claw_failure_answer(call))
			fail_blocked(call);
		return;
	}
	hang_queue(queue, &hang, holds_up(call, queue));
	claw_watch_all();
	swallow(call, &hang);
}

/* The first event in the list that will not complete, or NULL. */
static struct claw_hung_event *hung_in_list(const struct claw_call *call,
				       enum claw_role role)
{
	void *const *list;
	uint32_t count = claw_arg_list(call, role, &list);

	for (uint32_t i = 0; i < count; i++) {
		struct claw_hung_event *hung = claw_hung_event_find(list[i]);

		if (hung && !hung->ended)
			return hung;
	}
	return NULL;
}

/* Does this command have to wait for the one that hangs in its queue? */
static bool waits_for_queue(const struct claw_call *call,
			    const struct hung_queue *hung)
{
	if (call->api == CLAW_API_clFlush)
		return false;
	if (!hung->out_of_order || call->api == CLAW_API_clFinish)
		return true;
	return claw_api_table[call->api].groups & CLAW_G_SYNC &&
	       !claw_arg_pointer(call, CLAW_P_WAIT_LIST);
}

/* What this call has to wait for. */
static bool find_hang(const struct claw_call *call, struct claw_hang *ret_hang)
{
	struct claw_hung_event *event;
	struct hung_queue hung;

	if (find_hung_queue(claw_arg_pointer(call, CLAW_P_QUEUE), &hung) &&
	    waits_for_queue(call, &hung)) {
		*ret_hang = hung.hang;
		return true;
	}
	event = hung_in_list(call, CLAW_P_WAIT_LIST);
	if (!event)
		event = hung_in_list(call, CLAW_P_EVENTS);
	if (!event)
		return false;
	*ret_hang = event->hang;
	return true;
}

/* The first event in the wait list that has failed, or NULL. */
static struct claw_hung_event *failed_in_list(const struct claw_call *call)
{
	void *const *list;
	uint32_t count = claw_arg_list(call, CLAW_P_WAIT_LIST, &list);

	for (uint32_t i = 0; i < count; i++) {
		struct claw_hung_event *hung = claw_hung_event_find(list[i]);

		if (hung && hung->ended && hung->hang.code < 0)
			return hung;
	}
	return NULL;
}

/*
 * A command that depends on one that has failed fails, too. Drivers do not
 * agree about it (pocl 3.1 hangs for ever), so the guest answers.
 */
static bool check_failed_dependency(struct claw_call *call)
{
	const struct claw_hung_event *failed = failed_in_list(call);
	cl_int code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;

	if (!failed)
		return false;
	claw_device_consequence(call, failed->hang.rule);
	if (hangs_in_call(call))
		claw_fail(call, claw_api_allows(call->api, code) ? code :
			  CL_OUT_OF_RESOURCES);
	else
		claw_device_swallow(call, failed->hang.rule, claw_now_ns(),
				    CL_OUT_OF_RESOURCES);
	claw_write_event(call, 0);
	return true;
}

/* A command that comes after one that hangs ends with it, and is not executed
 * either. */
static void hang_behind(struct claw_call *call, struct claw_hang *hang)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);

	if (hang->code < 0)
		hang->code = CL_OUT_OF_RESOURCES;
	hang_queue(queue, hang, holds_up(call, queue));
	swallow(call, hang);
	claw_write_event(call, 0);
}

/* What waits for a command that hangs does so until it is ended. Then it is
 * answered as the state says that follows, or, where that says nothing of it,
 * goes on. */
bool claw_hang_check(struct claw_call *call)
{
	struct claw_hang hang;

	if (!(claw_api_table[call->api].groups &
	      (CLAW_G_ENQUEUE | CLAW_G_SYNC)))
		return false;
	while (find_hang(call, &hang)) {
		if (!(call->flags & CLAW_REC_CONSEQUENCE))
			claw_device_consequence(call, hang.rule);
		if (!hangs_in_call(call)) {
			hang_behind(call, &hang);
			return true;
		}
		block(call, hang.until_ns);
		if (hang.is_followed && claw_failure_answer(call))
			return true;
		if (!hang.is_followed) {
			fail_blocked(call);
			return true;
		}
	}
	return check_failed_dependency(call);
}

void claw_hung_queue_forget(cl_command_queue queue)
{
	pthread_mutex_lock(&hung_queues.lock);
	for (unsigned int i = 0; i < hung_queues.count; i++)
		if (hung_queues.items[i].queue == queue)
			hung_queues.items[i].queue = NULL;
	pthread_mutex_unlock(&hung_queues.lock);
}

void claw_hung_queues_reset(void)
{
	pthread_mutex_init(&hung_queues.lock, NULL);
	atomic_store(&hung_queues.count, 0);
}
