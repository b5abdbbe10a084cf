/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of one launch: which there are, handed over to the kernel,
 * and released.
 */
#include "config.h"

#include "kernel.h"
#include "harness/base/memory.h"

#include <stdlib.h>

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

/* Options may be on arg_in or on arg_out. */
static const struct claw_clw_arg *
find_alias(const struct claw_kernel_object *object)
{
	if (object->in && object->in->has_alias)
		return object->in;
	return object->out && object->out->has_alias ? object->out : NULL;
}

static bool list_objects(struct claw_kernel_run *run)
{
	const struct claw_clw_test *test = run->test;
	struct claw_kernel_object *object;

	run->object_count = 0;
	run->objects = claw_calloc(test->in_count + test->out_count + 1,
			      sizeof(*run->objects));
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
		object->pattern = run->launches % 2;
		object->is_image = about->kind == CLAW_CLW_IMAGE;
		object->is_null = is_memory(about) &&
				  about->fill == CLAW_CLW_NULL;
		object->is_freed = (object->in && object->in->is_freed) ||
				   (object->out && object->out->is_freed);
	}
	return true;
}

static bool make_alias(struct claw_kernel_run *run,
		       struct claw_kernel_object *object)
{
	const struct claw_clw_arg *alias = find_alias(object);
	const struct claw_kernel_object *target =
		find_object(run, alias->alias);

	claw_kernel_at(run, object);
	if (target && !target->is_null && target->memory &&
	    !target->is_image && !find_alias(target))
		return claw_kernel_make_alias(run, object, alias, target);
	return claw_kernel_refuse(run, alias->line, "argument %u: expected "
				  "alias of a buffer, found argument %u",
				  alias->index, alias->alias);
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
	claw_kernel_at(run, object);
	switch (claw_kernel_about(object)->kind) {
	case CLAW_CLW_BUFFER:
		return object->is_null || claw_kernel_make_buffer(run, object);
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

/*
 * Piglit's files say NULL for a pointer to local memory, too. Where the driver
 * does not say, although kernel_build.c asked it to, it is local if it may have
 * this size. (On an H200 NULL of 32 bytes was taken for a pointer to global
 * memory, and the heap was broken after the launch.)
 */
static cl_int set_null(cl_kernel kernel, cl_uint index, size_t bytes)
{
	cl_kernel_arg_address_qualifier space = 0;
	cl_int err = clGetKernelArgInfo(kernel, index,
					CL_KERNEL_ARG_ADDRESS_QUALIFIER,
					sizeof(space), &space, NULL);
	bool is_known = err == CL_SUCCESS;

	if (!is_known || space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
		err = clSetKernelArg(kernel, index, bytes, NULL);
		if (is_known || err != CL_INVALID_ARG_SIZE)
			return err;
	}
	return clSetKernelArg(kernel, index, sizeof(cl_mem), NULL);
}

static cl_int set_one(cl_kernel kernel, struct claw_kernel_object *object)
{
	const struct claw_clw_arg *about = claw_kernel_about(object);

	if (object->is_null)
		return set_null(kernel, about->index, about->size_bytes);
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

/* What the driver did not like about an argument, more exactly. */
static bool fail_set(struct claw_kernel_run *run,
		     const struct claw_clw_arg *about, cl_int err)
{
	cl_uint count = 0;

	claw_kernel_fail_call(run, "clSetKernelArg", about, err);
	if (err == CL_INVALID_ARG_INDEX &&
	    clGetKernelInfo(run->kernel, CL_KERNEL_NUM_ARGS, sizeof(count),
			    &count, NULL) == CL_SUCCESS)
		claw_kernel_add(run, "%s takes %u argument%s",
				run->test->kernel, (unsigned int)count,
				count == 1 ? "" : "s");
	if (err == CL_INVALID_ARG_SIZE)
		claw_kernel_add(run, "the file gives %zu bytes (%s)",
				about->kind == CLAW_CLW_VALUE ||
				about->kind == CLAW_CLW_LOCAL ?
				about->size_bytes : sizeof(cl_mem),
				claw_kernel_type(about));
	return false;
}

bool claw_kernel_set(struct claw_kernel_run *run)
{
	cl_int err;

	for (size_t i = 0; i < run->object_count; i++) {
		claw_kernel_at(run, &run->objects[i]);
		err = set_one(run->kernel, &run->objects[i]);
		if (err != CL_SUCCESS)
			return fail_set(run,
				claw_kernel_about(&run->objects[i]), err);
	}
	for (size_t i = 0; i < run->object_count; i++)
		if (run->objects[i].is_freed) {
			claw_kernel_at(run, &run->objects[i]);
			release_memory(&run->objects[i]);
		}
	claw_kernel_at(run, NULL);
	return true;
}

void claw_kernel_release(struct claw_kernel_run *run)
{
	/* Sub-buffers of an argument before what they are a part of. */
	for (size_t i = run->object_count; i-- > 0; ) {
		struct claw_kernel_object *object = &run->objects[i];

		claw_kernel_at(run, object);
		release_memory(object);
		if (object->sampler)
			clReleaseSampler(object->sampler);
	}
	claw_kernel_at(run, NULL);
	for (size_t i = 0; i < run->object_count; i++)
		free(run->objects[i].host);
	free(run->objects);
	run->objects = NULL;
	run->object_count = 0;
}
