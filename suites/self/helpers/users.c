/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL program as users write them, for the tests of presets: an upload,
 * launches, each waited for, and the sum of what comes back. The first
 * argument says how it takes an error:
 *
 *	careful		says so, gives everything back and ends with status 3
 *	retry		tries the same once more before that
 *	unchecked	looks at no code and no handle
 *	poll		asks a launch's event until it is CL_COMPLETE
 *	depend		lets the read wait for the launch's event, looks at
 *			codes only
 *	leak		as careful, but keeps its events until the end, and has
 *			forgotten them when it ends early
 *
 * The second is the number of launches [default: 2].
 */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

enum { ITEMS = 64, BYTES = ITEMS * sizeof(cl_int), FAILED = 3, KEPT = 256 };

static const char source[] =
	"kernel void add(global int *v) { v[get_global_id(0)] += 1; }\n";

static const char *mode;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_mem mem;
static cl_event kept[KEPT];
static unsigned int kept_count;

static bool is(const char *name)
{
	return strcmp(mode, name) == 0;
}

static void give_back(void)
{
	if (mem)
		clReleaseMemObject(mem);
	if (kernel)
		clReleaseKernel(kernel);
	if (program)
		clReleaseProgram(program);
	if (queue)
		clReleaseCommandQueue(queue);
	if (context)
		clReleaseContext(context);
}

/* Is it all right to go on? Does not come back when it is not. */
static void check(const char *call, cl_int err)
{
	if (err == CL_SUCCESS || is("unchecked"))
		return;
	fprintf(stderr, "users: %s failed with %d\n", call, (int)err);
	give_back();
	exit(FAILED);
}

/* Worth another try? */
static bool again(cl_int err)
{
	return err != CL_SUCCESS && is("retry");
}

static void set_up(void)
{
	const char *text = source;
	cl_platform_id platform = NULL;
	cl_int err;

	check("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL));
	check("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
					       &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	check("clCreateContext", err);
	queue = clCreateCommandQueue(context, device, 0, &err);
	check("clCreateCommandQueue", err);
	program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
	check("clCreateProgramWithSource", err);
	check("clBuildProgram", clBuildProgram(program, 1, &device, "", NULL,
					       NULL));
	kernel = clCreateKernel(program, "add", &err);
	check("clCreateKernel", err);
}

static void upload(void)
{
	cl_int values[ITEMS], err;

	mem = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &err);
	if (again(err))
		mem = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL,
				     &err);
	check("clCreateBuffer", err);
	for (int i = 0; i < ITEMS; i++)
		values[i] = i;
	err = clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, BYTES, values, 0,
				   NULL, NULL);
	if (again(err))
		err = clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, BYTES,
					   values, 0, NULL, NULL);
	check("clEnqueueWriteBuffer", err);
	check("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof(mem), &mem));
}

static cl_int enqueue(cl_event *ret_event)
{
	size_t items = ITEMS;

	return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				      NULL, ret_event);
}

static void wait_for(cl_event event)
{
	cl_int status = CL_QUEUED;

	if (is("poll")) {
		clFlush(queue);
		while (status != CL_COMPLETE)
			clGetEventInfo(event,
				       CL_EVENT_COMMAND_EXECUTION_STATUS,
				       sizeof(status), &status, NULL);
	} else if (is("careful") || is("retry") || is("leak")) {
		check("clWaitForEvents", clWaitForEvents(1, &event));
	}
	check("clFinish", clFinish(queue));
}

static void launch(void)
{
	cl_event event = NULL;
	cl_int err = enqueue(&event);

	if (again(err))
		err = enqueue(&event);
	check("clEnqueueNDRangeKernel", err);
	if (is("depend")) {
		cl_int first = 0;

		clFlush(queue);
		check("clEnqueueReadBuffer",
		      clEnqueueReadBuffer(queue, mem, CL_FALSE, 0,
					  sizeof(first), &first, 1, &event,
					  NULL));
	}
	if (event)
		wait_for(event);
	if (is("leak") && kept_count < KEPT)
		kept[kept_count++] = event;
	else if (event)
		clReleaseEvent(event);
}

int main(int argc, char **argv)
{
	unsigned long launches = argc > 2 ? strtoul(argv[2], NULL, 10) : 2;
	cl_int values[ITEMS] = { 0 };
	long sum = 0;

	mode = argc > 1 ? argv[1] : "careful";
	set_up();
	upload();
	while (launches-- > 0)
		launch();
	check("clEnqueueReadBuffer",
	      clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, BYTES, values, 0,
				  NULL, NULL));
	for (int i = 0; i < ITEMS; i++)
		sum += values[i];
	printf("sum %ld\n", sum);
	while (kept_count > 0)
		clReleaseEvent(kept[--kept_count]);
	give_back();
	return 0;
}
