/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches: which guarded buffers a kernel could have written to, and a check
 * of their zones just behind it in its queue. The program's parameters, wait
 * list and event are what they were.
 */
#include "config.h"

#include "guard_private.h"

#include <string.h>

#include "faults/instrument/instrument.h"
#include "faults/journal/site_cache.h"

static uint64_t launches;		/* in this process */

void claw_guard_launches_begin(void)
{
	launches = 0;
}

/* ---- before */

static void paint(const struct claw_call *call, cl_command_queue queue)
{
	struct claw_arguments arguments;

	claw_arguments_find(call, &arguments);
	claw_parts_paint(arguments.zones, arguments.count, queue);
	claw_arguments_put(&arguments);
}

void claw_guard_launching(struct claw_call *call)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);

	if (!claw_zones_are_any() || !queue)
		return;
	claw_ours_begin();
	if (claw_parts_are_unpainted())
		paint(call, queue);
	claw_guard_event_lend(call, queue);
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
			       const struct claw_arguments *arguments,
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
	check->is_rest = from > 0;
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
static void leave_out_unpainted(struct claw_arguments *arguments)
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

static void check_all(struct launch *launch, struct claw_arguments *arguments)
{
	struct claw_call *call = launch->call;

	if (!arguments->all)
		claw_found_count(CLAW_COUNT_LAUNCHES_UNCHECKED, 1);
	if (!arguments->count)
		claw_found_count(CLAW_COUNT_LAUNCHES_BARE, 1);
	if (arguments->has_part && !claw_instrument_checks())
		claw_found_count(CLAW_COUNT_LAUNCHES_PART, 1);
	leave_out_unpainted(arguments);
	if (!arguments->count)
		return;
	if (!call->site)
		call->site = claw_site_cached();
	claw_ours_begin();
	launch->in_order = !claw_device_is_out_of_order(
		claw_arg_pointer(call, CLAW_P_QUEUE));
	if (!launch->in_order && (!launch->event || claw_guard_event_is_lost(launch->event))) {
		claw_found_count(CLAW_COUNT_LAUNCHES_UNCHECKED, 1);
		claw_arguments_put(arguments);
	} else {
		for (unsigned int i = 0; i < arguments->count;)
			i += check_some(launch, arguments, i);
	}
	claw_ours_end();
}

static void check_launch(struct claw_call *call, bool is_behind)
{
	cl_event event = claw_guard_event_of(call);
	struct claw_arguments arguments;
	struct launch launch = {
		.call = call,
		.number = __atomic_add_fetch(&launches, 1, __ATOMIC_RELAXED),
		.event = event,
		.is_behind = is_behind,
		.is_waited_for = event && !claw_guard_event_is_lent(call),
	};

	claw_arguments_find(call, &arguments);
	check_all(&launch, &arguments);
}

void claw_guard_launched(struct claw_call *call)
{
	bool is_behind = claw_guard_order_is_behind(call);

	claw_ours_begin();
	claw_guard_order_put_back(call);
	claw_ours_end();
	if (!call->err && claw_zones_are_any())
		check_launch(call, is_behind);
	claw_guard_event_take_back(call);
}
