/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What "openclaw capture" may cost a large program: many calls, buffers of many
 * GiB that the host has written, and a launch that crashes. Before that it
 * prints, in KiB: what of it is in memory, and how much of that is files'.
 *
 *	bench_capture [CALLS [BUFFERS [MIB]]]	(10,000,000 of 16 of 256 MiB)
 */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/cl_types.h"

enum { MAX_BUFFERS = 256, CALLS_A_ROUND = 1000, SMALL = 1024 };

static const char source[] =
	"kernel void store(global int *v, int at)\n"
	"{\n"
	"	v[at + get_global_id(0)] = 7;\n"
	"}\n";

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;

static void need(cl_int err, const char *what)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "bench_capture: %s: %d\n", what, err);
	exit(2);
}

static void open_device(void)
{
	cl_platform_id platform;
	cl_int err;

	need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	     "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	need(err, "clCreateContext");
	queue = clCreateCommandQueue(context, device, 0, &err);
	need(err, "clCreateCommandQueue");
}

static cl_kernel make_kernel(void)
{
	const char *text = source;
	cl_int err;
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL,
						       &err);
	cl_kernel kernel;

	need(err, "clCreateProgramWithSource");
	need(clBuildProgram(program, 1, &device, "", NULL, NULL),
	     "clBuildProgram");
	kernel = clCreateKernel(program, "store", &err);
	need(err, "clCreateKernel");
	return kernel;
}

/* No two words alike: what is written is as long when it is packed. */
static void fill(uint64_t *words, size_t bytes, uint64_t seed)
{
	for (size_t i = 0; i < bytes / sizeof(*words); i++) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		words[i] = seed;
	}
}

static cl_mem make_buffer(void *host, size_t bytes, unsigned int number)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL,
				    &err);

	need(err, "clCreateBuffer");
	fill(host, bytes, number + 1);
	need(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, bytes, host, 0, NULL,
				  NULL), "clEnqueueWriteBuffer");
	return mem;
}

/* Arguments mostly, and a launch a round. */
static void call(cl_kernel kernel, const cl_mem *mems, unsigned int count,
		 unsigned long calls)
{
	const size_t items = 1;

	for (unsigned long i = 0; i < calls; i++) {
		cl_int at = (cl_int)(i % 64);

		switch (i % CALLS_A_ROUND) {
		case 0:
			need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL,
						    &items, NULL, 0, NULL,
						    NULL), "a launch");
			break;
		case 1:
			need(clFinish(queue), "clFinish");
			break;
		default:
			need(i % 2 ? clSetKernelArg(kernel, 1, sizeof(at), &at) :
			     clSetKernelArg(kernel, 0, sizeof(*mems),
					    &mems[i / 2 % count]),
			     "clSetKernelArg");
		}
	}
}

static void print_memory(void)
{
	char line[256];
	FILE *in = fopen("/proc/self/status", "r");

	while (in && fgets(line, sizeof(line), in))
		if (strncmp(line, "VmRSS:", 6) == 0 ||
		    strncmp(line, "Rss", 3) == 0)
			fputs(line, stdout);
	if (in)
		fclose(in);
	fflush(stdout);
}

static unsigned long number(int argc, char **argv, int at, unsigned long other)
{
	return argc > at ? strtoul(argv[at], NULL, 10) : other;
}

int main(int argc, char **argv)
{
	unsigned long calls = number(argc, argv, 1, 10000000);
	unsigned int count = (unsigned int)number(argc, argv, 2, 16);
	size_t bytes = number(argc, argv, 3, 256) << 20, items = 1;
	cl_mem mems[MAX_BUFFERS];
	cl_int at = 1 << 30;
	cl_kernel kernel;
	void *host = malloc(bytes);

	if (!host || !count || count > MAX_BUFFERS || bytes < SMALL)
		return 2;
	open_device();
	kernel = make_kernel();
	for (unsigned int i = 0; i < count; i++)
		mems[i] = make_buffer(host, bytes, i);
	free(host);
	need(clSetKernelArg(kernel, 0, sizeof(*mems), mems), "clSetKernelArg");
	need(clSetKernelArg(kernel, 1, sizeof(at), &(cl_int){ 0 }),
	     "clSetKernelArg");
	call(kernel, mems, count, calls);
	print_memory();
	need(clSetKernelArg(kernel, 0, sizeof(*mems), mems), "clSetKernelArg");
	need(clSetKernelArg(kernel, 1, sizeof(at), &at), "clSetKernelArg");
	clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL,
			       NULL);
	clFinish(queue);
	return 1;
}
