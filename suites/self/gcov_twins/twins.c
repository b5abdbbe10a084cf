/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the kernels of this folder, each over 64 work-items, and prints what
 * they made of their words: with TWINS_ON_HOST as host C, one item after the
 * other (twins.list has an include a file, twins.names a TWIN(NAME) a kernel),
 * else through OpenCL, from the text of the files in its words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 64, GROUP = 8, WORDS = 2 * ITEMS, STEP = 5 };

static int words[WORDS];

static void fill(void)
{
	for (int i = 0; i < WORDS; i++)
		words[i] = i * 7 % 13;
}

static void tell(const char *name)
{
	unsigned long long sum = 0;

	for (int i = 0; i < WORDS; i++)
		sum = sum * 31 + (unsigned int)words[i];
	printf("%s %016llx\n", name, sum);
}

#ifdef TWINS_ON_HOST
#include "twins_host.h"
#include "twins.list"

static void run(const char *name, void (*kernel)(int *words, int step))
{
	fill();
	for (twins_item = 0; twins_item < ITEMS; twins_item++)
		kernel(words, STEP);
	tell(name);
}

int main(void)
{
#define TWIN(name_) run(#name_, name_);
#include "twins.names"
	return 0;
}
#else
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

static void need(cl_int err, const char *what)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "twins: %s: %d\n", what, err);
	exit(1);
}

static char *read_file(const char *path)
{
	static char text[1 << 16];
	FILE *in = fopen(path, "r");

	if (!in)
		need(1, path);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	return text;
}

static void run(cl_context context, cl_command_queue queue, cl_program program,
		const char *name)
{
	size_t global = ITEMS, local = GROUP;
	cl_int err, step = STEP;
	cl_kernel kernel = clCreateKernel(program, name, &err);

	need(err, name);
	fill();
	cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR,
				       sizeof(words), words, &err);
	need(err, "clCreateBuffer");
	need(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "argument 0");
	need(clSetKernelArg(kernel, 1, sizeof(step), &step), "argument 1");
	need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0,
				    NULL, NULL), name);
	need(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(words),
				 words, 0, NULL, NULL), "clEnqueueReadBuffer");
	tell(name);
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
}

/* twins OPTIONS FILE.cl KERNEL... */
int main(int argc, char **argv)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_int err;

	if (argc < 4)
		return 64;
	need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	     "clGetDeviceIDs");
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);

	need(err, "clCreateContext");
	cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);

	need(err, "clCreateCommandQueue");
	const char *text = read_file(argv[2]);
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL,
						       &err);
	need(err, "clCreateProgramWithSource");
	need(clBuildProgram(program, 1, &device, argv[1], NULL, NULL),
	     "clBuildProgram");
	for (int i = 3; i < argc; i++)
		run(context, queue, program, argv[i]);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
#endif
