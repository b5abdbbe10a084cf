/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call costs: ns per call of four pairs of calls, printed one a line.
 * make bench runs it again and again under different layers and compares.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../faults/cl_types.h"

enum { ROUNDS = 9 };

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem buffer;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void retain_release(void)
{
	clRetainMemObject(buffer);
	clReleaseMemObject(buffer);
}

static void set_arg(void)
{
	clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
	clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
}

static void create_release(void)
{
	cl_int err;

	clReleaseMemObject(clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL,
					  &err));
}

static void enqueue(void)
{
	size_t global = 1;

	clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL,
			       NULL);
	clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL,
			       NULL);
}

static const struct {
	const char *name;
	void (*pair)(void);
	long pairs;		/* a round */
} cases[] = {
	{ "retain+release", retain_release, 400000 },
	{ "set-arg", set_arg, 400000 },
	{ "create+release", create_release, 100000 },
	{ "enqueue", enqueue, 50000 },
};

/* The best of a few rounds: what disturbs a round only makes it longer. */
static double measure(void (*pair)(void), long pairs)
{
	double best = 1e18;

	for (int round = 0; round < ROUNDS; round++) {
		double start = now_ns();

		for (long i = 0; i < pairs; i++)
			pair();
		double each = (now_ns() - start) / (double)pairs / 2;

		clFinish(queue);

		if (each < best)
			best = each;
	}
	return best;
}

static int set_up(void)
{
	const char *source = "kernel void copy(global int *a, global int *b)"
			     "{ b[get_global_id(0)] = a[get_global_id(0)]; }";
	cl_platform_id platform;
	cl_device_id device;
	cl_program program;
	cl_int err;

	if (clGetPlatformIDs(1, &platform, NULL) ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return -1;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	queue = clCreateCommandQueue(context, device, 0, &err);
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &err);
	program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
	if (err || clBuildProgram(program, 1, &device, "", NULL, NULL))
		return -1;
	kernel = clCreateKernel(program, "copy", &err);
	if (err || clSetKernelArg(kernel, 0, sizeof(buffer), &buffer) ||
	    clSetKernelArg(kernel, 1, sizeof(buffer), &buffer))
		return -1;
	clReleaseProgram(program);
	return 0;
}

int main(int argc, char **argv)
{
	long divide = argc > 1 ? strtol(argv[1], NULL, 10) : 1;

	if (divide < 1 || set_up()) {
		fprintf(stderr, "bench_calls: no OpenCL device\n");
		return 77;
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		printf("%s %.3f\n", cases[i].name,
		       measure(cases[i].pair, cases[i].pairs / divide + 1));
	return 0;
}
