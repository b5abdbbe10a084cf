/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events that stand in for commands which do not complete, and the watchdog
 * that ends them.
 */
#include "config.h"

#include "faults/call/guest.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "faults/shared/compat.h"
#include "device_private.h"
#include "stand_in.h"

enum { MAX_HUNG_EVENTS = 1024 };

/* The watchdog looks this often at most. */
static const uint64_t WATCH_NS = 20000000;

static struct {
	pthread_mutex_t lock;
	struct claw_hung_event items[MAX_HUNG_EVENTS];
	_Atomic unsigned int count;
	bool watchdog;		/* its thread runs */
} hung_events = { .lock = PTHREAD_MUTEX_INITIALIZER };

CLAW_OLD_SYMBOL(pthread_create);

bool claw_hung_events_are_any(void)
{
	return hung_events.count;
}

static void end_event(struct claw_hung_event *hung)
{
	cl_int code = hung->hang.code;

	claw_next.clSetUserEventStatus(hung->event, code);
	for (unsigned int i = 0; i < hung->callback_count; i++)
		hung->callbacks[i].notify(hung->event,
			code < 0 ? code : hung->callbacks[i].status,
			hung->callbacks[i].user);
}

/* An event whose time is over and that nobody has ended: it is the caller's
 * to end. NULL: none; *ret_next_ns is when the next one's time is over. */
static struct claw_hung_event *take_overdue_event(uint64_t *ret_next_ns)
{
	struct claw_hung_event *mine = NULL;
	uint64_t now = claw_now_ns();

	*ret_next_ns = UINT64_MAX;
	pthread_mutex_lock(&hung_events.lock);
	for (unsigned int i = 0; i < hung_events.count && !mine; i++) {
		struct claw_hung_event *hung = &hung_events.items[i];

		if (!hung->event || hung->ended)
			continue;
		if (now >= hung->hang.until_ns)
			mine = hung;
		else if (hung->hang.until_ns < *ret_next_ns)
			*ret_next_ns = hung->hang.until_ns;
	}
	if (mine)
		mine->ended = true;
	pthread_mutex_unlock(&hung_events.lock);
	return mine;
}

/*
 * Events whose time is over end with an error. The program's own callbacks
 * run inside, so neither the lock nor the mark is held. Returns when the next
 * one's time is over.
 */
uint64_t claw_hung_events_end_overdue(void)
{
	struct claw_hung_event *hung;
	uint64_t next_ns;

	while ((hung = take_overdue_event(&next_ns))) {
		end_event(hung);
		pthread_mutex_lock(&hung_events.lock);
		hung->told = true;
		pthread_mutex_unlock(&hung_events.lock);
	}
	return next_ns;
}

/* A program may wait for a callback and make no call meanwhile: then a thread
 * has to look. It ends when there is nothing to wait for. */
static void *watch_events(void *unused)
{
	bool idle = false;

	while (!idle) {
		uint64_t now, next_ns = claw_hung_events_end_overdue();

		pthread_mutex_lock(&hung_events.lock);
		idle = true;
		for (unsigned int i = 0; i < hung_events.count; i++)
			if (hung_events.items[i].event &&
			    !hung_events.items[i].ended &&
			    hung_events.items[i].hang.until_ns != UINT64_MAX)
				idle = false;
		if (idle)
			hung_events.watchdog = false;
		pthread_mutex_unlock(&hung_events.lock);
		now = claw_now_ns();
		if (!idle && next_ns > now)
			claw_sleep_ns(next_ns - now < WATCH_NS ?
				      next_ns - now : WATCH_NS);
	}
	return unused;
}

/* Under the lock. No signal of the program's is for this thread. */
static void start_watchdog(void)
{
	pthread_attr_t detached;
	sigset_t all, before;
	pthread_t thread;

	if (hung_events.watchdog || pthread_attr_init(&detached))
		return;
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	hung_events.watchdog = !pthread_create(&thread, &detached,
					       watch_events, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&detached);
}

/* Only our reference is left, and the watchdog is done with it. */
static bool is_forgotten(const struct claw_hung_event *hung)
{
	cl_uint references = 0;

	return hung->event && hung->told &&
	       !claw_next.clGetEventInfo(hung->event, CL_EVENT_REFERENCE_COUNT,
					 sizeof(references), &references,
					 NULL) && references == 1;
}

/* Under the lock: a place for an event, or NULL. */
static struct claw_hung_event *place_of_event(void)
{
	if (hung_events.count < MAX_HUNG_EVENTS)
		return &hung_events.items[hung_events.count];
	for (unsigned int i = 0; i < MAX_HUNG_EVENTS; i++)
		if (is_forgotten(&hung_events.items[i])) {
			claw_next.clReleaseEvent(hung_events.items[i].event);
			return &hung_events.items[i];
		}
	return NULL;
}

/* False: there is no room, and nobody would ever end it. */
static bool keep_event(cl_event event, const struct claw_call *call,
		       cl_command_queue queue, const struct claw_hang *hang)
{
	static bool said;
	struct claw_hung_event *hung;

	pthread_mutex_lock(&hung_events.lock);
	hung = place_of_event();
	if (hung) {
		hung->queue = queue;
		hung->type = claw_command_type(call->api);
		hung->hang = *hang;
		hung->ended = hung->told = false;
		hung->callback_count = 0;
		atomic_store(&hung->event, event);
		if (hung == &hung_events.items[hung_events.count])
			atomic_fetch_add(&hung_events.count, 1);
		if (hang->until_ns != UINT64_MAX)
			start_watchdog();
	} else if (!said) {
		said = true;
		claw_say("more than %d events of commands that hang or have "
			 "failed, which the program still has: further such "
			 "commands are refused", MAX_HUNG_EVENTS);
	}
	pthread_mutex_unlock(&hung_events.lock);
	return hung;
}

static cl_command_queue queue_of(cl_event event)
{
	const struct claw_hung_event *hung = claw_hung_event_find(event);

	return hung ? hung->queue : NULL;
}

/* Give the program the event of a command that never completes. */
cl_int claw_hung_event_make(struct claw_call *call, cl_command_queue queue,
			      const struct claw_hang *hang)
{
	cl_event *event_out = claw_arg_pointer(call, CLAW_P_EVENT_OUT);
	cl_context context = NULL;
	cl_int err = CL_SUCCESS;
	cl_event event;

	if (!event_out)
		return CL_SUCCESS;
	claw_device_queue_tell(queue_of);
	claw_ours_begin();
	claw_next.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT,
					sizeof(context), &context, NULL);
	event = claw_next.clCreateUserEvent ?
		claw_next.clCreateUserEvent(context, &err) : NULL;
	if (event)
		claw_next.clRetainEvent(event);
	if (event && !keep_event(event, call, queue, hang)) {
		claw_next.clReleaseEvent(event);
		claw_next.clReleaseEvent(event);
		event = NULL;
	}
	claw_ours_end();
	if (!event)
		return err ? err : CL_OUT_OF_RESOURCES;
	*event_out = event;
	claw_journal_live_add(call->thread, CLAW_OBJ_EVENT, 1);
	return CL_SUCCESS;
}

struct claw_hung_event *claw_hung_event_find(cl_event event)
{
	for (unsigned int i = 0; event && i < hung_events.count; i++)
		if (hung_events.items[i].event == event)
			return &hung_events.items[i];
	return NULL;
}

bool claw_device_is_hung_event(cl_event event)
{
	return claw_hung_event_find(event) != NULL;
}

/* Drivers differ about callbacks of failed user events (never, -5, 0): the
 * guest keeps those of its own and calls them itself. */
bool claw_hung_event_keep_callback(struct claw_call *call)
{
	void (CL_CALLBACK *notify)(cl_event, cl_int, void *);
	void *user = CLAW_ARG(call, clSetEventCallback, user_data);
	cl_int status = CLAW_ARG(call, clSetEventCallback,
				 command_exec_callback_type),
	       code;
	struct claw_hung_event *hung;
	unsigned int n;
	bool ended;

	memcpy(&notify, call->args[CLAW_AT(clSetEventCallback, pfn_notify)],
	       sizeof(notify));
	hung = claw_hung_event_find(claw_arg_pointer(call, CLAW_P_EVENT));
	if (!hung || !notify)		/* the driver refuses that */
		return false;
	pthread_mutex_lock(&hung_events.lock);
	ended = hung->ended;
	n = hung->callback_count;
	if (!ended && n < CLAW_HUNG_CALLBACKS) {
		hung->callbacks[n].notify = notify;
		hung->callbacks[n].user = user;
		hung->callbacks[n].status = status;
		hung->callback_count = n + 1;
	}
	pthread_mutex_unlock(&hung_events.lock);
	claw_fail(call, ended || n < CLAW_HUNG_CALLBACKS ? CL_SUCCESS :
		  CL_OUT_OF_RESOURCES);
	code = hung->hang.code;
	if (ended)
		notify(hung->event, code < 0 ? code : status, user);
	return true;
}

void claw_hung_events_reset(void)
{
	pthread_mutex_init(&hung_events.lock, NULL);
	hung_events.watchdog = false;	/* it stayed with the parent */
	/* The events are kept: whoever waits for one is to be told. */
}
