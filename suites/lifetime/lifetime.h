/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the programs of this folder share: a device, a kernel, an end with the
 * right status. Each program is one C file that is built twice: as it stands,
 * and with -DPLANTED, when it has one mistake. What it is about stands in the
 * file as comments, each alone on the line above the one it means, and
 * suites/self/slow/lifetime.test reads them:
 *
 *	PLANTED: leak WHAT	made (or retained) here, never given back
 *	PLANTED: late WHAT	the call that comes too late, or is one too many
 *	SECOND: WHAT		the other site that a report has to name
 *	HOST: WHAT		what the program itself did there: no OpenCL
 *				call, so a tool may or may not be able to
 *				name it
 *
 * leak_* are leaks, late_* lifetime errors, and good_* have no planted twin:
 * they are right, and look wrong to a tool that guesses. In the first comment
 * of a file, "Undefined:" says that the mistake may take the program or the
 * driver down (it may end in any way, but it does end), "Needs:" what a device
 * can lack, so that the program is skipped there (status 77), and "Unseen:" why
 * openclaw check cannot find the mistake; "Options:" has what it finds it with.
 * Everything else ends with status 0, the planted mistake included: these are
 * the errors that nobody sees.
 *
 * What a planted program leaks is made by a call in its own file, never by a
 * function of this header; so is the call that SECOND means.
 */
#ifndef LIFETIME_H
#define LIFETIME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

enum {
	ITEMS = 256,
	BYTES = 1024,		/* ITEMS cl_int */
	ROUNDS = 8,
	LARGE = 1 << 16,	/* bytes: not among the heap's small blocks */
	FAILED = 2,
	SKIPPED = 77,
};

struct setup {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;	/* in order */
};

/* The call's success, or the end of the program. */
#define must(err_) must_at((err_), #err_, __FILE__, __LINE__)
static inline void must_at(cl_int err, const char *what, const char *file,
			   int line)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "%s:%d: %d from %s\n", file, line, err, what);
	exit(FAILED);
}

static inline void need(bool is_here, const char *what)
{
	if (is_here)
		return;
	printf("needs %s\n", what);
	exit(SKIPPED);
}

static inline cl_device_id find_device(void)
{
	cl_platform_id platforms[16];
	cl_device_id device = NULL;
	cl_uint count = 0;

	if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS)
		count = 0;
	for (cl_uint i = 0; i < count && i < 16 && !device; i++)
		clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device,
			       NULL);
	need(device != NULL, "an OpenCL device");
	return device;
}

static inline cl_context new_context(cl_device_id device)
{
	cl_int err;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL,
					     &err);

	must(err);
	return context;
}

static inline cl_command_queue new_queue(const struct setup *cl)
{
	cl_int err;
	cl_command_queue queue = clCreateCommandQueue(cl->context, cl->device,
						      0, &err);

	must(err);
	return queue;
}

static inline cl_command_queue new_out_of_order(const struct setup *cl)
{
	cl_int err;
	cl_command_queue queue = clCreateCommandQueue(
		cl->context, cl->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
		&err);

	need(err == CL_SUCCESS, "queues that are out of order");
	return queue;
}

static inline struct setup open_device(void)
{
	struct setup cl;

	cl.device = find_device();
	cl.context = new_context(cl.device);
	cl.queue = new_queue(&cl);
	return cl;
}

static inline void close_device(const struct setup *cl)
{
	must(clFinish(cl->queue));
	must(clReleaseCommandQueue(cl->queue));
	must(clReleaseContext(cl->context));
}

/* ITEMS times 0. */
static inline cl_mem new_ints(const struct setup *cl)
{
	cl_int zeros[ITEMS] = { 0 }, err;
	cl_mem mem = clCreateBuffer(cl->context,
				    CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
				    BYTES, zeros, &err);

	must(err);
	return mem;
}

/* LARGE bytes of value. */
static inline cl_mem new_large(const struct setup *cl, cl_int value)
{
	const size_t items = LARGE / sizeof(value);
	cl_int *values = (cl_int *)malloc(LARGE), err;
	cl_mem mem;

	need(values != NULL, "memory");
	for (size_t i = 0; i < items; i++)
		values[i] = value;
	mem = clCreateBuffer(cl->context,
			     CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, LARGE,
			     values, &err);
	must(err);
	free(values);
	return mem;
}

/* The same source in all programs: a driver's cache builds it once. */
#define SOURCE \
	"kernel void add_one(global int *v) { v[get_global_id(0)] += 1; }\n" \
	"kernel void twice(global int *v) { v[get_global_id(0)] *= 2; }\n"

static inline cl_program new_program(const struct setup *cl)
{
	const char *source = SOURCE;
	cl_int err;
	cl_program program = clCreateProgramWithSource(cl->context, 1,
						       &source, NULL, &err);

	must(err);
	must(clBuildProgram(program, 1, &cl->device, "", NULL, NULL));
	return program;
}

static inline cl_kernel new_kernel(cl_program program, const char *name)
{
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, name, &err);

	must(err);
	return kernel;
}

/* The kernel add_one, the only one to hold its program. */
static inline cl_kernel add_one(const struct setup *cl)
{
	cl_program program = new_program(cl);
	cl_kernel kernel = new_kernel(program, "add_one");

	must(clReleaseProgram(program));
	return kernel;
}

/* Over all ITEMS of mem; the wait list has gate, if there is one. */
static inline void launch(cl_command_queue queue, cl_kernel kernel, cl_mem mem,
			  cl_event gate)
{
	const size_t items = ITEMS;

	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL,
				    gate ? 1 : 0, gate ? &gate : NULL, NULL));
}

/* A user event: what waits for it is pending for certain. */
static inline cl_event new_gate(const struct setup *cl)
{
	cl_int err;
	cl_event gate = clCreateUserEvent(cl->context, &err);

	must(err);
	return gate;
}

static inline void open_gate(cl_event gate)
{
	must(clSetUserEventStatus(gate, CL_COMPLETE));
	must(clReleaseEvent(gate));
}

/* The result is right, or the end of the program. */
static inline void expect(cl_int got, cl_int expected)
{
	if (got == expected)
		return;
	fprintf(stderr, "got %d, expected %d\n", got, expected);
	exit(FAILED);
}

#endif
