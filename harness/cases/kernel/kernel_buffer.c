/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers as arguments: made with guard zones around, filled with what the
 * test puts into them, and what is a part of another one.
 */
#include "config.h"

#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#include "harness/cases/clw/clw_random.h"

enum {
	HOST_ALIGNMENT = 4096,	/* of memory for CL_MEM_USE_HOST_PTR */
	PIECE_BYTES = 16 << 20,	/* of a large buffer, written at a time */
};

/* ---- options, which are on arg_in or on arg_out ---------------------- */

static const struct claw_clw_arg *
find_sub_buffer(const struct claw_kernel_object *object)
{
	if (object->in && object->in->is_sub_buffer)
		return object->in;
	return object->out && object->out->is_sub_buffer ? object->out : NULL;
}

static uint64_t find_flags(const struct claw_kernel_object *object)
{
	return (object->in ? object->in->mem_flags : 0) |
	       (object->out ? object->out->mem_flags : 0);
}

/* ---- filling --------------------------------------------------------- */

/* What the test puts into the memory from there on (whole elements), at bytes;
 * false: nothing. */
static bool put_data(const struct claw_kernel_run *run,
		     const struct claw_kernel_object *object, size_t from,
		     size_t count, unsigned char *bytes)
{
	const struct claw_clw_arg *in = object->in;

	if (in && in->fill == CLAW_CLW_DATA && in->data) {
		memcpy(bytes, (const unsigned char *)in->data + from, count);
		return true;
	}
	if (in && in->fill == CLAW_CLW_RANDOM) {
		claw_clw_random(in, run->options.seed, from, count, bytes);
		return true;
	}
	if (run->options.bare)
		return false;
	claw_kernel_poison(bytes, count);
	return true;
}

/* Everything from the front zone to the guard zone; malloced. ret_whole: it
 * all goes to the device, else the front alone. */
static unsigned char *make_bytes(const struct claw_kernel_run *run,
				 const struct claw_kernel_object *object,
				 size_t total, bool *ret_whole)
{
	size_t room = (total + HOST_ALIGNMENT - 1) / HOST_ALIGNMENT *
		      HOST_ALIGNMENT;
	unsigned char *bytes = aligned_alloc(HOST_ALIGNMENT, room ? room :
					     HOST_ALIGNMENT);

	if (!bytes)
		return NULL;
	claw_kernel_guard_fill(object, true, bytes);
	*ret_whole = put_data(run, object, 0, object->size_bytes,
			      bytes + object->front_bytes);
	claw_kernel_guard_fill(object, false, bytes + object->front_bytes +
			       object->size_bytes);
	return bytes;
}

static bool write_buffer(struct claw_kernel_run *run,
			 const struct claw_kernel_object *object, size_t from,
			 size_t count, const void *bytes)
{
	cl_int err = CL_SUCCESS;

	if (count > 0)
		err = clEnqueueWriteBuffer(run->queue, object->memory, CL_TRUE,
					   from, count, bytes, 0, NULL, NULL);
	return err == CL_SUCCESS ||
	       claw_kernel_fail_call(run, "clEnqueueWriteBuffer",
				     claw_kernel_about(object), err);
}

static bool write_zone(struct claw_kernel_run *run,
		       const struct claw_kernel_object *object, bool is_front)
{
	size_t count = is_front ? object->front_bytes : object->guard_bytes;
	size_t from = is_front ? 0 : object->front_bytes + object->size_bytes;
	unsigned char *bytes = malloc(count ? count : 1);
	bool held;

	if (!bytes)
		return claw_kernel_break(run, "a guard zone");
	claw_kernel_guard_fill(object, is_front, bytes);
	held = write_buffer(run, object, from, count, bytes);
	free(bytes);
	return held;
}

/* A large buffer is filled piece by piece: nothing of its size is needed
 * here. */
static bool write_large(struct claw_kernel_run *run,
			const struct claw_kernel_object *object)
{
	unsigned char *bytes = malloc(PIECE_BYTES);
	bool held = true;
	size_t count;

	if (!bytes)
		return claw_kernel_break(run, "a buffer's bytes");
	for (size_t at = 0; held && at < object->size_bytes; at += count) {
		count = object->size_bytes - at < PIECE_BYTES ?
			object->size_bytes - at : PIECE_BYTES;
		if (!put_data(run, object, at, count, bytes))
			break;
		held = write_buffer(run, object, object->front_bytes + at,
				    count, bytes);
	}
	free(bytes);
	return held && write_zone(run, object, true) &&
	       write_zone(run, object, false);
}

static bool write_small(struct claw_kernel_run *run,
			const struct claw_kernel_object *object, size_t total)
{
	bool is_whole = false, held;
	unsigned char *bytes = make_bytes(run, object, total, &is_whole);

	if (!bytes)
		return claw_kernel_break(run, "a buffer's bytes");
	held = write_buffer(run, object, 0, is_whole ? total :
			    object->front_bytes, bytes);
	free(bytes);
	return held;
}

/* ---- making ---------------------------------------------------------- */

/* The buffer with its zones, with bytes in it. */
static bool make_whole(struct claw_kernel_run *run,
		       struct claw_kernel_object *object, size_t total)
{
	uint64_t flags = find_flags(object);
	bool comes_along = flags & (CL_MEM_USE_HOST_PTR |
				    CL_MEM_COPY_HOST_PTR);
	bool is_whole;
	cl_int err = CL_SUCCESS;

	if (comes_along) {
		object->host = make_bytes(run, object, total, &is_whole);
		if (!object->host)
			return claw_kernel_break(run, "a buffer's bytes");
	}
	object->memory = clCreateBuffer(run->context, flags, total,
					object->host, &err);
	if (!object->memory)
		return claw_kernel_fail_call(run, "clCreateBuffer",
					     claw_kernel_about(object), err);
	if (comes_along)
		return true;
	return total > PIECE_BYTES ? write_large(run, object) :
				     write_small(run, object, total);
}

static cl_mem new_sub_buffer(cl_mem parent, uint64_t flags, size_t origin,
			     size_t size, cl_int *ret_err)
{
	cl_buffer_region region = { origin, size };
	cl_mem_flags access = flags & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);

	return clCreateSubBuffer(parent, access, CL_BUFFER_CREATE_TYPE_REGION,
				 &region, ret_err);
}

bool claw_kernel_make_buffer(struct claw_kernel_run *run,
			     struct claw_kernel_object *object)
{
	const struct claw_clw_arg *sub = find_sub_buffer(object);
	cl_int err = CL_SUCCESS;

	object->front_bytes = sub ? sub->offset_bytes : 0;
	object->guard_bytes = claw_kernel_guard_bytes(run, object);
	if (!make_whole(run, object, object->front_bytes + object->size_bytes +
			object->guard_bytes))
		return false;
	if (!sub)
		return true;
	object->parent = object->memory;
	object->memory = new_sub_buffer(object->parent, find_flags(object),
					sub->offset_bytes, object->size_bytes,
					&err);
	return object->memory ||
	       claw_kernel_fail_call(run, "clCreateSubBuffer", sub, err);
}

bool claw_kernel_make_alias(struct claw_kernel_run *run,
			    struct claw_kernel_object *object,
			    const struct claw_clw_arg *alias,
			    const struct claw_kernel_object *target)
{
	const struct claw_clw_arg *sub = find_sub_buffer(object);
	cl_int err = CL_SUCCESS;

	if ((sub ? sub->offset_bytes : 0) + object->size_bytes >
	    target->size_bytes)
		return claw_kernel_refuse(run, alias->line, "argument %u: "
					  "expected at most the %zu bytes of "
					  "argument %u, found %zu",
					  alias->index, target->size_bytes,
					  alias->alias, object->size_bytes +
					  (sub ? sub->offset_bytes : 0));
	if (sub) {
		object->memory = new_sub_buffer(
			target->parent ? target->parent : target->memory,
			find_flags(object),
			target->front_bytes + sub->offset_bytes,
			object->size_bytes, &err);
		if (!object->memory)
			return claw_kernel_fail_call(run, "clCreateSubBuffer",
						     sub, err);
	} else {
		object->memory = target->memory;
		clRetainMemObject(object->memory);
	}
	if (!object->in || (object->in->fill != CLAW_CLW_DATA &&
			    object->in->fill != CLAW_CLW_RANDOM))
		return true;	/* what the other argument put there */
	return write_large(run, object);
}
