/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is carried over between the program's memory and shadows beside a call
 * (guard_shadow.h): a function of ours runs in the queue before the command,
 * which waits for what the command waits for, and takes in what the program
 * wrote; and one behind a command that may write, which brings that back. What a
 * mapping shows is brought before it, and is at the program's address.
 */
#include "config.h"

#include "guard_private.h"

#include <stdlib.h>

struct span {
	struct claw_zone *zone;		/* referenced */
	size_t offset, bytes;
	bool writes;			/* the command may */
};

/* One way, for one call. */
struct claw_guard_sync {
	struct claw_native native;
	bool pushes;
	unsigned int count;
	struct span spans[CLAW_ARGUMENTS_MAX];	/* allocated are count */
};

/* ---- doing it */

static void close_spans(struct claw_guard_sync *sync)
{
	for (unsigned int i = 0; i < sync->count; i++) {
		if (sync->pushes && sync->spans[i].writes)
			claw_shadow_end_writing(sync->spans[i].zone->shadow);
		claw_zone_put(sync->spans[i].zone);
	}
}

static void run(struct claw_native *native)
{
	struct claw_guard_sync *sync = (struct claw_guard_sync *)native;

	for (unsigned int i = 0; i < sync->count; i++) {
		const struct span *span = &sync->spans[i];

		if (sync->pushes)
			claw_shadow_push(span->zone->shadow, span->offset,
					 span->bytes);
		else
			claw_shadow_pull(span->zone->shadow, span->offset,
					 span->bytes);
	}
	close_spans(sync);
}

static void free_sync(struct claw_native *native)
{
	free(native);
}

/* Those of all spans that are wanted, or NULL: there are none. */
static struct claw_guard_sync *copy(const struct claw_guard_sync *all,
				    bool pushes, bool only_written)
{
	struct claw_guard_sync *sync;
	unsigned int count = 0;

	for (unsigned int i = 0; i < all->count; i++)
		count += !only_written || all->spans[i].writes;
	if (!count)
		return NULL;
	sync = malloc(offsetof(struct claw_guard_sync, spans) +
		      count * sizeof(*sync->spans));
	if (!sync)
		return NULL;
	sync->native.run = run;
	sync->native.free = free_sync;
	sync->pushes = pushes;
	sync->count = 0;
	for (unsigned int i = 0; i < all->count; i++) {
		const struct span *span = &all->spans[i];

		if (only_written && !span->writes)
			continue;
		claw_zone_hold(span->zone);
		sync->spans[sync->count++] = *span;
	}
	return sync;
}

/* ---- what a call touches */

static void add(struct claw_guard_sync *spans, struct claw_zone *zone,
		bool writes)
{
	spans->spans[spans->count++] = (struct span){
		.zone = zone, .bytes = zone->bytes, .writes = writes,
	};
}

/* A transfer says which bytes. */
static void narrow(const struct claw_call *call, unsigned int param,
		   struct span *span)
{
	struct claw_range ranges[CLAW_MAX_TOUCHES];
	unsigned int count = claw_ranges_find(call, ranges);

	for (unsigned int i = 0; i < count; i++) {
		if (ranges[i].param != param || ranges[i].overflows ||
		    !ranges[i].mem)
			continue;
		span->offset = claw_zone_origin(span->zone, ranges[i].mem) +
			       ranges[i].offset;
		span->bytes = ranges[i].bytes;
	}
}

static void find_named(const struct claw_call *call, unsigned int param,
		       bool is_written, struct claw_guard_sync *spans)
{
	struct claw_zone *zone =
		claw_zones_find_under(CLAW_ARG_AT(call, void *, param));

	if (zone && zone->shadow) {
		add(spans, zone, is_written);
		narrow(call, param, &spans->spans[spans->count - 1]);
	} else {
		claw_zone_put(zone);
	}
}

/* A kernel must not write to a buffer that is for reading. */
static bool may_write(const struct claw_zone *zone)
{
	return !(zone->flags & CL_MEM_READ_ONLY);
}

static void find_launched(const struct claw_call *call,
			  struct claw_guard_sync *spans)
{
	struct claw_arguments arguments;

	claw_arguments_find(call, &arguments);
	for (unsigned int i = 0; i < arguments.count; i++) {
		struct claw_zone *zone = arguments.zones[i];

		if (zone->shadow)
			add(spans, zone, may_write(zone));
		else
			claw_zone_put(zone);
	}
	if (!arguments.all)
		claw_shadows_pull_and_keep();
}

static void find_spans(const struct claw_call *call,
		       struct claw_guard_sync *spans)
{
	const struct claw_touch *touches = claw_api_table[call->api].touches;

	spans->count = 0;
	if (claw_api_is_launch(call->api) ||
	    call->api == CLAW_API_clEnqueueNativeKernel)
		find_launched(call, spans);
	else if (call->api == CLAW_API_clEnqueueUnmapMemObject)
		find_named(call, CLAW_AT(clEnqueueUnmapMemObject, memobj), true,
			   spans);
	for (unsigned int i = 0; i < CLAW_MAX_TOUCHES; i++)
		if (touches[i].kind && touches[i].kind <= CLAW_TOUCH_IMAGE)
			find_named(call, (unsigned int)touches[i].memory,
				   touches[i].access == CLAW_TOUCH_WRITES,
				   spans);
}

/* ---- before */

static void wait_list(const struct claw_call *call, cl_uint *ret_count,
		      const cl_event **ret_list)
{
	int i = claw_api_find_param(call->api, CLAW_P_WAIT_LIST);

	*ret_count = i < 1 ? 0 : *(const cl_uint *)call->args[i - 1];
	*ret_list = i < 1 ? NULL : CLAW_ARG_AT(call, cl_event *, i);
}

/* What the program wrote, for the command; what it is shown, for a mapping. */
static void put_before(struct claw_call *call, cl_command_queue queue,
		       const struct claw_guard_sync *spans)
{
	struct claw_guard_sync *sync = copy(spans, claw_api_is_map(call->api),
					    false);
	bool out_of_order = claw_device_is_out_of_order(queue);
	cl_event event = NULL;
	const cl_event *list;
	cl_uint count;

	if (!sync)
		return;		/* no memory: as a driver that caches it */
	wait_list(call, &count, &list);
	if (!claw_native_put(&sync->native, queue, count, list,
			     out_of_order ? &event : NULL)) {
		run(&sync->native);
		free(sync);
	}
	if (event)
		claw_guard_order_wait_for(call, event);
}

/* It is for what is done behind the command. */
static void prepare_after(struct claw_call *call, cl_command_queue queue,
			  const struct claw_guard_sync *spans)
{
	struct claw_guard_sync *sync = copy(spans, true, true);

	call->guards.sync = sync;
	for (unsigned int i = 0; i < spans->count; i++)
		if (spans->spans[i].writes)
			claw_shadow_begin_writing(spans->spans[i].zone->shadow);
	if (sync)
		claw_guard_event_lend(call, queue);
}

/* The driver's address of a mapping, where the program was told its own. What it
 * wrote there is taken in by the next command. */
static bool unmap(struct claw_call *call)
{
	struct claw_zone *zone = claw_zones_find_under(
		CLAW_ARG(call, clEnqueueUnmapMemObject, memobj));
	void **place =
		CLAW_ARG_PLACE(call, clEnqueueUnmapMemObject, mapped_ptr);
	void *at = zone && zone->shadow ?
		claw_shadow_to_device(zone->shadow, *place) : NULL;

	claw_zone_put(zone);
	if (at)
		*place = at;
	return at != NULL;
}

void claw_guard_sync_before(struct claw_call *call)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	struct claw_guard_sync spans;

	if (!claw_shadows_are_any())
		return;
	if (call->api == CLAW_API_clEnqueueCommandBufferKHR)
		claw_shadows_pull_and_keep();
	if (!queue || (call->api == CLAW_API_clEnqueueUnmapMemObject &&
		       unmap(call)))
		return;
	claw_ours_begin();
	find_spans(call, &spans);
	if (spans.count) {
		put_before(call, queue, &spans);
		prepare_after(call, queue, &spans);
		spans.pushes = false;
		close_spans(&spans);
	}
	claw_ours_end();
}

/* ---- after */

/* Behind it, or now when nobody knows when that is. */
static void put_behind(struct claw_call *call, struct claw_guard_sync *sync)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	bool waits = claw_device_is_out_of_order(queue);
	cl_event event = claw_guard_event_of(call);

	if ((waits && (!event || claw_guard_event_is_lost(event))) ||
	    !claw_native_put(&sync->native, queue, waits ? 1 : 0,
			     waits ? &event : NULL, NULL)) {
		/* Each time that the program waits, from now on. */
		for (unsigned int i = 0; i < sync->count; i++)
			claw_shadow_begin_writing(sync->spans[i].zone->shadow);
		run(&sync->native);
		free(sync);
	}
}

static void give_up(struct claw_guard_sync *sync)
{
	close_spans(sync);
	free(sync);
}

/* Where the program's memory is, which a mapping is of. */
static void map(struct claw_call *call)
{
	struct claw_zone *zone;
	void *at;

	/* One that will be hidden from the program is the driver's. */
	if (!call->ret || call->post)
		return;
	zone = claw_zones_find_under(claw_arg_pointer(call, CLAW_P_MEM));
	at = zone && zone->shadow ?
		claw_shadow_to_host(zone->shadow, call->ret) : NULL;
	if (at)
		call->ret = at;
	claw_zone_put(zone);
}

static void put_back_unmap(struct claw_call *call)
{
	struct claw_zone *zone = claw_zones_find_under(
		CLAW_ARG(call, clEnqueueUnmapMemObject, memobj));
	void **place =
		CLAW_ARG_PLACE(call, clEnqueueUnmapMemObject, mapped_ptr);
	void *at = zone && zone->shadow ?
		claw_shadow_to_host(zone->shadow, *place) : NULL;

	if (at)
		*place = at;
	claw_zone_put(zone);
}

static bool is_launch(enum claw_api api)
{
	return claw_api_is_launch(api) ||
	       api == CLAW_API_clEnqueueNativeKernel;
}

void claw_guard_sync_after(struct claw_call *call)
{
	struct claw_guard_sync *sync = call->guards.sync;

	call->guards.sync = NULL;
	if (!sync && !claw_shadows_are_any())
		return;
	claw_ours_begin();
	if (sync && call->err)
		give_up(sync);
	else if (sync)
		put_behind(call, sync);
	if (!is_launch(call->api)) {
		claw_guard_order_put_back(call);
		claw_guard_event_take_back(call);
	}
	claw_ours_end();
	if (claw_api_is_map(call->api))
		map(call);
	else if (call->api == CLAW_API_clEnqueueUnmapMemObject)
		put_back_unmap(call);
}

/* Called before the program's function: the last one is the first. */
static void CL_CALLBACK is_going(cl_mem mem, void *data)
{
	(void)mem;
	(void)data;
	claw_shadows_push();
}

void claw_guard_sync_destruction(const struct claw_call *call)
{
	cl_mem mem = CLAW_ARG(call, clSetMemObjectDestructorCallback, memobj);
	struct claw_zone *zone = claw_zones_find_under(mem);

	if (zone && zone->shadow) {
		claw_ours_begin();
		claw_next.clSetMemObjectDestructorCallback(mem, is_going, NULL);
		claw_ours_end();
	}
	claw_zone_put(zone);
}
