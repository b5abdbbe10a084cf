/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program as meters find it: launches with their arguments, waits, transfers
 * and buffers that come and go, for some time; prints how many rounds of it a
 * second were done.
 *
 *	bench_meters WORD [SECONDS]	(2 s)
 *
 * "work": 8 launches over 256 Ki items, a write and a read of 1 MiB a round.
 * "small": 8 launches over 64 items, nothing but what the driver takes.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "faults/shared/cl_types.h"

enum { ITEMS = 256 << 10, SMALL = 64, LAUNCHES = 8, WARM_UP = 20 };

static const char source[] =
	"kernel void steps(global float *out, global const float *in, float f)\n"
	"{\n"
	"	size_t i = get_global_id(0);\n"
	"	float x = in[i];\n"
	"	for (int k = 0; k < 16; k++)\n"
	"		x = mad(x, f, in[i]);\n"
	"	out[i] = x;\n"
	"}\n";

static float values[ITEMS];
static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static size_t items;

static void need(cl_int err, const char *what)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "bench_meters: %s: %d\n", what, err);
	exit(2);
}

static void begin(void)
{
	const char *text = source;
	cl_platform_id platform;
	cl_program program;
	cl_device_id device;
	cl_int err;

	need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	     "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	need(err, "clCreateContext");
	queue = clCreateCommandQueue(context, device, 0, &err);
	need(err, "clCreateCommandQueue");
	program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
	need(err, "clCreateProgramWithSource");
	need(clBuildProgram(program, 1, &device, "", NULL, NULL),
	     "clBuildProgram");
	kernel = clCreateKernel(program, "steps", &err);
	need(err, "clCreateKernel");
}

static void do_launches(cl_mem out, cl_mem in)
{
	cl_float factor = 0.5f;

	for (int i = 0; i < LAUNCHES; i++) {
		need(clSetKernelArg(kernel, 0, sizeof(out), &out), "argument");
		need(clSetKernelArg(kernel, 1, sizeof(in), &in), "argument");
		need(clSetKernelArg(kernel, 2, sizeof(factor), &factor),
		     "argument");
		need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items,
					    NULL, 0, NULL, NULL), "launch");
	}
}

static void do_round(void)
{
	size_t bytes = items * sizeof(*values);
	cl_int err;
	cl_mem in, out;

	in = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &err);
	need(err, "clCreateBuffer");
	out = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &err);
	need(err, "clCreateBuffer");
	need(clEnqueueWriteBuffer(queue, in, CL_FALSE, 0, bytes, values, 0,
				  NULL, NULL), "write");
	do_launches(out, in);
	need(clFinish(queue), "clFinish");
	need(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, values, 0,
				 NULL, NULL), "read");
	clReleaseMemObject(in);
	clReleaseMemObject(out);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	double seconds = argc > 2 ? strtod(argv[2], NULL) : 2;
	double start, end;
	long rounds = 0;

	if (argc < 2)
		return 64;
	items = strcmp(argv[1], "small") ? ITEMS : SMALL;
	begin();
	for (int i = 0; i < WARM_UP; i++)
		do_round();
	start = end = now();
	while (end - start < seconds) {
		do_round();
		rounds++;
		end = now();
	}
	printf("%s %.3f\n", argv[1], (double)rounds / (end - start));
	return 0;
}
