/* SPDX-License-Identifier: Apache-2.0 */
/* The device and the program, and one launch of a case. */
#include "config.h"

#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"

static int fail(const char *what, cl_int err)
{
	fprintf(stderr, "openclaw-explore: %s: error %d\n", what, (int)err);
	return -CLAW_E_DAMAGED;
}

static void *function(const struct claw_engine *engine, const char *name)
{
	return clGetExtensionFunctionAddressForPlatform(engine->platform, name);
}

static int find_layer(struct claw_engine *engine)
{
	engine->clear = __extension__ (claw_probes_clear)
		function(engine, CLAW_PROBES_CLEAR);
	engine->read = __extension__ (claw_probes_read)
		function(engine, CLAW_PROBES_READ);
	engine->reach = __extension__ (claw_probes_reach)
		function(engine, CLAW_PROBES_REACH);
	if (engine->clear && engine->read && engine->reach)
		return 0;
	return fail("it is not run by openclaw explore", CL_INVALID_PLATFORM);
}

static int build(struct claw_engine *engine)
{
	const char *source = engine->source;
	cl_int err;

	engine->program = clCreateProgramWithSource(engine->context, 1, &source,
						    NULL, &err);
	if (!engine->program)
		return fail("clCreateProgramWithSource", err);
	err = clBuildProgram(engine->program, 1, &engine->device,
			     engine->options, NULL, NULL);
	if (err)
		return fail("clBuildProgram", err);
	engine->kernel = clCreateKernel(engine->program,
					engine->plan.kernel.name, &err);
	return engine->kernel ? 0 : fail("clCreateKernel", err);
}

int claw_engine_open(struct claw_engine *engine)
{
	const char *why = claw_device_find(&engine->platform, &engine->device);
	cl_int err;
	int ret;

	if (why) {
		fprintf(stderr, "openclaw-explore: %s\n", why);
		return -CLAW_E_NOT_FOUND;
	}
	ret = find_layer(engine);
	if (ret < 0)
		return ret;
	engine->context = clCreateContext(NULL, 1, &engine->device, NULL, NULL,
					  &err);
	if (!engine->context)
		return fail("clCreateContext", err);
	engine->queue = clCreateCommandQueue(engine->context, engine->device, 0,
					     &err);
	return engine->queue ? build(engine) :
		fail("clCreateCommandQueue", err);
}

/* ---- a launch --------------------------------------------------------------- */

/* What a launch's arguments hold until it is done. */
struct given {
	cl_mem memory[CLAW_EXPLORE_ARGS];
	cl_sampler samplers[CLAW_EXPLORE_ARGS];
};

static cl_int set_buffer(struct claw_engine *engine,
			 const struct claw_explore_case *what, unsigned int arg,
			 struct given *given)
{
	size_t bytes = claw_explore_case_bytes(&engine->plan, what, arg);
	unsigned char *contents = claw_malloc(bytes);
	cl_int err;

	claw_explore_case_fill(&engine->plan, what, arg, contents);
	given->memory[arg] = clCreateBuffer(engine->context, CL_MEM_READ_WRITE |
		CL_MEM_COPY_HOST_PTR, bytes, contents, &err);
	free(contents);
	return err ? err : clSetKernelArg(engine->kernel, arg, sizeof(cl_mem),
					  &given->memory[arg]);
}

static cl_int set_value(struct claw_engine *engine,
			const struct claw_explore_case *what, unsigned int arg)
{
	const struct claw_explore_arg *about = &engine->plan.kernel.args[arg];
	unsigned char bytes[128] = { 0 };
	size_t size = claw_explore_element(about);

	if (about->role == CLAW_ROLE_INTEGER)
		memcpy(bytes, &what->values[arg].number, size);
	else if (size <= sizeof(bytes))
		claw_explore_case_fill(&engine->plan, what, arg, bytes);
	return clSetKernelArg(engine->kernel, arg, size, bytes);
}

static cl_int set_image(struct claw_engine *engine,
			const struct claw_explore_case *what, unsigned int arg,
			struct given *given)
{
	const char *suffix = engine->plan.kernel.args[arg].image;
	cl_image_format format = { CL_RGBA, *suffix == 'f' ? CL_FLOAT :
		*suffix == 'i' ? CL_SIGNED_INT32 : CL_UNSIGNED_INT32 };
	size_t width = what->global[0], height = what->global[1];
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = width, .image_height = height,
	};
	void *pixels = claw_calloc(width * height, 16);
	cl_int err;

	given->memory[arg] = clCreateImage(engine->context, CL_MEM_READ_WRITE |
		CL_MEM_COPY_HOST_PTR, &format, &desc, pixels, &err);
	free(pixels);
	return err ? err : clSetKernelArg(engine->kernel, arg, sizeof(cl_mem),
					  &given->memory[arg]);
}

static cl_int set_sampler(struct claw_engine *engine, unsigned int arg,
			  struct given *given)
{
	cl_int err;

	given->samplers[arg] = clCreateSampler(engine->context, CL_FALSE,
		CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &err);
	return err ? err : clSetKernelArg(engine->kernel, arg,
					  sizeof(cl_sampler),
					  &given->samplers[arg]);
}

static cl_int set_arg(struct claw_engine *engine,
		      const struct claw_explore_case *what, unsigned int arg,
		      struct given *given)
{
	switch (engine->plan.kernel.args[arg].role) {
	case CLAW_ROLE_BUFFER:
		return set_buffer(engine, what, arg, given);
	case CLAW_ROLE_LOCAL:
		return clSetKernelArg(engine->kernel, arg,
			claw_explore_case_bytes(&engine->plan, what, arg), NULL);
	case CLAW_ROLE_IMAGE:
		return set_image(engine, what, arg, given);
	case CLAW_ROLE_SAMPLER:
		return set_sampler(engine, arg, given);
	default:
		return set_value(engine, what, arg);
	}
}

static cl_int enqueue(struct claw_engine *engine,
		      const struct claw_explore_case *what)
{
	size_t global[3], local[3], offset[3];
	bool has_offset = false;
	cl_int err;

	for (unsigned int i = 0; i < 3; i++) {
		global[i] = what->global[i];
		local[i] = what->local[i];
		offset[i] = what->offset[i];
		has_offset |= offset[i];
	}
	err = engine->clear(engine->queue);
	if (!err)
		err = clEnqueueNDRangeKernel(engine->queue, engine->kernel,
			engine->plan.kernel.dimensions,
			has_offset ? offset : NULL, global, local, 0, NULL,
			NULL);
	return err ? err : engine->read(engine->queue, &engine->answer);
}

static cl_int keep_results(struct claw_engine *engine,
			   const struct claw_explore_case *what,
			   const struct given *given)
{
	cl_int err = CL_SUCCESS;

	for (unsigned int i = 0; i < engine->plan.kernel.arg_count; i++) {
		size_t bytes = claw_explore_case_bytes(&engine->plan, what, i);

		free(engine->results[i]);
		engine->results[i] = NULL;
		if (err || engine->plan.kernel.args[i].role != CLAW_ROLE_BUFFER)
			continue;
		engine->results[i] = claw_malloc(bytes);
		err = clEnqueueReadBuffer(engine->queue, given->memory[i],
					  CL_TRUE, 0, bytes, engine->results[i],
					  0, NULL, NULL);
	}
	return err;
}

cl_int claw_engine_launch(struct claw_engine *engine,
			  const struct claw_explore_case *what)
{
	struct given given = { { NULL }, { NULL } };
	cl_int err = CL_SUCCESS;

	engine->answer.counter_words = engine->answer.found_count = 0;
	for (unsigned int i = 0; !err && i < engine->plan.kernel.arg_count; i++)
		err = set_arg(engine, what, i, &given);
	if (!err)
		err = enqueue(engine, what);
	if (!err && engine->keeps_results)
		err = keep_results(engine, what, &given);
	for (unsigned int i = 0; i < engine->plan.kernel.arg_count; i++) {
		if (given.memory[i])
			clReleaseMemObject(given.memory[i]);
		if (given.samplers[i])
			clReleaseSampler(given.samplers[i]);
	}
	return err;
}
