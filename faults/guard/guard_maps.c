/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers in the program's own memory (CL_MEM_USE_HOST_PTR) of a device that
 * has them apart from it: the program's memory is what the device has while it
 * is mapped, as the specification promises, and not otherwise, as on such a
 * device without us. A mapping is the driver's, of the guarded buffer, with its
 * event and its errors; the program gets the place in its own memory, and the
 * bytes are copied there when it is mapped, and back when it is unmapped.
 *
 * What is there at the first use of the buffer is what it begins with: NVIDIA's
 * driver takes it only then.
 *
 * Not kept: a transfer from mapped memory that is enqueued before the mapping is
 * complete, and waits for it (on an H200 a small one had the old bytes: as if
 * that driver read its source while it enqueues); and what a driver writes to
 * the program's memory when the buffer is freed.
 */
#include "config.h"

#include "guard_private.h"

#include <stdlib.h>
#include <string.h>

struct claw_map {
	struct claw_map *next;
	uint8_t *host;			/* the program's address */
	uint8_t *driver;		/* the driver's */
	size_t bytes;
	bool writes;
	bool is_going;			/* being unmapped */
};

/* Short, and few at a time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t total;		/* buffers of this process */
static uint32_t generation;	/* of processes, from one that forks to its child */

/* This thread's mapping whose bytes nobody copies. */
static __thread const struct claw_call *uncopied
	__attribute__((tls_model(CLAW_TLS_MODEL)));

/* What a mapping is of. */
struct view {
	struct claw_zone *zone;		/* referenced, or NULL */
	size_t offset, bytes;		/* in the zone */
	bool reads, writes;
};

static struct view view_of(const struct claw_call *call)
{
	cl_map_flags flags = CLAW_ARG(call, clEnqueueMapBuffer, map_flags);
	struct view view = {
		.zone = claw_zones_find_under(
			CLAW_ARG(call, clEnqueueMapBuffer, buffer)),
		.offset = CLAW_ARG(call, clEnqueueMapBuffer, offset),
		.bytes = CLAW_ARG(call, clEnqueueMapBuffer, size),
		.reads = !(flags & CL_MAP_WRITE_INVALIDATE_REGION),
		.writes =
			flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION),
	};

	if (!view.zone)
		return view;
	view.offset += claw_zone_origin(
		view.zone, CLAW_ARG(call, clEnqueueMapBuffer, buffer));
	if (!view.zone->host || view.offset > view.zone->bytes ||
	    view.bytes > view.zone->bytes - view.offset) {
		claw_zone_put(view.zone);
		view.zone = NULL;
	}
	return view;
}

/* What waits for the mapping reads the program's memory in the queue: the bytes
 * have to be there before it. */
static void prepare(struct claw_call *call)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	struct view view = view_of(call);
	cl_event event = NULL;
	bool out_of_order;

	uncopied = NULL;
	if (!view.zone)
		return;
	claw_ours_begin();
	out_of_order = claw_device_is_out_of_order(queue);
	if (view.reads && !CLAW_ARG(call, clEnqueueMapBuffer, blocking_map) &&
	    claw_next.clEnqueueReadBuffer(
		    queue, view.zone->whole, CL_FALSE,
		    view.zone->front + view.offset, view.bytes,
		    view.zone->host + view.offset,
		    CLAW_ARG(call, clEnqueueMapBuffer, num_events_in_wait_list),
		    CLAW_ARG(call, clEnqueueMapBuffer, event_wait_list),
		    out_of_order ? &event : NULL))
		uncopied = call;
	else if (event)
		claw_guard_order_wait_for(call, event);
	claw_ours_end();
	claw_zone_put(view.zone);
}

static void enter(struct claw_call *call, const struct view *view)
{
	struct claw_map *map = malloc(sizeof(*map));

	if (!map)
		return;		/* it stays the driver's address */
	*map = (struct claw_map){
		.host = view->zone->host + view->offset, .driver = call->ret,
		.bytes = view->bytes, .writes = view->writes,
	};
	if (view->reads && CLAW_ARG(call, clEnqueueMapBuffer, blocking_map))
		memcpy(map->host, map->driver, map->bytes);
	pthread_mutex_lock(&lock);
	map->next = view->zone->maps;
	view->zone->maps = map;
	pthread_mutex_unlock(&lock);
	call->ret = map->host;
}

static void mapped(struct claw_call *call)
{
	struct view view = view_of(call);

	/* One that will be hidden from the program is the driver's; so is one
	 * whose bytes are only there. */
	if (view.zone && call->ret && !call->post && uncopied != call)
		enter(call, &view);
	claw_zone_put(view.zone);
}

/* ---- unmapping */

/* Under the lock. */
static struct claw_map **find(struct claw_zone *zone, const void *at,
			      bool is_going)
{
	struct claw_map **link = &zone->maps;

	while (*link && ((*link)->is_going != is_going ||
			 (is_going ? (*link)->driver : (*link)->host) != at))
		link = &(*link)->next;
	return link;
}

static void unmapping(struct claw_call *call)
{
	struct claw_zone *zone = claw_zones_find_under(
		CLAW_ARG(call, clEnqueueUnmapMemObject, memobj));
	void **place =
		CLAW_ARG_PLACE(call, clEnqueueUnmapMemObject, mapped_ptr);
	struct claw_map *map;

	if (zone && zone->host) {
		pthread_mutex_lock(&lock);
		map = *find(zone, *place, false);
		if (map) {
			map->is_going = true;
			*place = map->driver;
			if (map->writes)
				memcpy(map->driver, map->host, map->bytes);
		}
		pthread_mutex_unlock(&lock);
	}
	claw_zone_put(zone);
}

static void unmapped(struct claw_call *call)
{
	struct claw_zone *zone = claw_zones_find_under(
		CLAW_ARG(call, clEnqueueUnmapMemObject, memobj));
	void **place =
		CLAW_ARG_PLACE(call, clEnqueueUnmapMemObject, mapped_ptr);
	struct claw_map **link, *map;

	if (zone && zone->host) {
		pthread_mutex_lock(&lock);
		link = find(zone, *place, true);
		map = *link;
		if (map) {
			map->is_going = false;
			*place = map->host;
		}
		if (map && !call->err) {
			*link = map->next;
			free(map);
		}
		pthread_mutex_unlock(&lock);
	}
	claw_zone_put(zone);
}

/* ---- the first use */

static void take(struct claw_zone *zone, cl_command_queue queue)
{
	struct claw_guard_home *home;

	if (!zone || !__atomic_exchange_n(&zone->untaken, 0, __ATOMIC_ACQ_REL))
		return;
	claw_ours_begin();
	home = claw_home_of(zone->context, queue);
	if (home)
		claw_home_write(home, zone, zone->host);
	claw_ours_end();
}

static void take_launched(const struct claw_call *call, cl_command_queue queue)
{
	struct claw_arguments arguments;

	claw_arguments_find(call, &arguments);
	for (unsigned int i = 0; i < arguments.count; i++)
		take(arguments.zones[i], queue);
	claw_arguments_put(&arguments);
}

static void take_named(const struct claw_call *call, cl_command_queue queue)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	for (unsigned int i = 0; i < info->param_count; i++) {
		struct claw_zone *zone;

		if (info->roles[i] != CLAW_P_MEM)
			continue;
		zone = claw_zones_find_under(CLAW_ARG_AT(call, void *, i));
		take(zone, queue);
		claw_zone_put(zone);
	}
}

/* ---- calls */

void claw_maps_before(struct claw_call *call)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);

	if (!__atomic_load_n(&total, __ATOMIC_RELAXED) || !queue)
		return;
	switch (call->api) {
	case CLAW_API_clEnqueueNDRangeKernel:
	case CLAW_API_clEnqueueTask:
		take_launched(call, queue);
		break;
	case CLAW_API_clEnqueueMapBuffer:
		take_named(call, queue);
		prepare(call);
		break;
	case CLAW_API_clEnqueueUnmapMemObject:
		unmapping(call);
		break;
	default:
		if (claw_api_table[call->api].groups & CLAW_G_TRANSFER)
			take_named(call, queue);
		break;
	}
}

void claw_maps_after(struct claw_call *call)
{
	if (!__atomic_load_n(&total, __ATOMIC_RELAXED))
		return;
	if (call->api == CLAW_API_clEnqueueMapBuffer) {
		claw_ours_begin();
		claw_guard_order_put_back(call);
		claw_ours_end();
		mapped(call);
	} else if (call->api == CLAW_API_clEnqueueUnmapMemObject) {
		unmapped(call);
	}
}

void claw_maps_add(struct claw_zone *zone)
{
	zone->untaken = 1;
	zone->maps_of = generation;
	__atomic_fetch_add(&total, 1, __ATOMIC_RELAXED);
}

void claw_maps_free(struct claw_zone *zone)
{
	struct claw_map *map, *next;

	if (zone->host && zone->maps_of == generation)
		__atomic_fetch_sub(&total, 1, __ATOMIC_RELAXED);
	for (map = zone->maps; map; map = next) {
		next = map->next;
		free(map);
	}
}

void claw_maps_begin(void)
{
	pthread_mutex_init(&lock, NULL);
	total = 0;
	generation++;
}

/* ---- does it have them apart? */

enum { PROBE_BYTES = 4096, OLD = 0x11, FILLED = 0x5a };

/* One that begins on a page and ends on one: if any is used in place, this one
 * is. What a command writes must not be seen without a mapping. */
static bool is_unseen(cl_command_queue queue, cl_mem mem, const uint8_t *memory)
{
	static const uint8_t filled = FILLED;
	uint8_t got = 0;

	return !claw_next.clEnqueueFillBuffer(queue, mem, &filled, 1, 0,
					      PROBE_BYTES, 0, NULL, NULL) &&
	       !claw_next.clFinish(queue) &&
	       !claw_next.clEnqueueReadBuffer(queue, mem, CL_TRUE, 64, 1, &got,
					      0, NULL, NULL) &&
	       got == FILLED && memory[64] == OLD;
}

static bool probe(cl_context context, cl_device_id device)
{
	cl_command_queue queue;
	cl_mem mem = NULL;
	void *memory;
	bool works = false;
	cl_int err;

	if (!claw_next.clEnqueueFillBuffer ||
	    posix_memalign(&memory, PROBE_BYTES, PROBE_BYTES))
		return false;
	memset(memory, OLD, PROBE_BYTES);
	queue = claw_next.clCreateCommandQueue(context, device, 0, &err);
	if (queue)
		mem = claw_next.clCreateBuffer(context, CL_MEM_USE_HOST_PTR,
					       PROBE_BYTES, memory, &err);
	if (mem)
		works = is_unseen(queue, mem, memory);
	if (mem)
		claw_next.clReleaseMemObject(mem);
	if (queue)
		claw_next.clReleaseCommandQueue(queue);
	free(memory);
	return works;
}

/* A device that has them in place, and does not call our functions, has none
 * that is guarded. */
static bool are_apart(cl_context context)
{
	enum { DEVICES_MAX = 64 };
	cl_device_id devices[DEVICES_MAX];
	size_t bytes = 0;

	if (claw_next.clGetContextInfo(context, CL_CONTEXT_DEVICES,
				       sizeof(devices), devices, &bytes))
		return false;
	for (size_t i = 0; i < bytes / sizeof(*devices); i++)
		if (!probe(context, devices[i]))
			return false;
	return bytes != 0;
}

bool claw_maps_work(struct claw_guard_context *context)
{
	uint8_t apart = __atomic_load_n(&context->apart, __ATOMIC_RELAXED);

	if (apart == CLAW_APART_UNKNOWN) {
		apart = are_apart(context->context) ? CLAW_APART_YES :
			CLAW_APART_NO;
		__atomic_store_n(&context->apart, apart, __ATOMIC_RELAXED);
	}
	return apart == CLAW_APART_YES;
}
