/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of two vectors on an OpenCL device. Compiled with -DBROKEN it forgets
 * to look at what clCreateBuffer said; the tests are red then.
 */
#include "vadd.h"

#include <CL/cl.h>

#include <stdlib.h>

struct vadd {
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	size_t piece;
};

/* The two terms and the sum. */
struct buffers {
	cl_mem mem[3];
};

static const char source[] =
	"kernel void vadd(global const float *a, global const float *b,\n"
	"                 global float *sum)\n"
	"{\n"
	"	size_t i = get_global_id(0);\n"
	"\n"
	"	sum[i] = a[i] + b[i];\n"
	"}\n";

static enum vadd_status status_of(cl_int err)
{
	switch (err) {
	case CL_SUCCESS:
		return VADD_OK;
	case CL_MEM_OBJECT_ALLOCATION_FAILURE:
	case CL_OUT_OF_RESOURCES:
	case CL_OUT_OF_HOST_MEMORY:
	case CL_INVALID_BUFFER_SIZE:
		return VADD_NO_MEMORY;
	default:
		return VADD_DEVICE_FAILED;
	}
}

static void free_buffers(struct buffers *buffers)
{
	for (int i = 0; i < 3; i++)
		if (buffers->mem[i])
			clReleaseMemObject(buffers->mem[i]);
}

static enum vadd_status make_buffers(struct vadd *vadd, size_t bytes,
				     struct buffers *buffers)
{
	*buffers = (struct buffers){ { NULL, NULL, NULL } };
	for (int i = 0; i < 3; i++) {
		cl_int err = CL_SUCCESS;

		buffers->mem[i] = clCreateBuffer(vadd->context,
			i < 2 ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY, bytes,
			NULL, &err);
#ifndef BROKEN
		if (err != CL_SUCCESS) {
			free_buffers(buffers);
			return status_of(err);
		}
#endif
	}
	return VADD_OK;
}

static enum vadd_status add_piece(struct vadd *vadd, struct buffers *buffers,
				  const float *a, const float *b, float *sum,
				  size_t count)
{
	size_t bytes = count * sizeof(*a);
	cl_int err = clEnqueueWriteBuffer(vadd->queue, buffers->mem[0],
					  CL_TRUE, 0, bytes, a, 0, NULL, NULL);

	if (err == CL_SUCCESS)
		err = clEnqueueWriteBuffer(vadd->queue, buffers->mem[1],
					   CL_TRUE, 0, bytes, b, 0, NULL, NULL);
	for (cl_uint i = 0; i < 3 && err == CL_SUCCESS; i++)
		err = clSetKernelArg(vadd->kernel, i, sizeof(cl_mem),
				     &buffers->mem[i]);
	if (err == CL_SUCCESS)
		err = clEnqueueNDRangeKernel(vadd->queue, vadd->kernel, 1, NULL,
					     &count, NULL, 0, NULL, NULL);
	if (err == CL_SUCCESS)
		err = clEnqueueReadBuffer(vadd->queue, buffers->mem[2], CL_TRUE,
					  0, bytes, sum, 0, NULL, NULL);
	return status_of(err);
}

static enum vadd_status add_pieces(struct vadd *vadd, const float *a,
				   const float *b, float *sum, size_t count)
{
	struct buffers buffers;
	enum vadd_status status = make_buffers(vadd,
					       vadd->piece * sizeof(*a),
					       &buffers);

	if (status != VADD_OK)
		return status;
	for (size_t at = 0; at < count && status == VADD_OK;
	     at += vadd->piece) {
		size_t length = count - at < vadd->piece ?
			count - at : vadd->piece;

		status = add_piece(vadd, &buffers, a + at, b + at, sum + at,
				   length);
	}
	free_buffers(&buffers);
	return status;
}

static enum vadd_status build(struct vadd *vadd, cl_device_id device)
{
	const char *text = source;
	cl_int err;

	vadd->program = clCreateProgramWithSource(vadd->context, 1, &text,
						  NULL, &err);
	if (err != CL_SUCCESS)
		return status_of(err);
	err = clBuildProgram(vadd->program, 1, &device, "", NULL, NULL);
	if (err != CL_SUCCESS)
		return VADD_BUILD_FAILED;
	vadd->kernel = clCreateKernel(vadd->program, "vadd", &err);
	return status_of(err);
}

enum vadd_status vadd_open(struct vadd **ret_vadd)
{
	cl_platform_id platform;
	cl_device_id device;
	struct vadd *vadd;
	enum vadd_status status;
	cl_int err;

	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device,
			   NULL) != CL_SUCCESS)
		return VADD_NO_DEVICE;
	vadd = calloc(1, sizeof(*vadd));
	if (!vadd)
		return VADD_NO_MEMORY;
	vadd->context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	status = err == CL_SUCCESS ? VADD_OK : VADD_NO_DEVICE;
	if (status == VADD_OK) {
		vadd->queue = clCreateCommandQueue(vadd->context, device, 0,
						   &err);
		status = status_of(err);
	}
	if (status == VADD_OK)
		status = build(vadd, device);
	if (status != VADD_OK) {
		vadd_close(vadd);
		return status;
	}
	*ret_vadd = vadd;
	return VADD_OK;
}

enum vadd_status vadd_run(struct vadd *vadd, const float *a, const float *b,
			  float *sum, size_t count)
{
	enum vadd_status status;

	if (!count)
		return VADD_OK;
	vadd->piece = count;
	for (;;) {
		status = add_pieces(vadd, a, b, sum, count);
		if (status != VADD_NO_MEMORY || vadd->piece <= VADD_PIECE_MIN)
			return status;
		vadd->piece = (vadd->piece + 1) / 2;
	}
}

size_t vadd_piece(const struct vadd *vadd)
{
	return vadd->piece;
}

const char *vadd_status_text(enum vadd_status status)
{
	switch (status) {
	case VADD_OK:
		return "no error";
	case VADD_NO_DEVICE:
		return "no OpenCL device can be used";
	case VADD_NO_MEMORY:
		return "the device is out of memory";
	case VADD_BUILD_FAILED:
		return "the kernel could not be built";
	case VADD_DEVICE_FAILED:
		return "the device failed";
	}
	return "unknown error";
}

void vadd_close(struct vadd *vadd)
{
	if (!vadd)
		return;
	if (vadd->kernel)
		clReleaseKernel(vadd->kernel);
	if (vadd->program)
		clReleaseProgram(vadd->program);
	if (vadd->queue)
		clReleaseCommandQueue(vadd->queue);
	if (vadd->context)
		clReleaseContext(vadd->context);
	free(vadd);
}
