/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers that are parts of larger ones: making them and the program's own
 * parts of them, and filling their zones. Those are filled when a launch is to
 * use the buffer for the first time: on some drivers a buffer takes memory only
 * then, and so do ours.
 */
#include "config.h"

#include "guard_private.h"

#include <stdlib.h>
#include <string.h>


enum {
	ACCESS = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
	HOST_ACCESS = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY |
		      CL_MEM_HOST_NO_ACCESS,
};

static uint32_t unpainted;	/* zones */

bool claw_parts_are_unpainted(void)
{
	return __atomic_load_n(&unpainted, __ATOMIC_RELAXED) != 0;
}

/* ---- making */

static cl_mem make_part(cl_mem whole, cl_mem_flags flags, size_t origin,
			size_t bytes)
{
	cl_buffer_region region = { .origin = origin, .size = bytes };
	cl_int err;

	return claw_next.clCreateSubBuffer(whole, flags,
					   CL_BUFFER_CREATE_TYPE_REGION,
					   &region, &err);
}

/* Any kernel of ours may write to it, and we may read it; what the program may
 * do is said of its part. */
static cl_mem_flags whole_flags(const struct claw_zone *zone)
{
	cl_mem_flags flags = zone->flags & ~(cl_mem_flags)HOST_ACCESS;

	if (flags & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY))
		flags = (flags & ~(cl_mem_flags)ACCESS) | CL_MEM_READ_WRITE;
	/* The program's memory has no room for them. */
	if (flags & CL_MEM_USE_HOST_PTR && !zone->memory)
		flags ^= CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;
	return flags;
}

static size_t whole_bytes(const struct claw_zone *zone)
{
	return zone->front + zone->bytes + zone->back;
}

/* With the program's contents between its zones, from its beginning. */
static void make_filled(struct claw_zone *zone, const void *host)
{
	uint8_t *memory = malloc(whole_bytes(zone));
	cl_int err;

	if (!memory)
		return;
	claw_zone_fill(zone, memory);
	memcpy(memory + zone->front, host, zone->bytes);
	zone->whole = claw_next.clCreateBuffer(zone->context->context,
					       whole_flags(zone),
					       whole_bytes(zone), memory, &err);
	free(memory);
}

/* Our memory is the whole's as long as that is there. */
static void CL_CALLBACK whole_gone(cl_mem whole, void *zone)
{
	(void)whole;
	claw_zone_put(zone);
}

static void make_in_memory(struct claw_zone *zone)
{
	cl_int err;

	zone->whole = claw_next.clCreateBuffer(zone->context->context,
					       whole_flags(zone),
					       whole_bytes(zone), zone->memory,
					       &err);
	if (!zone->whole)
		return;
	claw_zone_hold(zone);
	if (!claw_next.clSetMemObjectDestructorCallback(zone->whole, whole_gone,
							zone))
		return;
	claw_next.clReleaseMemObject(zone->whole);
	zone->whole = NULL;
	claw_zone_put(zone);
}

static void make_empty(struct claw_zone *zone)
{
	cl_mem_flags flags = whole_flags(zone) &
			     ~(cl_mem_flags)CL_MEM_COPY_HOST_PTR;
	cl_int err;

	zone->whole = claw_next.clCreateBuffer(zone->context->context, flags,
					       whole_bytes(zone), NULL, &err);
}

static cl_uint context_references(cl_context context)
{
	cl_uint count = 0;

	claw_next.clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT,
				   sizeof(count), &count, NULL);
	return count;
}

static cl_uint references(cl_mem mem)
{
	cl_uint count = 0;

	claw_next.clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT,
				     sizeof(count), &count, NULL);
	return count;
}

/* The whole is kept by its part. */
static bool divide(struct claw_zone *zone)
{
	struct claw_guard_context *context = zone->context;
	cl_uint before = context_references(context->context);

	zone->mem = make_part(zone->whole, zone->flags & (ACCESS | HOST_ACCESS),
			      zone->front, zone->bytes);
	if (zone->mem && !__atomic_load_n(&context->parts, __ATOMIC_RELAXED)) {
		context->part_references =
			context_references(context->context) - before;
		context->whole_references = references(zone->whole) - 1;
	}
	claw_next.clReleaseMemObject(zone->whole);
	return zone->mem != NULL;
}

bool claw_part_is_too_large(const struct claw_guard_context *context,
			    size_t bytes, const void *host)
{
	enum { COPIED_MAX = 1 << 30 };	/* twice in memory, for a moment */

	return bytes + 2 * (uint64_t)CLAW_ZONE_LARGE > context->largest ||
	       (host && bytes > COPIED_MAX);
}

bool claw_part_make(struct claw_zone *zone, const void *host)
{
	if (claw_part_is_too_large(zone->context, zone->bytes, host))
		return false;
	if (zone->memory)
		make_in_memory(zone);
	else if (host)
		make_filled(zone, host);
	else
		make_empty(zone);
	if (!zone->whole || !divide(zone))
		return false;
	/* Filled or not: NVIDIA's driver brings the contents of the whole to
	 * the device when that is first used, after what a kernel did to it
	 * beside its part. */
	zone->unpainted = 1;
	__atomic_fetch_add(&unpainted, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&zone->context->parts, 1, __ATOMIC_RELAXED);
	return true;
}

void claw_part_gone(struct claw_zone *zone)
{
	if (zone->unpainted)
		__atomic_fetch_sub(&unpainted, 1, __ATOMIC_RELAXED);
	if (zone->mem && zone->whole)
		__atomic_fetch_sub(&zone->context->parts, 1, __ATOMIC_RELAXED);
}

/* ---- filling */

static void paint(struct claw_zone *const *zones, unsigned int count,
		  cl_command_queue queue)
{
	struct claw_guard_home *home = claw_home_of(zones[0]->context, queue);

	if (!home || !claw_home_paint(home, zones, count))
		return;
	for (unsigned int i = 0; i < count; i++)
		if (__atomic_exchange_n(&zones[i]->unpainted, 0,
					__ATOMIC_ACQ_REL))
			__atomic_fetch_sub(&unpainted, 1, __ATOMIC_RELAXED);
}

void claw_parts_paint(struct claw_zone *const *zones, unsigned int count,
		      cl_command_queue queue)
{
	struct claw_zone *some[CLAW_CHECK_ZONES];
	unsigned int n = 0;

	for (unsigned int i = 0; i < count; i++) {
		if (__atomic_load_n(&zones[i]->unpainted, __ATOMIC_ACQUIRE))
			some[n++] = zones[i];
		if (n == CLAW_CHECK_ZONES || (n && i + 1 == count)) {
			paint(some, n, queue);
			n = 0;
		}
	}
}

/* ---- the program's parts */

/* Its handle for the whole is kept as long as it has a part of it, as drivers
 * keep it. */
struct kept {
	struct kept *next;
	struct claw_zone *zone;		/* referenced */
};

static struct kept *to_release;		/* a stack, taken as a whole */

/* In whatever thread and state the driver is in: not the place to call it. */
static void CL_CALLBACK part_gone(cl_mem mem, void *data)
{
	struct kept *kept = data;

	(void)mem;
	kept->next = __atomic_load_n(&to_release, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&to_release, &kept->next, kept,
					    true, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
}

static void let_go(struct kept *kept)
{
	__atomic_fetch_sub(&kept->zone->kept, 1, __ATOMIC_RELAXED);
	claw_next.clReleaseMemObject(kept->zone->mem);
	claw_zone_put(kept->zone);
	free(kept);
}

bool claw_parts_are_waiting(void)
{
	return __atomic_load_n(&to_release, __ATOMIC_RELAXED);
}

void claw_parts_settle(void)
{
	struct kept *kept, *next;

	if (!claw_parts_are_waiting())
		return;
	kept = __atomic_exchange_n(&to_release, NULL, __ATOMIC_ACQUIRE);
	claw_ours_begin();
	for (; kept; kept = next) {
		next = kept->next;
		let_go(kept);
	}
	claw_ours_end();
}

static void keep(cl_mem part, struct claw_zone *zone)
{
	struct kept *kept = malloc(sizeof(*kept));

	if (!kept || claw_next.clRetainMemObject(zone->mem)) {
		free(kept);
		return;
	}
	__atomic_fetch_add(&zone->references, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&zone->kept, 1, __ATOMIC_RELAXED);
	kept->zone = zone;
	if (claw_next.clSetMemObjectDestructorCallback(part, part_gone, kept))
		let_go(kept);
}

/* What a driver says of a part that may do what its whole may not. */
static bool may_not(cl_mem_flags whole, cl_mem_flags part)
{
	cl_mem_flags access = whole & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
	cl_mem_flags host = whole & HOST_ACCESS;

	if (access && part & ACCESS & ~access)
		return true;
	if (host == CL_MEM_HOST_NO_ACCESS)
		return part & (HOST_ACCESS ^ CL_MEM_HOST_NO_ACCESS);
	return host && part & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY) &
		       ~host;
}

/* OpenCL 3.0, clCreateSubBuffer: where it says CL_INVALID_VALUE. */
static bool is_invalid(const struct claw_zone *zone, cl_mem_flags flags,
		       const cl_buffer_region *region)
{
	bool inside = region->origin <= zone->bytes &&
		      region->size <= zone->bytes - region->origin;

	if (zone->context->lax)		/* it looks at the origin only */
		inside = region->origin < zone->bytes;
	return may_not(zone->flags, flags) || !inside;
}

static cl_mem_flags part_flags(const struct claw_zone *zone,
			       cl_mem_flags flags)
{
	if (!(flags & ACCESS))
		flags |= zone->flags & ACCESS;
	if (!(flags & HOST_ACCESS))
		flags |= zone->flags & HOST_ACCESS;
	return flags;
}

static void answer(struct claw_call *call, cl_mem part, cl_int err)
{
	claw_guard_give(call, part);
	call->err = err;
	*(cl_int *)claw_arg_pointer(call, CLAW_P_ERRCODE) = err;
}

/* Everything but the region is the driver's to judge. */
static cl_mem ask(const struct claw_call *call, struct claw_zone *zone,
		  cl_int *ret_err)
{
	const cl_buffer_region *region =
		CLAW_ARG(call, clCreateSubBuffer, buffer_create_info);
	cl_buffer_create_type type =
		CLAW_ARG(call, clCreateSubBuffer, buffer_create_type);
	cl_mem_flags flags = CLAW_ARG(call, clCreateSubBuffer, flags);
	cl_buffer_region moved;
	cl_mem part;

	if (region && type == CL_BUFFER_CREATE_TYPE_REGION) {
		*ret_err = CL_INVALID_VALUE;
		if (is_invalid(zone, flags, region))
			return NULL;
		moved.origin = zone->front + region->origin;
		moved.size = region->size;
		region = &moved;
	}
	part = claw_next.clCreateSubBuffer(zone->whole, part_flags(zone, flags),
					   type, region, ret_err);
	if (part)
		keep(part, zone);
	return part;
}

void claw_part_make_sub(struct claw_call *call)
{
	struct claw_zone *zone =
		claw_zones_find(CLAW_ARG(call, clCreateSubBuffer, buffer));
	cl_int err;

	if (zone && zone->whole) {
		cl_mem part;

		claw_ours_begin();
		part = ask(call, zone, &err);
		claw_ours_end();
		answer(call, part, part ? CL_SUCCESS : err);
	}
	claw_zone_put(zone);
}

/* ---- does it work? */

static bool makes_image(cl_context context, cl_mem buffer)
{
	cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT32 };
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER,
		.image_width = 16,
		.mem_object = buffer,
	};
	cl_int err;
	cl_mem image = claw_next.clCreateImage(context, CL_MEM_READ_WRITE,
					       &format, &desc, NULL, &err);

	if (image)
		claw_next.clReleaseMemObject(image);
	return image != NULL;
}

/* NVIDIA's driver does. */
static bool makes_part_outside(cl_mem whole, size_t origin, size_t bytes)
{
	cl_mem part = make_part(whole, CL_MEM_READ_WRITE, origin, bytes + 1);

	if (part)
		claw_next.clReleaseMemObject(part);
	return part != NULL;
}

static bool has_images(const cl_device_id *devices, unsigned int count)
{
	cl_bool images = CL_FALSE;

	for (unsigned int i = 0; i < count && !images; i++)
		if (claw_next.clGetDeviceInfo(devices[i],
					      CL_DEVICE_IMAGE_SUPPORT,
					      sizeof(images), &images, NULL))
			images = CL_FALSE;
	return images && claw_next.clCreateImage;
}

bool claw_parts_work(struct claw_guard_context *context,
		     const cl_device_id *devices, unsigned int count)
{
	enum { BYTES = 1024 };
	cl_mem whole, part = NULL;
	bool works = false;
	cl_int err;

	if (!claw_next.clCreateSubBuffer ||
	    !claw_next.clSetMemObjectDestructorCallback)
		return false;
	whole = claw_next.clCreateBuffer(context->context, CL_MEM_READ_WRITE,
					 context->align + BYTES, NULL, &err);
	if (whole)
		part = make_part(whole, CL_MEM_READ_WRITE, context->align,
				 BYTES);
	if (part)
		works = !has_images(devices, count) ||
			makes_image(context->context, part) ||
			!makes_image(context->context, whole);
	if (works)
		context->lax = makes_part_outside(whole, context->align, BYTES);
	if (part)
		claw_next.clReleaseMemObject(part);
	if (whole)
		claw_next.clReleaseMemObject(whole);
	return works;
}

void claw_parts_begin(void)
{
	unpainted = 0;
	to_release = NULL;
}
