/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches: which guarded buffers a kernel could have written to, and a check
 * of their zones just behind it in its queue. The program's parameters, wait
 * list and event are what they were.
 */
#include "config.h"

#include "guard_private.h"

#include <string.h>

#include "ledger.h"
#include "site_cache.h"

enum { HOLDS_MAX = 128 };

static uint64_t launches;		/* in this process */

void claw_guard_launches_begin(void)
{
	launches = 0;
}

static cl_event **event_of(const struct claw_call *call)
{
	return (cl_event **)claw_arg_address(call, CLAW_P_EVENT_OUT);
}

/* Has it already failed? What waits for such an event hangs on pocl 3.1. */
static bool is_lost(cl_event event)
{
	cl_int status = CL_COMPLETE;

	return claw_next.clGetEventInfo(event,
					CL_EVENT_COMMAND_EXECUTION_STATUS,
					sizeof(status), &status, NULL) ||
	       status < 0;
}

/* The guarded buffers of a launch, each referenced. */
struct arguments {
	bool all;			/* that is all of them */
	unsigned int count;
	struct claw_zone *zones[HOLDS_MAX];
	uint32_t indices[HOLDS_MAX];
};

/* The first of several arguments with the same buffer stands for all. */
static void add_argument(struct arguments *arguments, struct claw_zone *zone,
			 uint32_t argument)
{
	for (unsigned int i = 0; i < arguments->count; i++) {
		if (arguments->zones[i] != zone)
			continue;
		if (argument < arguments->indices[i])
			arguments->indices[i] = argument;
		claw_zone_put(zone);
		return;
	}
	arguments->zones[arguments->count] = zone;
	arguments->indices[arguments->count++] = argument;
}

static void find_kernel_arguments(const struct claw_call *call,
				  struct arguments *ret_arguments)
{
	struct claw_ledger_hold holds[HOLDS_MAX];
	unsigned int count = claw_ledger_holds(CLAW_OBJ_KERNEL,
		claw_arg_pointer(call, CLAW_P_KERNEL), holds, HOLDS_MAX,
		&ret_arguments->all);

	ret_arguments->count = 0;
	for (unsigned int i = 0; i < count; i++) {
		struct claw_zone *zone = claw_zones_find_under(
			(const void *)(uintptr_t)holds[i].handle);

		if (zone)
			add_argument(ret_arguments, zone, holds[i].argument);
	}
}

static void find_native_arguments(const struct claw_call *call,
				  struct arguments *ret_arguments)
{
	void *const *mems;
	uint32_t count = claw_arg_list(call, CLAW_P_MEMS, &mems);

	ret_arguments->count = 0;
	ret_arguments->all = count <= HOLDS_MAX;
	for (uint32_t i = 0; i < count && i < HOLDS_MAX; i++) {
		struct claw_zone *zone = claw_zones_find_under(mems[i]);

		if (zone)
			add_argument(ret_arguments, zone, i);
	}
}

static void find_arguments(const struct claw_call *call,
			   struct arguments *ret_arguments)
{
	if (call->api == CLAW_API_clEnqueueNativeKernel)
		find_native_arguments(call, ret_arguments);
	else
		find_kernel_arguments(call, ret_arguments);
}

static void put_arguments(const struct arguments *arguments)
{
	for (unsigned int i = 0; i < arguments->count; i++)
		claw_zone_put(arguments->zones[i]);
}

/* ---- before */

static void paint(const struct claw_call *call, cl_command_queue queue)
{
	struct arguments arguments;

	find_arguments(call, &arguments);
	claw_parts_paint(arguments.zones, arguments.count, queue);
	put_arguments(&arguments);
}

void claw_guard_launching(struct claw_call *call)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	cl_event **event = event_of(call);

	if (!claw_zones_are_any() || !queue)
		return;
	claw_ours_begin();
	if (claw_parts_are_unpainted())
		paint(call, queue);
	/* What the check is to wait for. */
	if (!*event && claw_device_is_out_of_order(queue)) {
		call->guard_event = NULL;
		*event = &call->guard_event;
	}
	claw_guard_order_lengthen(call);
	claw_ours_end();
}

/* ---- after */

static void describe(const struct claw_call *call, struct claw_check *check)
{
	cl_kernel kernel = claw_arg_pointer(call, CLAW_P_KERNEL);

	check->queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	check->at = claw_found_place(call->site, call->api, CLAW_OBJ_MEM);
	memset(check->kernel, 0, sizeof(check->kernel));
	if (kernel)
		claw_next.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME,
					  sizeof(check->kernel) - 1,
					  check->kernel, NULL);
}

static bool enqueue(struct claw_check *check, cl_event launch,
		    cl_event *ret_event)
{
	struct claw_guard_context *context = check->items[0].zone->context;
	struct claw_guard_home *home;

	if (context->mode == CLAW_GUARD_HOST)
		return claw_native_enqueue(check, launch, ret_event);
	home = claw_home_of(context, check->queue);
	return home && claw_home_enqueue(home, check, launch, ret_event);
}

/* A launch that succeeded. */
struct launch {
	struct claw_call *call;
	uint64_t number;
	cl_event event;			/* its own, or NULL */
	bool in_order, is_behind;	/* as the check's */
	bool is_waited_for;		/* the program has that event */
};

/* At most as many zones as one check takes, from there on; how many. */
static unsigned int check_some(const struct launch *launch,
			       const struct arguments *arguments,
			       unsigned int from)
{
	unsigned int count = arguments->count - from;
	struct claw_check *check = claw_check_new();
	cl_event event = NULL;

	if (count > CLAW_CHECK_ZONES)
		count = CLAW_CHECK_ZONES;
	if (!check) {
		for (unsigned int i = from; i < from + count; i++)
			claw_zone_put(arguments->zones[i]);
		return count;
	}
	describe(launch->call, check);
	check->number = launch->number;
	check->in_order = launch->in_order;
	check->is_behind = launch->is_behind;
	for (unsigned int i = from; i < from + count; i++)
		claw_check_add(check, arguments->zones[i],
			       arguments->indices[i]);
	/* In order, it is behind the launch anyway. */
	if (!enqueue(check, launch->in_order ? NULL : launch->event,
		     launch->is_waited_for ? &event : NULL)) {
		claw_check_close(check, false);
		claw_check_free(check);
	}
	if (event)
		claw_guard_order_add(launch->event, event);
	return count;
}

/* Zones that could not be filled must not be looked at. */
static void leave_out_unpainted(struct arguments *arguments)
{
	unsigned int kept = 0;

	if (!claw_parts_are_unpainted())
		return;
	for (unsigned int i = 0; i < arguments->count; i++) {
		if (__atomic_load_n(&arguments->zones[i]->unpainted,
				    __ATOMIC_ACQUIRE)) {
			claw_zone_put(arguments->zones[i]);
			continue;
		}
		arguments->zones[kept] = arguments->zones[i];
		arguments->indices[kept++] = arguments->indices[i];
	}
	if (kept < arguments->count)
		claw_found_count(CLAW_COUNT_LAUNCHES_UNCHECKED, 1);
	arguments->count = kept;
}

static void check_all(struct launch *launch, struct arguments *arguments)
{
	struct claw_call *call = launch->call;

	if (!arguments->all)
		claw_found_count(CLAW_COUNT_LAUNCHES_UNCHECKED, 1);
	if (!arguments->count)
		claw_found_count(CLAW_COUNT_LAUNCHES_BARE, 1);
	leave_out_unpainted(arguments);
	if (!arguments->count)
		return;
	if (!call->site)
		call->site = claw_site_cached();
	claw_ours_begin();
	launch->in_order = !claw_device_is_out_of_order(
		claw_arg_pointer(call, CLAW_P_QUEUE));
	if (!launch->in_order && (!launch->event || is_lost(launch->event))) {
		claw_found_count(CLAW_COUNT_LAUNCHES_UNCHECKED, 1);
		put_arguments(arguments);
	} else {
		for (unsigned int i = 0; i < arguments->count;)
			i += check_some(launch, arguments, i);
	}
	claw_ours_end();
}

static void check_launch(struct claw_call *call, bool lent, bool is_behind)
{
	cl_event *const *event = event_of(call);
	struct arguments arguments;
	struct launch launch = {
		.call = call,
		.number = __atomic_add_fetch(&launches, 1, __ATOMIC_RELAXED),
		.event = *event ? **event : NULL,
		.is_behind = is_behind,
		.is_waited_for = *event && !lent,
	};

	find_arguments(call, &arguments);
	check_all(&launch, &arguments);
}

void claw_guard_launched(struct claw_call *call)
{
	cl_event **event = event_of(call);
	bool lent = *event == (cl_event *)&call->guard_event;
	bool is_behind = call->guard_wait != NULL;

	claw_ours_begin();
	claw_guard_order_put_back(call);
	claw_ours_end();
	if (!call->err && claw_zones_are_any())
		check_launch(call, lent, is_behind);
	if (!lent)
		return;
	*event = NULL;
	if (!call->err && call->guard_event) {
		claw_ours_begin();
		claw_next.clReleaseEvent(call->guard_event);
		claw_ours_end();
	}
}
