/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What arguments hold, and those that are more than a buffer of their own:
 * images, samplers, parts of buffers, and buffers of two arguments. The library
 * has no calls for these; they are made in its context.
 */
#include "config.h"

#include "clw_worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/api.h"
#include "harness/base/memory.h"
#include "harness/cases/clw/clw_random.h"

enum { PIECE_BYTES = 16 << 20 };	/* of random contents, at a time */

/* An option may be on either line. */
static const struct claw_clw_arg *line_of(const struct claw_worker_arg *arg)
{
	return arg->in ? arg->in : arg->out;
}

static const struct claw_clw_arg *alias_of(const struct claw_worker_arg *arg)
{
	return arg->in && arg->in->has_alias ? arg->in :
	       arg->out && arg->out->has_alias ? arg->out : NULL;
}

static const struct claw_clw_arg *part_of(const struct claw_worker_arg *arg)
{
	return arg->in && arg->in->is_sub_buffer ? arg->in :
	       arg->out && arg->out->is_sub_buffer ? arg->out : NULL;
}

static bool is_image(const struct claw_worker_arg *arg)
{
	const struct claw_clw_arg *line = line_of(arg);

	return line && line->kind == CLAW_CLW_IMAGE;
}

bool claw_worker_is_alias(const struct claw_worker_arg *arg)
{
	return alias_of(arg) != NULL;
}

bool claw_worker_is_object(const struct claw_worker_arg *arg)
{
	const struct claw_clw_arg *line = line_of(arg);

	return line && !arg->is_null &&
	       (line->kind == CLAW_CLW_IMAGE ||
		line->kind == CLAW_CLW_SAMPLER || part_of(arg) ||
		alias_of(arg));
}

uint64_t claw_worker_bytes(const struct claw_worker_arg *arg)
{
	return is_image(arg) ? arg->memory ? arg->size : 0 :
	       alias_of(arg) ? 0 : clwBufferSize(arg->buffer);
}

/* Of a call that the library does not make. */
static int fail_call(const struct claw_worker_arg *arg, const char *call,
		     cl_int err, struct claw_worker_error *error)
{
	const char *name = claw_code_name(err);
	bool is_memory = err == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
			 err == CL_OUT_OF_RESOURCES;
	int status = claw_worker_fail(error, is_memory ? CLW_OUT_OF_MEMORY :
		err == CL_OUT_OF_HOST_MEMORY ? CLW_OUT_OF_HOST_MEMORY :
		CLW_OPENCL_ERROR, "argument %u: %s failed with %s (%d)",
		line_of(arg)->index, call, name ? name : "a code", (int)err);

	error->cl_code = err;
	return status;
}

/* ---- contents ------------------------------------------------------------ */

static int move_image(struct clw_context *context,
		      const struct claw_worker_arg *arg, bool is_write,
		      void *bytes, struct claw_worker_error *error)
{
	const struct claw_clw_image *image = &line_of(arg)->image;
	const size_t origin[3] = { 0, 0, 0 };
	const size_t region[3] = { image->width, image->height, 1 };
	cl_command_queue queue = clwQueueHandle(context);
	cl_int err = is_write ?
		clEnqueueWriteImage(queue, arg->memory, CL_TRUE, origin,
				    region, 0, 0, bytes, 0, NULL, NULL) :
		clEnqueueReadImage(queue, arg->memory, CL_TRUE, origin, region,
				   0, 0, bytes, 0, NULL, NULL);

	return err ? fail_call(arg, is_write ? "clEnqueueWriteImage" :
			       "clEnqueueReadImage", err, error) : CLW_OK;
}

static int put(struct clw_context *context, const struct claw_worker_arg *arg,
	       size_t from, size_t size, const void *bytes,
	       struct claw_worker_error *error)
{
	if (is_image(arg))
		return move_image(context, arg, true, (void *)(uintptr_t)bytes,
				  error);
	return clwEnqueueWrite(arg->buffer, arg->offset + from, size, bytes,
			       0) ? claw_worker_fail_clw(error) : CLW_OK;
}

int claw_worker_get(struct clw_context *context,
		    const struct claw_worker_arg *arg, void *bytes,
		    struct claw_worker_error *error)
{
	if (is_image(arg))
		return move_image(context, arg, false, bytes, error);
	return clwEnqueueRead(arg->buffer, arg->offset, arg->size, bytes, 0) ?
	       claw_worker_fail_clw(error) : CLW_OK;
}

/* Piece by piece; of an image at once. */
static int put_random(struct clw_context *context,
		      const struct claw_worker_run *run,
		      const struct claw_worker_arg *arg,
		      struct claw_worker_error *error)
{
	size_t most = is_image(arg) || arg->size < PIECE_BYTES ? arg->size :
		      PIECE_BYTES;
	void *bytes = claw_malloc(most);
	int status = CLW_OK;

	for (size_t at = 0, size; !status && at < arg->size; at += size) {
		size = arg->size - at < most ? arg->size - at : most;
		claw_clw_random(arg->in, run->seed, at, size, bytes);
		status = put(context, arg, at, size, bytes, error);
	}
	free(bytes);
	return status;
}

static int put_zeros(struct clw_context *context,
		     const struct claw_worker_arg *arg,
		     struct claw_worker_error *error)
{
	const unsigned char zero = 0;
	void *zeros;
	int status;

	if (!is_image(arg))
		return clwEnqueueFill(arg->buffer, arg->offset, arg->size,
				      &zero, 1) ? claw_worker_fail_clw(error) :
		       CLW_OK;
	zeros = claw_calloc(1, arg->size);
	status = put(context, arg, 0, arg->size, zeros, error);
	free(zeros);
	return status;
}

int claw_worker_fill(struct clw_context *context,
		     const struct claw_worker_run *run,
		     const struct claw_worker_arg *arg,
		     struct claw_worker_error *error)
{
	if (arg->data)
		return put(context, arg, 0, arg->size, arg->data, error);
	if (arg->in && arg->in->fill == CLAW_CLW_RANDOM)
		return put_random(context, run, arg, error);
	/* What the other argument has put there. */
	return alias_of(arg) ? CLW_OK : put_zeros(context, arg, error);
}

/* ---- making -------------------------------------------------------------- */

static int make_sampler(struct clw_context *context,
			struct claw_worker_arg *arg,
			struct claw_worker_error *error)
{
	const struct claw_clw_sampler *about = &arg->in->sampler;
	cl_int err = CL_SUCCESS;

	arg->sampler = clCreateSampler(clwContextHandle(context),
				       about->is_normalized, about->addressing,
				       about->filter, &err);
	return arg->sampler ? CLW_OK :
	       fail_call(arg, "clCreateSampler", err, error);
}

static int check_image(const struct claw_worker_run *run,
		       const struct claw_worker_arg *arg,
		       struct claw_worker_error *error)
{
	const struct claw_clw_arg *line = line_of(arg);
	size_t pixels = line->image.width * line->image.height, element = 0;
	cl_int err = clGetImageInfo(arg->memory, CL_IMAGE_ELEMENT_SIZE,
				    sizeof(element), &element, NULL);

	if (err)
		return fail_call(arg, "clGetImageInfo", err, error);
	return pixels * element == arg->size ? CLW_OK :
	       claw_worker_fail(error, CLW_INVALID_SIZE, "%s:%u: argument %u: "
				"expected %zu bytes for %zu pixels of %zu "
				"bytes, found %zu", run->path, line->line,
				line->index, pixels * element, pixels, element,
				arg->size);
}

static int make_image(struct clw_context *context,
		      const struct claw_worker_run *run,
		      struct claw_worker_arg *arg,
		      struct claw_worker_error *error)
{
	const struct claw_clw_arg *line = line_of(arg);
	const cl_image_format format = {
		.image_channel_order = line->image.channel_order,
		.image_channel_data_type = line->image.channel_type,
	};
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = line->image.width,
		.image_height = line->image.height,
	};
	cl_int err = CL_SUCCESS;
	int status;

	arg->memory = clCreateImage(clwContextHandle(context), arg->in &&
				    arg->out ? CL_MEM_READ_WRITE : arg->in ?
				    CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY,
				    &format, &desc, NULL, &err);
	if (!arg->memory)
		return fail_call(arg, "clCreateImage", err, error);
	status = check_image(run, arg, error);
	return status ? status : claw_worker_fill(context, run, arg, error);
}

/* The buffer of an alias, and where in it. */
static int borrow(struct claw_worker_run *run, struct claw_worker_arg *arg,
		  struct claw_worker_error *error)
{
	const struct claw_clw_arg *alias = alias_of(arg);
	const struct claw_worker_arg *target = alias->alias < run->count ?
		&run->args[alias->alias] : NULL;
	size_t offset = part_of(arg) ? part_of(arg)->offset_bytes : 0;

	if (!target || !target->buffer || claw_worker_is_alias(target))
		return claw_worker_fail(error, CLW_INVALID_ARGUMENT, "%s:%u: "
			"argument %u: expected alias of a buffer, found "
			"argument %u", run->path, alias->line, alias->index,
			alias->alias);
	if (offset > target->size || arg->size > target->size - offset)
		return claw_worker_fail(error, CLW_INVALID_SIZE, "%s:%u: "
			"argument %u: expected at most the %zu bytes of "
			"argument %u, found %zu from byte %zu on", run->path,
			alias->line, alias->index, target->size, alias->alias,
			arg->size, offset);
	arg->buffer = target->buffer;
	arg->offset = target->offset + offset;
	return CLW_OK;
}

static int make_part(struct clw_context *context, struct claw_worker_run *run,
		     struct claw_worker_arg *arg,
		     struct claw_worker_error *error)
{
	int status = CLW_OK;
	cl_int err = CL_SUCCESS;

	if (alias_of(arg)) {
		status = borrow(run, arg, error);
	} else {
		arg->offset = part_of(arg)->offset_bytes;
		if (clwCreateBuffer(context, arg->offset + arg->size,
				    CL_MEM_READ_WRITE, &arg->buffer))
			status = claw_worker_fail_clw(error);
	}
	if (status)
		return status;
	if (part_of(arg)) {
		cl_buffer_region region = { arg->offset, arg->size };

		arg->memory = clCreateSubBuffer(clwBufferHandle(arg->buffer),
						CL_MEM_READ_WRITE,
						CL_BUFFER_CREATE_TYPE_REGION,
						&region, &err);
		if (!arg->memory)
			return fail_call(arg, "clCreateSubBuffer", err, error);
	}
	return claw_worker_fill(context, run, arg, error);
}

int claw_worker_set_object(struct clw_context *context,
			   struct claw_worker_run *run, unsigned int index,
			   struct claw_worker_error *error)
{
	struct claw_worker_arg *arg = &run->args[index];
	const void *value = &arg->memory;
	int status;

	if (line_of(arg)->kind == CLAW_CLW_SAMPLER) {
		status = make_sampler(context, arg, error);
		value = &arg->sampler;
	} else if (is_image(arg)) {
		status = make_image(context, run, arg, error);
	} else {
		status = make_part(context, run, arg, error);
	}
	if (status)
		return status;
	/* Both are pointers. */
	status = arg->memory || arg->sampler ?
		clwSetArg(run->kernel, index, sizeof(cl_mem), value) :
		clwSetArgBuffer(run->kernel, index, arg->buffer);
	return status ? claw_worker_fail_clw(error) : CLW_OK;
}

void claw_worker_free_object(struct claw_worker_arg *arg)
{
	if (arg->memory)
		clReleaseMemObject(arg->memory);
	if (arg->sampler)
		clReleaseSampler(arg->sampler);
}
