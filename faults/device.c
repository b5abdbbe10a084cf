/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stays wrong after a fault has fired: devices that are lost, queues
 * that hang, programs that could not be built. Everything here follows the
 * specification's text; device models come on top of it.
 */
#include "config.h"

#include "guest.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "compat.h"
#include "ecc.h"
#include "failure.h"
#include "stand_in.h"
#include "throttle.h"

enum {
	MAX_LOST = 64, MAX_CONTEXTS = 1024, MAX_HUNG_QUEUES = 256,
	MAX_HUNG_EVENTS = 1024, MAX_FAILED_PROGRAMS = 256, MAX_DEVICES = 256,
	MAX_CALLBACKS = 4, MAX_CONTEXT_DEVICES = 16,
};

/* The watchdog looks this often at most. */
static const uint64_t WATCH_NS = 20000000;

static const char build_log[] =
	"<kernel>:1:1: error: build failed (INJECTED by openclaw)\n";

struct lost_device {
	cl_device_id device;
	unsigned int rule;
	uint64_t since_ns, until_ns;	/* CLOCK_MONOTONIC; UINT64_MAX: for ever */
	bool by_context;	/* contexts made from now on work */
};

/* A context made since a device was lost, and when. */
struct new_context {
	cl_context context;
	uint64_t since_ns;
};

/* What a command that does not complete is about. */
struct hang {
	unsigned int rule;
	uint64_t since_ns, until_ns;
	cl_int code;		/* that its event ends with */
	bool is_followed;	/* a device model says what is then */
};

struct hung_queue {
	cl_command_queue queue;
	struct hang hang;
	bool out_of_order;
};

/* A command that will not complete: the event that stands in for it. */
struct hung_event {
	cl_event _Atomic event;	/* a user event, one reference is ours */
	cl_command_queue queue;
	cl_command_type type;
	struct hang hang;
	bool ended;		/* its watchdog has struck */
	bool told;		/* and whoever waited for it knows */
	struct {
		void (CL_CALLBACK *notify)(cl_event, cl_int, void *);
		void *user;
		cl_int status;		/* that it was to wait for */
	} callbacks[MAX_CALLBACKS];
	unsigned int callback_count;
};

struct failed_program {
	cl_program program;
	unsigned int rule;
	bool log;
};

static struct {
	pthread_mutex_t lock;
	struct lost_device lost[MAX_LOST];
	struct new_context contexts[MAX_CONTEXTS];
	struct hung_queue queues[MAX_HUNG_QUEUES];
	struct hung_event events[MAX_HUNG_EVENTS];
	struct failed_program programs[MAX_FAILED_PROGRAMS];
	cl_device_id devices[MAX_DEVICES];
	_Atomic unsigned int lost_count, queue_count, event_count,
			     program_count, device_count;
	unsigned int context_count;
	_Atomic bool devices_known;
	bool watchdog;		/* its thread runs */
} state = { .lock = PTHREAD_MUTEX_INITIALIZER };

CLAW_OLD_SYMBOL(pthread_create);

/* A table is full: what is not in it is not treated as it should be. */
static void say_full(bool *said, const char *what)
{
	claw_journal_add_damaged();
	if (!*said)
		claw_say("more %s than it can follow; the rest are left alone",
			 what);
	*said = true;
}

static uint64_t deadline_ns(uint64_t span_ns)
{
	return span_ns ? claw_now_ns() + span_ns : UINT64_MAX;
}

/* ------------------------------------------------------ what is whose */

static void list_devices(void)
{
	cl_device_id found[MAX_DEVICES];
	cl_platform_id platforms[32];
	cl_uint platform_count = 0;
	unsigned int known = 0;

	claw_ours_begin();
	if (claw_next.clGetPlatformIDs(32, platforms, &platform_count))
		platform_count = 0;
	if (platform_count > 32)
		platform_count = 32;
	for (cl_uint i = 0; i < platform_count && known < MAX_DEVICES; i++) {
		cl_uint count = 0;

		if (claw_next.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL,
					     MAX_DEVICES - known,
					     found + known, &count))
			continue;
		if (count > MAX_DEVICES - known)
			count = MAX_DEVICES - known;
		known += count;
	}
	claw_ours_end();
	pthread_mutex_lock(&state.lock);
	if (!state.devices_known)
		memcpy(state.devices, found, known * sizeof(*found));
	atomic_store(&state.device_count, known);
	atomic_store(&state.devices_known, true);
	pthread_mutex_unlock(&state.lock);
}

int claw_device_index(cl_device_id device)
{
	if (!state.devices_known)
		list_devices();
	for (unsigned int i = 0; i < state.device_count; i++)
		if (state.devices[i] == device)
			return (int)i;
	return -1;
}

unsigned int claw_device_count(void)
{
	if (!state.devices_known)
		list_devices();
	return state.device_count;
}

cl_device_id claw_device_at(unsigned int index)
{
	return index < claw_device_count() ? state.devices[index] : NULL;
}

static unsigned int devices_of_context(cl_context context,
				       cl_device_id *devices, unsigned int max)
{
	size_t size = 0;

	if (!context || claw_next.clGetContextInfo(context, CL_CONTEXT_DEVICES,
			max * sizeof(*devices), devices, &size))
		return 0;
	return (unsigned int)(size / sizeof(*devices));
}

static cl_context context_of_event(cl_event event)
{
	cl_context context = NULL;

	claw_next.clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof(context),
				 &context, NULL);
	return context;
}

static cl_command_queue queue_of_event(cl_event event)
{
	cl_command_queue queue = NULL;

	for (unsigned int i = 0; i < state.event_count; i++)
		if (state.events[i].event == event)
			return state.events[i].queue;
	claw_next.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue),
				 &queue, NULL);
	return queue;
}

/* The queue that the call goes into, also one that its event belongs to. */
cl_command_queue claw_device_queue_of(const struct claw_call *call)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	void *const *events;
	cl_event event;

	if (!queue)
		queue = claw_arg_pointer(call, CLAW_P_OPTIONAL_QUEUE);
	if (queue)
		return queue;
	event = claw_arg_pointer(call, CLAW_P_EVENT);
	if (!event && claw_arg_list(call, CLAW_P_EVENTS, &events))
		event = events[0];
	return event ? queue_of_event(event) : NULL;
}

cl_context claw_device_context_of(const struct claw_call *call)
{
	cl_context context = claw_arg_pointer(call, CLAW_P_CONTEXT);
	cl_command_queue queue;
	void *object;
	void *const *events;

	if (context)
		return context;
	queue = claw_device_queue_of(call);
	if (queue) {
		claw_next.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT,
						sizeof(context), &context, NULL);
	} else if ((object = claw_arg_pointer(call, CLAW_P_MEM))) {
		claw_next.clGetMemObjectInfo(object, CL_MEM_CONTEXT,
					     sizeof(context), &context, NULL);
	} else if ((object = claw_arg_pointer(call, CLAW_P_KERNEL))) {
		claw_next.clGetKernelInfo(object, CL_KERNEL_CONTEXT,
					  sizeof(context), &context, NULL);
	} else if ((object = claw_arg_pointer(call, CLAW_P_PROGRAM))) {
		claw_next.clGetProgramInfo(object, CL_PROGRAM_CONTEXT,
					   sizeof(context), &context, NULL);
	} else if ((object = claw_arg_pointer(call, CLAW_P_SAMPLER))) {
		claw_next.clGetSamplerInfo(object, CL_SAMPLER_CONTEXT,
					   sizeof(context), &context, NULL);
	} else if ((object = claw_arg_pointer(call, CLAW_P_EVENT))) {
		context = context_of_event(object);
	} else if (claw_arg_list(call, CLAW_P_EVENTS, &events)) {
		context = context_of_event(events[0]);
	}
	return context;
}

/* clCreateContextFromType names a platform and a type. */
static unsigned int devices_of_type(const struct claw_call *call,
				    cl_device_id *devices, unsigned int max)
{
	const cl_context_properties *property =
		*(const cl_context_properties *const *)call->args[0];
	cl_device_type type = *(const cl_device_type *)call->args[1];
	cl_platform_id platform = NULL;
	cl_uint count = 0;

	for (; property && *property; property += 2)
		if (*property == CL_CONTEXT_PLATFORM)
			platform = (cl_platform_id)property[1];
	if (!platform && claw_next.clGetPlatformIDs(1, &platform, NULL))
		return 0;
	if (claw_next.clGetDeviceIDs(platform, type, max, devices, &count))
		return 0;
	return count > max ? max : count;
}

static unsigned int find_devices(const struct claw_call *call,
				 cl_device_id *devices, unsigned int max)
{
	cl_device_id device = claw_arg_pointer(call, CLAW_P_DEVICE);
	cl_command_queue queue;
	void *const *list;
	uint32_t count;

	if (!device)
		device = claw_arg_pointer(call, CLAW_P_OPTIONAL_DEVICE);
	queue = device ? NULL : claw_device_queue_of(call);
	if (queue)
		claw_next.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE,
						sizeof(device), &device, NULL);
	if (device) {
		*devices = device;
		return 1;
	}
	count = claw_arg_list(call, CLAW_P_DEVICES, &list);
	if (count) {
		if (count > max)
			count = max;
		memcpy(devices, list, count * sizeof(*devices));
		return count;
	}
	if (call->api == CLAW_API_clCreateContextFromType)
		return devices_of_type(call, devices, max);
	return devices_of_context(claw_device_context_of(call), devices, max);
}

cl_device_id claw_device_whole(cl_device_id device)
{
	cl_device_id parent = NULL;

	claw_ours_begin();
	while (!claw_next.clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE,
					  sizeof(parent), &parent, NULL) &&
	       parent && parent != device)
		device = parent;
	claw_ours_end();
	return device;
}

unsigned int claw_device_of_call(const struct claw_call *call,
				 cl_device_id *devices, unsigned int max)
{
	claw_ours_begin();
	unsigned int count = find_devices(call, devices, max);

	if (count > max)
		count = max;
	for (unsigned int i = 0; i < count; i++)
		devices[i] = claw_device_whole(devices[i]);
	claw_ours_end();
	return count;
}

bool claw_device_needs_each(const struct claw_call *call)
{
	void *const *list;
	bool named = claw_api_makes_context(call->api) ||
		     claw_api_table[call->api].groups & CLAW_G_ALLOC ||
		     claw_arg_pointer(call, CLAW_P_DEVICE) ||
		     claw_arg_pointer(call, CLAW_P_OPTIONAL_DEVICE) ||
		     claw_arg_list(call, CLAW_P_DEVICES, &list);

	claw_ours_begin();
	named = named || claw_device_queue_of(call);
	claw_ours_end();
	return named;
}

/* -------------------------------------------------------- device loss */

/* Under the lock: the entry of this device, of none, or NULL. */
static struct lost_device *place_of_loss(cl_device_id device)
{
	for (unsigned int i = 0; i < state.lost_count; i++)
		if (state.lost[i].device == device)
			return &state.lost[i];
	return state.lost_count < MAX_LOST ? &state.lost[state.lost_count] :
		NULL;
}

static void lose_device(cl_device_id device, unsigned int rule_index)
{
	const struct claw_rule *rule = claw_rules_get(rule_index);
	struct lost_device *lost;
	static bool said;

	pthread_mutex_lock(&state.lock);
	lost = place_of_loss(device);
	if (lost) {
		*lost = (struct lost_device){
			.device = device, .rule = rule_index,
			.since_ns = claw_now_ns(),
			.until_ns = deadline_ns(rule->recover_ns),
			.by_context = rule->recover_context,
		};
		if (lost == &state.lost[state.lost_count])
			atomic_fetch_add(&state.lost_count, 1);
	} else {
		say_full(&said, "lost devices");
	}
	pthread_mutex_unlock(&state.lock);
}

void claw_device_lose(struct claw_call *call, unsigned int rule_index)
{
	const struct claw_rule *rule = claw_rules_get(rule_index);
	cl_device_id devices[MAX_CONTEXT_DEVICES];
	unsigned int count = claw_device_of_call(call, devices,
						 MAX_CONTEXT_DEVICES);

	if (claw_failure_begin(call, rule_index, claw_now_ns())) {
		if (!claw_failure_answer(call))
			claw_fail(call, claw_rule_code(rule, call->api));
		return;
	}
	for (unsigned int i = 0; i < count; i++)
		if (rule->device < 0 ||
		    claw_device_index(devices[i]) == rule->device)
			lose_device(devices[i], rule_index);
	claw_watch_all();
	claw_fail(call, claw_rule_code(rule, call->api));
}

/* Under the lock: was the context made after the device was lost? */
static bool is_good_context(const struct lost_device *lost, cl_context context)
{
	for (unsigned int i = 0; i < state.context_count; i++)
		if (state.contexts[i].context == context)
			return state.contexts[i].since_ns >= lost->since_ns;
	return false;
}

/* Under the lock: does this loss concern a call about that context? */
static bool is_met(const struct lost_device *lost, const struct claw_call *call,
		   cl_context context, uint64_t now)
{
	if (now >= lost->until_ns)
		return false;
	if (!lost->by_context)
		return true;
	return !claw_api_makes_context(call->api) &&
	       !is_good_context(lost, context);
}

/* The loss that this call meets: false if none. */
static bool find_loss(const struct claw_call *call, struct lost_device *ret_lost)
{
	cl_device_id devices[MAX_CONTEXT_DEVICES];
	unsigned int count = claw_device_of_call(call, devices,
						 MAX_CONTEXT_DEVICES);
	uint64_t now = claw_now_ns();
	cl_context context;
	unsigned int gone = 0;

	if (!count)
		return false;
	claw_ours_begin();
	context = claw_device_context_of(call);
	claw_ours_end();
	pthread_mutex_lock(&state.lock);
	for (unsigned int j = 0; j < count; j++)
		for (unsigned int i = 0; i < state.lost_count; i++)
			if (devices[j] == state.lost[i].device &&
			    is_met(&state.lost[i], call, context, now)) {
				*ret_lost = state.lost[i];
				gone++;
				break;
			}
	pthread_mutex_unlock(&state.lock);
	return gone && (gone == count || claw_device_needs_each(call));
}

void claw_device_consequence(struct claw_call *call, unsigned int rule)
{
	call->flags |= CLAW_REC_CONSEQUENCE;
	if (rule == CLAW_NO_RULE)
		return;
	call->rule = (uint16_t)(rule + 1);
	call->fault = (uint16_t)claw_rules_get(rule)->fault;
	claw_journal_rule_consequence(claw_journal_rule_at((int)rule));
}

static bool check_loss(struct claw_call *call)
{
	struct claw_rule probe = { .fault = CLAW_FAULT_DEVICE_LOST };
	cl_int code = claw_rule_code(&probe, call->api);
	struct lost_device lost;

	if (!code || !find_loss(call, &lost))
		return false;
	claw_fail(call, code);
	claw_device_consequence(call, lost.rule);
	claw_write_event(call, 0);
	return true;
}

/* ---------------------------------------------------------------- hang */

bool claw_device_is_blocking(const struct claw_call *call)
{
	const cl_bool *blocking = claw_arg_address(call, CLAW_P_BLOCKING);

	if (blocking)
		return *blocking;
	return !(claw_api_table[call->api].groups & CLAW_G_ENQUEUE);
}

static void end_event(struct hung_event *hung)
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
static struct hung_event *take_overdue_event(uint64_t *ret_next_ns)
{
	struct hung_event *mine = NULL;
	uint64_t now = claw_now_ns();

	*ret_next_ns = UINT64_MAX;
	pthread_mutex_lock(&state.lock);
	for (unsigned int i = 0; i < state.event_count && !mine; i++) {
		struct hung_event *hung = &state.events[i];

		if (!hung->event || hung->ended)
			continue;
		if (now >= hung->hang.until_ns)
			mine = hung;
		else if (hung->hang.until_ns < *ret_next_ns)
			*ret_next_ns = hung->hang.until_ns;
	}
	if (mine)
		mine->ended = true;
	pthread_mutex_unlock(&state.lock);
	return mine;
}

/*
 * Events whose time is over end with an error. The program's own callbacks
 * run inside, so neither the lock nor the mark is held. Returns when the next
 * one's time is over.
 */
static uint64_t end_overdue_events(void)
{
	struct hung_event *hung;
	uint64_t next_ns;

	while ((hung = take_overdue_event(&next_ns))) {
		end_event(hung);
		pthread_mutex_lock(&state.lock);
		hung->told = true;
		pthread_mutex_unlock(&state.lock);
	}
	return next_ns;
}

/* A program may wait for a callback and make no call meanwhile: then a thread
 * has to look. It ends when there is nothing to wait for. */
static void *watch_events(void *unused)
{
	bool idle = false;

	while (!idle) {
		uint64_t now, next_ns = end_overdue_events();

		pthread_mutex_lock(&state.lock);
		idle = true;
		for (unsigned int i = 0; i < state.event_count; i++)
			if (state.events[i].event && !state.events[i].ended &&
			    state.events[i].hang.until_ns != UINT64_MAX)
				idle = false;
		if (idle)
			state.watchdog = false;
		pthread_mutex_unlock(&state.lock);
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

	if (state.watchdog || pthread_attr_init(&detached))
		return;
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	state.watchdog = !pthread_create(&thread, &detached, watch_events, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&detached);
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
	end_overdue_events();
	call->flags &= (uint16_t)~CLAW_REC_BLOCKS;
}

/* What has hung in the call is over, and no rule of a model answers it. */
static void fail_blocked(struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	claw_fail(call, claw_api_allows(call->api, CL_OUT_OF_RESOURCES) ||
		  !info->code_count ? CL_OUT_OF_RESOURCES : info->codes[0]);
}

/* Only our reference is left, and the watchdog is done with it. */
static bool is_forgotten(const struct hung_event *hung)
{
	cl_uint references = 0;

	return hung->event && hung->told &&
	       !claw_next.clGetEventInfo(hung->event, CL_EVENT_REFERENCE_COUNT,
					 sizeof(references), &references,
					 NULL) && references == 1;
}

/* Under the lock: a place for an event, or NULL. */
static struct hung_event *place_of_event(void)
{
	if (state.event_count < MAX_HUNG_EVENTS)
		return &state.events[state.event_count];
	for (unsigned int i = 0; i < MAX_HUNG_EVENTS; i++)
		if (is_forgotten(&state.events[i])) {
			claw_next.clReleaseEvent(state.events[i].event);
			return &state.events[i];
		}
	return NULL;
}

/* False: there is no room, and nobody would ever end it. */
static bool keep_event(cl_event event, const struct claw_call *call,
		       cl_command_queue queue, const struct hang *hang)
{
	static bool said;
	struct hung_event *hung;

	pthread_mutex_lock(&state.lock);
	hung = place_of_event();
	if (hung) {
		hung->queue = queue;
		hung->type = claw_command_type(call->api);
		hung->hang = *hang;
		hung->ended = hung->told = false;
		hung->callback_count = 0;
		atomic_store(&hung->event, event);
		if (hung == &state.events[state.event_count])
			atomic_fetch_add(&state.event_count, 1);
		if (hang->until_ns != UINT64_MAX)
			start_watchdog();
	} else if (!said) {
		said = true;
		claw_say("more than %d events of commands that hang or have "
			 "failed, which the program still has: further such "
			 "commands are refused", MAX_HUNG_EVENTS);
	}
	pthread_mutex_unlock(&state.lock);
	return hung;
}

/* Give the program the event of a command that never completes. */
static cl_int make_hung_event(struct claw_call *call, cl_command_queue queue,
			      const struct hang *hang)
{
	cl_event *event_out = claw_arg_pointer(call, CLAW_P_EVENT_OUT);
	cl_context context = NULL;
	cl_int err = CL_SUCCESS;
	cl_event event;

	if (!event_out)
		return CL_SUCCESS;
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

/* Take an enqueue in without giving it to the driver. */
static void swallow(struct claw_call *call, const struct hang *hang)
{
	cl_int err = make_hung_event(call, claw_arg_pointer(call, CLAW_P_QUEUE),
				     hang);
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
	swallow(call, &(struct hang){ rule, until_ns, until_ns, code, false });
	claw_watch_all();
	end_overdue_events();
}

static cl_command_queue_properties queue_properties(cl_command_queue queue)
{
	cl_command_queue_properties properties = 0;

	claw_ours_begin();
	claw_next.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES,
					sizeof(properties), &properties, NULL);
	claw_ours_end();
	return properties;
}

bool claw_device_is_out_of_order(cl_command_queue queue)
{
	return queue_properties(queue) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
}

/* Under the lock: the entry of this queue, or one that is not needed any
 * more, or NULL. */
static struct hung_queue *place_of_queue(cl_command_queue queue)
{
	struct hung_queue *spare = NULL;
	uint64_t now = claw_now_ns();

	for (unsigned int i = 0; i < state.queue_count; i++) {
		if (state.queues[i].queue == queue)
			return &state.queues[i];
		if (!state.queues[i].queue ||
		    now >= state.queues[i].hang.until_ns)
			spare = &state.queues[i];
	}
	if (!spare && state.queue_count < MAX_HUNG_QUEUES)
		spare = &state.queues[state.queue_count];
	return spare;
}

/* A command in the queue does not complete before then. all: nor does any
 * that comes after it. */
static void hang_queue(cl_command_queue queue, const struct hang *hang,
		       bool all)
{
	static bool said;
	struct hung_queue *hung;

	pthread_mutex_lock(&state.lock);
	hung = place_of_queue(queue);
	if (hung && hung->queue == queue &&
	    claw_now_ns() < hung->hang.until_ns) {
		hung->out_of_order = hung->out_of_order && !all;
		if (hang->until_ns > hung->hang.until_ns)
			hung->hang.until_ns = hang->until_ns;
	} else if (hung) {
		*hung = (struct hung_queue){ queue, *hang, !all };
		if (hung == &state.queues[state.queue_count])
			atomic_fetch_add(&state.queue_count, 1);
	} else {
		say_full(&said, "queues that hang");
	}
	pthread_mutex_unlock(&state.lock);
}

static bool find_hung_queue(cl_command_queue queue, struct hung_queue *ret_hung)
{
	bool found = false;

	if (!queue || !state.queue_count)
		return false;
	pthread_mutex_lock(&state.lock);
	for (unsigned int i = 0; i < state.queue_count && !found; i++) {
		found = state.queues[i].queue == queue &&
			claw_now_ns() < state.queues[i].hang.until_ns;
		if (found)
			*ret_hung = state.queues[i];
	}
	pthread_mutex_unlock(&state.lock);
	return found;
}

static struct hung_event *find_hung_event(cl_event event)
{
	for (unsigned int i = 0; event && i < state.event_count; i++)
		if (state.events[i].event == event)
			return &state.events[i];
	return NULL;
}

/* A map that hangs without blocking would have to give a pointer. */
static bool hangs_in_call(const struct claw_call *call)
{
	return claw_device_is_blocking(call) || !claw_arg_pointer(call, CLAW_P_QUEUE) ||
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

bool claw_device_is_hung_event(cl_event event)
{
	return find_hung_event(event) != NULL;
}

void claw_device_hang(struct claw_call *call, unsigned int rule_index)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	struct hang hang = {
		rule_index, claw_now_ns(),
		deadline_ns(claw_rules_get(rule_index)->hang_ns),
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
static struct hung_event *hung_in_list(const struct claw_call *call,
				       enum claw_role role)
{
	void *const *list;
	uint32_t count = claw_arg_list(call, role, &list);

	for (uint32_t i = 0; i < count; i++) {
		struct hung_event *hung = find_hung_event(list[i]);

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
static bool find_hang(const struct claw_call *call, struct hang *ret_hang)
{
	struct hung_event *event;
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
static struct hung_event *failed_in_list(const struct claw_call *call)
{
	void *const *list;
	uint32_t count = claw_arg_list(call, CLAW_P_WAIT_LIST, &list);

	for (uint32_t i = 0; i < count; i++) {
		struct hung_event *hung = find_hung_event(list[i]);

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
	const struct hung_event *failed = failed_in_list(call);
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
static void hang_behind(struct claw_call *call, struct hang *hang)
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
static bool check_hang(struct claw_call *call)
{
	struct hang hang;

	if (!(claw_api_table[call->api].groups & (CLAW_G_ENQUEUE | CLAW_G_SYNC)))
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

/* Drivers differ about callbacks of failed user events (never, -5, 0): the
 * guest keeps those of its own and calls them itself. */
static bool keep_callback(struct claw_call *call)
{
	void (CL_CALLBACK *notify)(cl_event, cl_int, void *);
	void *user = *(void *const *)call->args[3];
	cl_int status = *(const cl_int *)call->args[1], code;
	struct hung_event *hung;
	unsigned int n;
	bool ended;

	memcpy(&notify, call->args[2], sizeof(notify));
	hung = find_hung_event(claw_arg_pointer(call, CLAW_P_EVENT));
	if (!hung || !notify)		/* the driver refuses that */
		return false;
	pthread_mutex_lock(&state.lock);
	ended = hung->ended;
	n = hung->callback_count;
	if (!ended && n < MAX_CALLBACKS) {
		hung->callbacks[n].notify = notify;
		hung->callbacks[n].user = user;
		hung->callbacks[n].status = status;
		hung->callback_count = n + 1;
	}
	pthread_mutex_unlock(&state.lock);
	claw_fail(call, ended || n < MAX_CALLBACKS ? CL_SUCCESS :
		  CL_OUT_OF_RESOURCES);
	code = hung->hang.code;
	if (ended)
		notify(hung->event, code < 0 ? code : status, user);
	return true;
}

/* -------------------------------------------------------------- builds */

static bool find_failed(cl_program program, struct failed_program *ret_failed)
{
	bool found = false;

	pthread_mutex_lock(&state.lock);
	for (unsigned int i = 0; i < state.program_count && !found; i++) {
		found = program && state.programs[i].program == program;
		if (found)
			*ret_failed = state.programs[i];
	}
	pthread_mutex_unlock(&state.lock);
	return found;
}

static void forget_program(cl_program program)
{
	pthread_mutex_lock(&state.lock);
	for (unsigned int i = 0; i < state.program_count; i++)
		if (state.programs[i].program == program)
			state.programs[i].program = NULL;
	pthread_mutex_unlock(&state.lock);
}

/* Under the lock: the program's entry, or one that is not needed any more, or
 * NULL. */
static struct failed_program *place_of_program(cl_program program)
{
	struct failed_program *spare = NULL;

	for (unsigned int i = 0; i < state.program_count; i++) {
		if (state.programs[i].program == program)
			return &state.programs[i];
		if (!state.programs[i].program)
			spare = &state.programs[i];
	}
	if (!spare && state.program_count < MAX_FAILED_PROGRAMS)
		spare = &state.programs[state.program_count];
	return spare;
}

static void keep_program(cl_program program, unsigned int rule, bool log)
{
	static bool said;
	struct failed_program *failed;

	pthread_mutex_lock(&state.lock);
	failed = place_of_program(program);
	if (failed) {
		*failed = (struct failed_program){ program, rule, log };
		if (failed == &state.programs[state.program_count])
			atomic_fetch_add(&state.program_count, 1);
	} else {
		say_full(&said, "programs whose build failed");
	}
	pthread_mutex_unlock(&state.lock);
}

void claw_device_fail_build(struct claw_call *call, unsigned int rule_index)
{
	const struct claw_rule *rule = claw_rules_get(rule_index);
	cl_program program = claw_arg_pointer(call, CLAW_P_PROGRAM);
	void (CL_CALLBACK *const *notify)(cl_program, void *) =
		claw_arg_address(call, CLAW_P_NOTIFY);
	void *user = claw_arg_pointer(call, CLAW_P_USER_DATA);

	if (program)
		keep_program(program, rule_index, rule->build_log);
	claw_watch_all();
	claw_fail(call, claw_rule_code(rule, call->api));
	/* "called when the program executable has been built (successfully
	 * or unsuccessfully)", OpenCL 3.0, clBuildProgram. */
	if (notify && *notify && program)
		(*notify)(program, user);
}

static bool check_build(struct claw_call *call)
{
	struct failed_program failed;

	if (call->api != CLAW_API_clCreateKernel &&
	    call->api != CLAW_API_clCreateKernelsInProgram)
		return false;
	if (!find_failed(claw_arg_pointer(call, CLAW_P_PROGRAM), &failed))
		return false;
	claw_fail(call, CL_INVALID_PROGRAM_EXECUTABLE);
	claw_device_consequence(call, failed.rule);
	claw_write_event(call, 0);
	return true;
}

/* ------------------------------------------------------------- queries */

/* Answer a query as the specification describes it (value, size, size_ret). */
void claw_device_answer(struct claw_call *call, unsigned int first_param,
			const void *value, size_t size)
{
	size_t room = *(const size_t *)call->args[first_param];
	void *out = *(void *const *)call->args[first_param + 1];
	size_t *size_out = *(size_t *const *)call->args[first_param + 2];

	if (out && room < size) {
		call->err = CL_INVALID_VALUE;
		return;
	}
	if (out)
		memcpy(out, value, size);
	if (size_out)
		*size_out = size;
	call->err = CL_SUCCESS;
	call->flags |= CLAW_REC_INJECTED;
}

static void patch_device_info(struct claw_call *call)
{
	cl_device_info name = *(const cl_device_info *)call->args[1];
	cl_bool available = CL_FALSE;

	struct lost_device lost;

	if (name == CL_DEVICE_AVAILABLE && !call->err &&
	    ((find_loss(call, &lost) && !lost.by_context) ||
	     claw_failure_hides_device(call)))
		claw_device_answer(call, 2, &available, sizeof(available));
}

static void patch_event_info(struct claw_call *call)
{
	struct hung_event *hung =
		find_hung_event(claw_arg_pointer(call, CLAW_P_EVENT));
	cl_event_info name = *(const cl_event_info *)call->args[1];

	cl_uint references;

	if (!hung)
		return;
	if (name == CL_EVENT_REFERENCE_COUNT && !call->err &&
	    *(void *const *)call->args[3]) {	/* one is ours */
		memcpy(&references, *(void *const *)call->args[3],
		       sizeof(references));
		references--;
		claw_device_answer(call, 2, &references, sizeof(references));
	} else if (name == CL_EVENT_COMMAND_TYPE)
		claw_device_answer(call, 2, &hung->type, sizeof(hung->type));
	else if (name == CL_EVENT_COMMAND_QUEUE)
		claw_device_answer(call, 2, &hung->queue, sizeof(hung->queue));
	/* Whoever waited knows that it failed before the driver may do. */
	else if (name == CL_EVENT_COMMAND_EXECUTION_STATUS &&
		 __atomic_load_n(&hung->ended, __ATOMIC_ACQUIRE))
		claw_device_answer(call, 2, &hung->hang.code,
				   sizeof(hung->hang.code));
}

/* A command that says it is complete has times, if its queue keeps any. */
static void patch_event_times(struct claw_call *call)
{
	struct hung_event *hung =
		find_hung_event(claw_arg_pointer(call, CLAW_P_EVENT));
	cl_profiling_info name = *(const cl_profiling_info *)call->args[1];
	cl_ulong ns;

	if (!hung || !__atomic_load_n(&hung->ended, __ATOMIC_ACQUIRE) ||
	    hung->hang.code < 0 || name < CL_PROFILING_COMMAND_QUEUED ||
	    name > CL_PROFILING_COMMAND_END)
		return;
	ns = name == CL_PROFILING_COMMAND_END ? hung->hang.until_ns :
		hung->hang.since_ns;
	if (queue_properties(hung->queue) & CL_QUEUE_PROFILING_ENABLE)
		claw_device_answer(call, 2, &ns, sizeof(ns));
}

static void patch_build_info(struct claw_call *call)
{
	struct failed_program failed;
	cl_program_build_info name = *(const cl_program_build_info *)call->args[2];
	cl_build_status status = CL_BUILD_ERROR;

	if (!find_failed(claw_arg_pointer(call, CLAW_P_PROGRAM), &failed))
		return;
	if (name == CL_PROGRAM_BUILD_STATUS)
		claw_device_answer(call, 3, &status, sizeof(status));
	else if (name == CL_PROGRAM_BUILD_LOG && failed.log)
		claw_device_answer(call, 3, build_log, sizeof(build_log));
	else if (name == CL_PROGRAM_BUILD_LOG)
		claw_device_answer(call, 3, "", 1);
}

void claw_device_patch(struct claw_call *call)
{
	switch (call->api) {
	case CLAW_API_clGetDeviceInfo:
		if (state.lost_count || claw_failure_is_on())
			patch_device_info(call);
		break;
	case CLAW_API_clGetEventInfo:
		if (state.event_count)
			patch_event_info(call);
		break;
	case CLAW_API_clGetEventProfilingInfo:
		if (state.event_count)
			patch_event_times(call);
		break;
	case CLAW_API_clGetProgramBuildInfo:
		if (state.program_count)
			patch_build_info(call);
		break;
	case CLAW_API_clBuildProgram:
	case CLAW_API_clCompileProgram:
		/* The driver built it after all. */
		if (state.program_count && !call->err)
			forget_program(claw_arg_pointer(call, CLAW_P_PROGRAM));
		break;
	default:
		break;
	}
}

bool claw_device_check(struct claw_call *call)
{
	if (state.event_count)
		end_overdue_events();
	if (state.event_count && call->api == CLAW_API_clSetEventCallback &&
	    keep_callback(call))
		return true;
	if (state.lost_count && check_loss(call))
		return true;
	if (claw_failure_check(call))
		return true;
	if ((state.queue_count || state.event_count) && check_hang(call))
		return true;
	return state.program_count && check_build(call);
}

static void adopt_context(cl_context context)
{
	static bool said;
	unsigned int i = 0;

	pthread_mutex_lock(&state.lock);
	while (i < state.context_count && state.contexts[i].context != context)
		i++;
	if (i < MAX_CONTEXTS)
		state.contexts[i] = (struct new_context){
			context, claw_now_ns(),
		};
	else
		say_full(&said, "contexts after a loss");
	if (i == state.context_count && i < MAX_CONTEXTS)
		state.context_count++;
	pthread_mutex_unlock(&state.lock);
}

void claw_device_created(const struct claw_call *call)
{
	switch (claw_api_table[call->api].object) {
	case CLAW_OBJ_CONTEXT:
		if (state.lost_count)
			adopt_context(call->ret);
		break;
	case CLAW_OBJ_PROGRAM:
		if (state.program_count)
			forget_program(call->ret);
		break;
	case CLAW_OBJ_QUEUE:
		pthread_mutex_lock(&state.lock);
		for (unsigned int i = 0; i < state.queue_count; i++)
			if (state.queues[i].queue == call->ret)
				state.queues[i].queue = NULL;
		pthread_mutex_unlock(&state.lock);
		break;
	default:
		break;
	}
}

void claw_device_reset(void)
{
	pthread_mutex_init(&state.lock, NULL);
	state.watchdog = false;		/* it stayed with the parent */
	/* Events that hang are kept: whoever waits for one is to be told. */
	atomic_store(&state.lost_count, 0);
	atomic_store(&state.queue_count, 0);
	atomic_store(&state.program_count, 0);
	state.context_count = 0;
	claw_failure_reset();
	claw_ecc_reset();
	claw_throttle_reset();
}
