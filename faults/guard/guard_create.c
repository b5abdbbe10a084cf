/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making guarded buffers. Whatever does not work out is left to the driver, as
 * the program asked for it: the program's errors are the driver's to tell.
 */
#include "config.h"

#include "guard_private.h"

#include <stdlib.h>
#include <string.h>

#include "faults/journal/site_cache.h"

/* What the program asked for. */
struct wish {
	cl_context context;
	const cl_mem_properties *properties;
	bool with_properties;		/* made by that function */
	cl_mem_flags flags;
	size_t bytes;
	void *host;
};

enum {
	ACCESS = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
	HOST_ACCESS = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY |
		      CL_MEM_HOST_NO_ACCESS,
	PLACES = CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR,
	KNOWN = ACCESS | HOST_ACCESS | PLACES | CL_MEM_USE_HOST_PTR |
		CL_MEM_KERNEL_READ_AND_WRITE,
};

static struct wish read_wish(const struct claw_call *call)
{
	bool with = call->api == CLAW_API_clCreateBufferWithProperties;

	return (struct wish){
		.context = claw_arg_pointer(call, CLAW_P_CONTEXT),
		.properties = with ? CLAW_ARG(call,
			clCreateBufferWithProperties, properties) : NULL,
		.with_properties = with,
		.flags = claw_call_flags(call),
		.bytes = claw_call_bytes(call),
		.host = claw_arg_pointer(call, CLAW_P_HOST_PTR),
	};
}

static bool has_properties(const struct wish *wish)
{
	return wish->properties && wish->properties[0];
}

static bool has_several(cl_mem_flags flags)
{
	return flags & (flags - 1);
}

/* One that the driver would make, and that has nothing about it that a guarded
 * one cannot have. */
static bool can_guard(const struct wish *wish)
{
	bool copies = wish->flags & CL_MEM_COPY_HOST_PTR;
	bool uses = wish->flags & CL_MEM_USE_HOST_PTR;

	return wish->context && wish->bytes && !has_properties(wish) &&
	       !(wish->flags & ~(cl_mem_flags)KNOWN) &&
	       !has_several(wish->flags & ACCESS) &&
	       !has_several(wish->flags & HOST_ACCESS) &&
	       (copies || uses) == (wish->host != NULL) &&
	       !(uses && (wish->flags & PLACES ||
			  !claw_shadow_is_possible(wish->bytes))) &&
	       wish->bytes < SIZE_MAX - 4 * CLAW_ZONE_LARGE;
}

/* ---- destruction */

static void free_zone(struct claw_zone *zone)
{
	claw_part_gone(zone);
	claw_shadow_free(zone->shadow);
	claw_maps_free(zone);
	free(zone->memory);
	claw_guard_context_put(zone->context);
	free(zone);
}

void claw_zone_put(struct claw_zone *zone)
{
	if (zone && !__atomic_sub_fetch(&zone->references, 1,
					__ATOMIC_ACQ_REL))
		free_zone(zone);
}

/* The driver is done with the program's buffer. In a thread of its own, or
 * within a call that knows nothing of it. */
static void CL_CALLBACK forget_buffer(cl_mem mem, void *data)
{
	struct claw_zone *zone = data;

	(void)mem;
	claw_zones_remove(zone);
	claw_zone_put(zone);
}

/* ---- creation */

static size_t round_up(size_t bytes, size_t to)
{
	return (bytes + to - 1) / to * to;
}

/* As the driver would tell them. */
static cl_mem_flags full_flags(const struct claw_guard_context *context,
			       cl_mem_flags flags)
{
	if (!flags)
		return context->plain_flags;
	return flags & ACCESS ? flags : flags | (context->copy_flags & ACCESS);
}

static struct claw_zone *new_zone(struct claw_guard_context *context,
				  const struct wish *wish)
{
	struct claw_zone *zone = calloc(1, sizeof(*zone));
	size_t side = wish->bytes < CLAW_ZONE_LARGE_FROM ? CLAW_ZONE_SMALL :
		CLAW_ZONE_LARGE;

	if (!zone)
		return NULL;
	zone->front = round_up(side, context->align);
	/* To the end of a word. */
	zone->back = round_up(wish->bytes + side, 4) - wish->bytes;
	zone->bytes = wish->bytes;
	zone->flags = full_flags(context, wish->flags);
	zone->start = claw_pattern_next_start();
	zone->references = 1;		/* the driver's buffer's */
	zone->context = context;
	return zone;
}

void claw_zone_fill(const struct claw_zone *zone, uint8_t *memory)
{
	const uint8_t *pattern = claw_pattern() + zone->start * 4;

	memcpy(memory, pattern, zone->front);
	memcpy(memory + zone->front + zone->bytes,
	       pattern + zone->front + zone->bytes % 4, zone->back);
}

size_t claw_zone_origin(const struct claw_zone *zone, const void *mem)
{
	size_t origin = 0;

	if (mem == zone->mem ||
	    claw_next.clGetMemObjectInfo((cl_mem)(uintptr_t)mem, CL_MEM_OFFSET,
					 sizeof(origin), &origin, NULL))
		return 0;
	return zone->whole && origin >= zone->front ? origin - zone->front :
		origin;
}

static cl_mem ask(const struct wish *wish, cl_mem_flags flags, size_t bytes,
		  void *host)
{
	cl_int err = CL_SUCCESS;

	return wish->with_properties ?
		claw_next.clCreateBufferWithProperties(wish->context,
						       wish->properties, flags,
						       bytes, host, &err) :
		claw_next.clCreateBuffer(wish->context, flags, bytes, host,
					 &err);
}

/* With what the program gave between the zones. */
static bool make_memory(struct claw_zone *zone, const struct wish *wish)
{
	size_t align = zone->front >= CLAW_ZONE_LARGE ? CLAW_ZONE_LARGE :
		zone->context->align;
	void *memory;

	if (posix_memalign(&memory, align,
			   zone->front + zone->bytes + zone->back))
		return false;
	zone->memory = memory;
	claw_zone_fill(zone, memory);
	if (wish->flags & CL_MEM_USE_HOST_PTR) {
		zone->shadow = claw_shadow_new(wish->host,
					       zone->memory + zone->front,
					       wish->bytes);
		return zone->shadow != NULL;
	}
	if (wish->host)
		memcpy(zone->memory + zone->front, wish->host, wish->bytes);
	return true;
}

/* In memory of ours. */
static bool make_in_host(struct claw_zone *zone, const struct wish *wish)
{
	/* The driver will refuse it before it reads what the program gave. */
	if (zone->bytes > zone->context->largest || !make_memory(zone, wish))
		return false;
	zone->mem = ask(wish, (zone->flags & ~(cl_mem_flags)PLACES) |
			      CL_MEM_USE_HOST_PTR,
			zone->bytes, zone->memory + zone->front);
	return zone->mem != NULL;
}

/* As a part of one in memory of ours, or of the driver's. */
static bool make_in_part(struct claw_zone *zone, const struct wish *wish)
{
	if (!(wish->flags & CL_MEM_USE_HOST_PTR))
		return claw_part_make(zone, wish->host);
	if (zone->context->in_place)
		return !claw_part_is_too_large(zone->context, zone->bytes,
					       NULL) &&
		       make_memory(zone, wish) && claw_part_make(zone, NULL);
	if (!claw_maps_work(zone->context) ||
	    !claw_part_make(zone, wish->host))
		return false;
	zone->host = wish->host;
	claw_maps_add(zone);
	return true;
}

static bool make(struct claw_zone *zone, const struct wish *wish)
{
	bool made = zone->context->mode == CLAW_GUARD_HOST ?
		make_in_host(zone, wish) : make_in_part(zone, wish);

	if (made && claw_next.clSetMemObjectDestructorCallback(zone->mem,
							       forget_buffer,
							       zone)) {
		claw_next.clReleaseMemObject(zone->mem);
		made = false;
	}
	return made;
}

void claw_guard_create(struct claw_call *call)
{
	struct wish wish = read_wish(call);
	struct claw_guard_context *context;
	struct claw_zone *zone = NULL;
	bool made = false;

	if (!can_guard(&wish))
		return;
	context = claw_guard_context_get(wish.context);
	if (context && context->mode != CLAW_GUARD_NONE)
		zone = new_zone(context, &wish);
	if (!zone) {
		claw_guard_context_put(context);
		return;
	}
	claw_ours_begin();
	made = make(zone, &wish);
	claw_ours_end();
	if (!made) {
		claw_zone_put(zone);
		return;
	}
	if (!call->site)
		call->site = claw_site_cached();
	zone->site = call->site;
	zone->api = (uint16_t)call->api;
	claw_zones_add(zone);
	claw_found_count(CLAW_COUNT_GUARDED, 1);
	claw_guard_give(call, zone->mem);
}

/* ---- those that are not guarded */

static enum claw_found_count why_bare(const struct claw_call *call)
{
	struct wish wish = read_wish(call);
	struct claw_guard_context *context;
	bool large;

	if (has_properties(&wish))
		return CLAW_COUNT_BARE_SHARED;
	if (wish.flags & CL_MEM_USE_HOST_PTR)
		return CLAW_COUNT_BARE_HOST_PTR;
	context = claw_guard_context_get(wish.context);
	large = context && context->mode == CLAW_GUARD_PART &&
		claw_part_is_too_large(context, wish.bytes, wish.host);
	claw_guard_context_put(context);
	return large ? CLAW_COUNT_BARE_LARGE : CLAW_COUNT_BARE_REFUSED;
}

void claw_guard_created(struct claw_call *call)
{
	if (call->guarded || !call->ret)
		return;
	claw_zones_forget(call->ret);
	if (claw_api_makes_buffer(call->api))
		claw_found_count(why_bare(call), 1);
	else if (!(claw_api_table[call->api].groups & CLAW_G_ALLOC) &&
		 !claw_api_makes_part(call->api))
		claw_found_count(CLAW_COUNT_BARE_SHARED, 1);
}
