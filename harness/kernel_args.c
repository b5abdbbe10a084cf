/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of one launch: buffers with what the test puts into them and
 * guard zones around, sub-buffers, aliases, samplers, values, local memory.
 */
#include "config.h"

#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#include "clw_values.h"

enum { HOST_ALIGNMENT = 4096 };	/* of memory for CL_MEM_USE_HOST_PTR */

static uint64_t mix(uint64_t seed, uint64_t at)
{
	uint64_t x = seed + (at + 1) * UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

void claw_kernel_random(uint64_t seed, enum claw_clw_base base, size_t count,
			void *bytes)
{
	size_t size = claw_clw_base_bytes(base);
	unsigned char *at = bytes;

	for (size_t i = 0; i < count; i++, at += size) {
		uint64_t bits = mix(seed, i);
		double unit = (double)(bits >> 11) / (UINT64_C(1) << 52) - 1;
		float single = (float)unit;
		uint16_t half = claw_half_from_double(unit);

		if (base == CLAW_CLW_DOUBLE)
			memcpy(at, &unit, size);
		else if (base == CLAW_CLW_FLOAT)
			memcpy(at, &single, size);
		else if (base == CLAW_CLW_HALF)
			memcpy(at, &half, size);
		else
			memcpy(at, &bits, size);
	}
}

/* ---- what objects there are ------------------------------------------ */

static bool is_memory(const struct claw_clw_arg *arg)
{
	return arg->kind == CLAW_CLW_BUFFER || arg->kind == CLAW_CLW_IMAGE;
}

static struct claw_kernel_object *find_object(struct claw_kernel_run *run,
					      unsigned int index)
{
	for (size_t i = 0; i < run->object_count; i++)
		if (claw_kernel_about(&run->objects[i])->index == index)
			return &run->objects[i];
	return NULL;
}

/* One that either line asks for: options may be on arg_in or on arg_out. */
static const struct claw_clw_arg *
find_sub_buffer(const struct claw_kernel_object *object)
{
	if (object->in && object->in->is_sub_buffer)
		return object->in;
	return object->out && object->out->is_sub_buffer ? object->out : NULL;
}

static const struct claw_clw_arg *
find_alias(const struct claw_kernel_object *object)
{
	if (object->in && object->in->has_alias)
		return object->in;
	return object->out && object->out->has_alias ? object->out : NULL;
}

static uint64_t find_flags(const struct claw_kernel_object *object)
{
	return (object->in ? object->in->mem_flags : 0) |
	       (object->out ? object->out->mem_flags : 0);
}

static bool list_objects(struct claw_kernel_run *run)
{
	const struct claw_clw_test *test = run->test;
	struct claw_kernel_object *object;

	run->object_count = 0;
	run->objects = calloc(test->in_count + test->out_count + 1,
			      sizeof(*run->objects));
	if (!run->objects)
		return claw_kernel_break(run, "the arguments");
	for (size_t i = 0; i < test->in_count; i++)
		run->objects[run->object_count++].in = &test->in[i];
	for (size_t i = 0; i < test->out_count; i++) {
		object = find_object(run, test->out[i].index);
		if (!object)
			object = &run->objects[run->object_count++];
		object->out = &test->out[i];
	}
	for (size_t i = 0; i < run->object_count; i++) {
		const struct claw_clw_arg *about;

		object = &run->objects[i];
		about = claw_kernel_about(object);
		object->size_bytes = about->size_bytes;
		object->is_image = about->kind == CLAW_CLW_IMAGE;
		object->is_null = is_memory(about) &&
				  about->fill == CLAW_CLW_NULL;
		object->is_freed = (object->in && object->in->is_freed) ||
				   (object->out && object->out->is_freed);
	}
	return true;
}

/* ---- buffers --------------------------------------------------------- */

/* What the test puts into the memory, at bytes; false: nothing. */
static bool put_data(const struct claw_kernel_run *run,
		     const struct claw_kernel_object *object,
		     unsigned char *bytes)
{
	const struct claw_clw_arg *in = object->in;
	size_t base;

	if (in && in->fill == CLAW_CLW_DATA && in->data) {
		memcpy(bytes, in->data, object->size_bytes);
		return true;
	}
	if (in && in->fill == CLAW_CLW_RANDOM) {
		base = claw_clw_base_bytes(in->type.base);
		claw_kernel_random(mix(run->options.seed, in->index),
				   in->type.base, object->size_bytes / base,
				   bytes);
		return true;
	}
	if (run->options.bare)
		return false;
	claw_kernel_poison(bytes, object->size_bytes);
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
	*ret_whole = put_data(run, object, bytes + object->front_bytes);
	claw_kernel_guard_fill(object, false, bytes + object->front_bytes +
			       object->size_bytes);
	return bytes;
}

static cl_mem new_sub_buffer(cl_mem parent, uint64_t flags, size_t origin,
			     size_t size, cl_int *ret_err)
{
	cl_buffer_region region = { origin, size };
	cl_mem_flags access = flags & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);

	return clCreateSubBuffer(parent, access, CL_BUFFER_CREATE_TYPE_REGION,
				 &region, ret_err);
}

/* The buffer with its zones, and bytes in it where they do not come with its
 * making. */
static bool make_whole(struct claw_kernel_run *run,
		       struct claw_kernel_object *object,
		       unsigned char *bytes, size_t total, bool is_known)
{
	const struct claw_clw_arg *about = claw_kernel_about(object);
	uint64_t flags = find_flags(object);
	bool comes_along = flags & (CL_MEM_USE_HOST_PTR |
				    CL_MEM_COPY_HOST_PTR);
	size_t written = is_known ? total : object->front_bytes;
	cl_int err = CL_SUCCESS;

	object->memory = clCreateBuffer(run->context, flags, total,
					comes_along ? bytes : NULL, &err);
	if (!object->memory)
		return claw_kernel_fail_call(run, "clCreateBuffer", about,
					     err);
	if (comes_along || written == 0)
		return true;
	err = clEnqueueWriteBuffer(run->queue, object->memory, CL_TRUE, 0,
				   written, bytes, 0, NULL, NULL);
	return err == CL_SUCCESS ||
	       claw_kernel_fail_call(run, "clEnqueueWriteBuffer", about, err);
}

static bool make_buffer(struct claw_kernel_run *run,
			struct claw_kernel_object *object)
{
	const struct claw_clw_arg *sub = find_sub_buffer(object);
	unsigned char *bytes;
	bool is_known = false, made;
	size_t total;
	cl_int err = CL_SUCCESS;

	object->front_bytes = sub ? sub->offset_bytes : 0;
	object->guard_bytes = claw_kernel_guard_bytes(run, object);
	total = object->front_bytes + object->size_bytes +
		object->guard_bytes;
	bytes = make_bytes(run, object, total, &is_known);
	if (!bytes)
		return claw_kernel_break(run, "a buffer's bytes");
	made = make_whole(run, object, bytes, total, is_known);
	if (find_flags(object) & CL_MEM_USE_HOST_PTR)
		object->host = bytes;	/* the buffer's for as long as it lives */
	else
		free(bytes);
	if (!made || !sub)
		return made;
	object->parent = object->memory;
	object->memory = new_sub_buffer(object->parent, find_flags(object),
					sub->offset_bytes, object->size_bytes,
					&err);
	return object->memory ||
	       claw_kernel_fail_call(run, "clCreateSubBuffer", sub, err);
}

/* The memory of another argument, or a part of it. */
static bool make_alias(struct claw_kernel_run *run,
		       struct claw_kernel_object *object)
{
	const struct claw_clw_arg *alias = find_alias(object);
	const struct claw_clw_arg *sub = find_sub_buffer(object);
	const struct claw_kernel_object *target =
		find_object(run, alias->alias);
	cl_int err = CL_SUCCESS;

	if (!target || target->is_null || !target->memory ||
	    target->is_image || find_alias(target))
		return claw_kernel_refuse(run, alias->line, "argument %u: "
					  "expected alias of a buffer, found "
					  "argument %u", alias->index,
					  alias->alias);
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
	if (!object->in || object->in->fill != CLAW_CLW_DATA ||
	    !object->in->data)
		return true;
	err = clEnqueueWriteBuffer(run->queue, object->memory, CL_TRUE, 0,
				   object->size_bytes, object->in->data, 0,
				   NULL, NULL);
	return err == CL_SUCCESS ||
	       claw_kernel_fail_call(run, "clEnqueueWriteBuffer", object->in,
				     err);
}

static bool make_sampler(struct claw_kernel_run *run,
			 struct claw_kernel_object *object)
{
	const struct claw_clw_sampler *about = &object->in->sampler;
	cl_int err = CL_SUCCESS;

	object->sampler = clCreateSampler(run->context, about->is_normalized,
					  about->addressing, about->filter,
					  &err);
	return object->sampler ||
	       claw_kernel_fail_call(run, "clCreateSampler", object->in, err);
}

static bool make_object(struct claw_kernel_run *run,
			struct claw_kernel_object *object)
{
	switch (claw_kernel_about(object)->kind) {
	case CLAW_CLW_BUFFER:
		return object->is_null || make_buffer(run, object);
	case CLAW_CLW_IMAGE:
		return object->is_null || claw_kernel_make_image(run, object);
	case CLAW_CLW_SAMPLER:
		return make_sampler(run, object);
	default:
		return true;
	}
}

bool claw_kernel_make(struct claw_kernel_run *run)
{
	if (!list_objects(run))
		return false;
	for (size_t i = 0; i < run->object_count; i++)
		if (!find_alias(&run->objects[i]) &&
		    !make_object(run, &run->objects[i]))
			return false;
	for (size_t i = 0; i < run->object_count; i++)
		if (find_alias(&run->objects[i]) &&
		    !make_alias(run, &run->objects[i]))
			return false;
	return true;
}

/* ---- handing over, releasing ----------------------------------------- */

/* Piglit's files say NULL for a pointer to local memory, too. */
static bool is_local(cl_kernel kernel, cl_uint index)
{
	cl_kernel_arg_address_qualifier space = 0;

	return clGetKernelArgInfo(kernel, index,
				  CL_KERNEL_ARG_ADDRESS_QUALIFIER,
				  sizeof(space), &space, NULL) == CL_SUCCESS &&
	       space == CL_KERNEL_ARG_ADDRESS_LOCAL;
}

static cl_int set_one(cl_kernel kernel, struct claw_kernel_object *object)
{
	const struct claw_clw_arg *about = claw_kernel_about(object);

	if (object->is_null)
		return clSetKernelArg(kernel, about->index,
				      is_local(kernel, about->index) ?
				      about->size_bytes : sizeof(cl_mem),
				      NULL);
	switch (about->kind) {
	case CLAW_CLW_VALUE:
		return clSetKernelArg(kernel, about->index, about->size_bytes,
				      about->data);
	case CLAW_CLW_LOCAL:
		return clSetKernelArg(kernel, about->index, about->size_bytes,
				      NULL);
	case CLAW_CLW_SAMPLER:
		return clSetKernelArg(kernel, about->index,
				      sizeof(object->sampler),
				      &object->sampler);
	default:
		return clSetKernelArg(kernel, about->index,
				      sizeof(object->memory),
				      &object->memory);
	}
}

static void release_memory(struct claw_kernel_object *object)
{
	if (object->memory)
		clReleaseMemObject(object->memory);
	if (object->parent && object->parent != object->memory)
		clReleaseMemObject(object->parent);
	object->memory = object->parent = NULL;
}

bool claw_kernel_set(struct claw_kernel_run *run)
{
	cl_int err;

	for (size_t i = 0; i < run->object_count; i++) {
		err = set_one(run->kernel, &run->objects[i]);
		if (err != CL_SUCCESS)
			return claw_kernel_fail_call(run, "clSetKernelArg",
				claw_kernel_about(&run->objects[i]), err);
	}
	for (size_t i = 0; i < run->object_count; i++)
		if (run->objects[i].is_freed)
			release_memory(&run->objects[i]);
	return true;
}

void claw_kernel_release(struct claw_kernel_run *run)
{
	/* Sub-buffers of an argument before what they are a part of. */
	for (size_t i = run->object_count; i-- > 0; ) {
		struct claw_kernel_object *object = &run->objects[i];

		release_memory(object);
		if (object->sampler)
			clReleaseSampler(object->sampler);
	}
	for (size_t i = 0; i < run->object_count; i++)
		free(run->objects[i].host);
	free(run->objects);
	run->objects = NULL;
	run->object_count = 0;
}
