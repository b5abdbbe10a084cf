/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches kernels of a file, all of which take the same arguments, as lines
 * of it say:
 *
 *	race_rules FILE.cl
 *	//! NAME N BUFFERS GLOBAL,GLOBAL,GLOBAL LOCAL,LOCAL,LOCAL OFFSET
 *	kernel void NAME(global int *a, global int *b, local int *l, int n)
 *
 * BUFFERS: 1, a and b are one, or 2. OFFSET is that of the first dimension.
 * Prints a line a kernel: its name and a sum of what it left.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

enum { COUNT = 65536, LOCAL = 4096 };

struct rule {
	char name[64];
	cl_int n;
	unsigned int buffers;
	size_t global[3], local[3], offset[3];
};

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_program program;
static cl_mem buffers[2];

static void good(cl_int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "%s: %d\n", what, err);
	exit(1);
}

static void begin(const char *text)
{
	cl_platform_id platform;
	cl_int err;

	good(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	good(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	     "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	good(err, "clCreateContext");
	queue = clCreateCommandQueue(context, device, 0, &err);
	good(err, "clCreateCommandQueue");
	program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
	good(err, "clCreateProgramWithSource");
	good(clBuildProgram(program, 1, &device, "", NULL, NULL),
	     "clBuildProgram");
	for (int i = 0; i < 2; i++) {
		buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE,
					    COUNT * 4, NULL, &err);
		good(err, "clCreateBuffer");
	}
}

static long sum_of(cl_mem mem)
{
	static cl_int values[COUNT];
	long sum = 0;

	good(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(values),
				 values, 0, NULL, NULL), "clEnqueueReadBuffer");
	for (int i = 0; i < COUNT; i++)
		sum += (long)values[i] * (i % 101);
	return sum;
}

static void run(const struct rule *rule)
{
	static const cl_int one = 1;
	cl_mem *other = &buffers[rule->buffers - 1];
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, rule->name, &err);

	good(err, rule->name);
	for (int i = 0; i < 2; i++)
		good(clEnqueueFillBuffer(queue, buffers[i], &one, 4, 0,
					 COUNT * 4, 0, NULL, NULL), "fill");
	good(clSetKernelArg(kernel, 0, sizeof(cl_mem), buffers), "a");
	good(clSetKernelArg(kernel, 1, sizeof(cl_mem), other), "b");
	good(clSetKernelArg(kernel, 2, LOCAL, NULL), "l");
	good(clSetKernelArg(kernel, 3, sizeof(rule->n), &rule->n), "n");
	good(clEnqueueNDRangeKernel(queue, kernel, 3, rule->offset,
				    rule->global, rule->local, 0, NULL, NULL),
	     rule->name);
	good(clFinish(queue), rule->name);
	printf("%s %ld %ld\n", rule->name, sum_of(buffers[0]), sum_of(*other));
	clReleaseKernel(kernel);
}

static int read_rule(const char *line, struct rule *rule)
{
	memset(rule, 0, sizeof(*rule));
	return sscanf(line, "//! %63s %d %u %zu,%zu,%zu %zu,%zu,%zu %zu",
		      rule->name, &rule->n, &rule->buffers, &rule->global[0],
		      &rule->global[1], &rule->global[2], &rule->local[0],
		      &rule->local[1], &rule->local[2],
		      &rule->offset[0]) == 10 &&
		(rule->buffers == 1 || rule->buffers == 2);
}

int main(int argc, char **argv)
{
	FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;
	char *text = NULL;
	size_t room = 0;
	struct rule rule;

	if (!in || getdelim(&text, &room, '\0', in) < 0)
		return 64;
	fclose(in);
	begin(text);
	for (char *line = strstr(text, "//!"); line;
	     line = strstr(line + 1, "//!"))
		if (read_rule(line, &rule))
			run(&rule);
	for (int i = 0; i < 2; i++)
		clReleaseMemObject(buffers[i]);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	free(text);
	return 0;
}
