/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Races whose two accesses go through different arguments, and launches that
 * have none though their work-items touch the same memory:
 *
 *	race_objects CASE
 *
 *	same		one buffer is two arguments; each work-item reads what the
 *			next one writes
 *	twice		one buffer is two arguments; each touches its own element
 *	overlap		two sub-buffers overlap
 *	apart		two sub-buffers lie side by side
 *	launches	40 launches, each writes what the last one read
 *	bytes		work-items write neighbouring bytes
 *	shared		"same" in shared virtual memory
 *	grows		a small launch, then a large one with the same kernel
 *	linked		a race in a function of another object of the program
 *	called		a race in a kernel that a kernel calls
 *	tight		a local argument that leaves no room for words of its own
 *	queues		a long launch in one queue, many short ones in another
 *	no_order	a launch in a queue that is not in order
 *	loaded		a race by a pointer from memory, and an access by another
 *
 * Prints the sum of what the kernel left. 77: the device cannot.
 */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

enum { COUNT = 1024, MISSING = 77, PART = 512 };

static const char source[] =
"kernel void next(global int *to, global int *from, int n)\n"
"{\n"
"	int i = get_global_id(0);\n"
"	int value = i + n < (int)get_global_size(0) ? from[i + n] : 0;\n"
"	to[i] = value + 1;\n"
"}\n"
"kernel void calls(global int *to) { next(to, to, 1); }\n"
"struct place { global int *to; };\n"
"kernel void loaded(global int *to)\n"
"{\n"
"	struct place place[2];\n"
"	int i = get_global_id(0);\n"
"	place[i & 1].to = to;\n"
"	place[i & 1].to[i / 2] = 0;\n"
"	to[i + get_global_size(0)] = 0;\n"
"}\n"
"kernel void tight(global int *to, local int *tile)\n"
"{\n"
"	int l = get_local_id(0);\n"
"	tile[l] = l;\n"
"	barrier(CLK_LOCAL_MEM_FENCE);\n"
"	to[get_global_id(0)] = tile[63 - l];\n"
"}\n"
"kernel void slow(global int *to, int n)\n"
"{\n"
"	for (int k = 0; k < n; k++)\n"
"		to[(get_global_id(0) + k * 4) % 64] += k;\n"
"}\n"
"kernel void bytes(global uchar *to) { to[get_global_id(0)] = get_global_id(0) % 7; }\n";

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_program program;

static void good(cl_int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "%s: %d\n", what, err);
	exit(err == CL_INVALID_OPERATION ? MISSING : 1);
}

static cl_kernel kernel_of(const char *name)
{
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, name, &err);

	good(err, "clCreateKernel");
	return kernel;
}

static cl_mem buffer_of(size_t bytes)
{
	static const cl_int zero;
	cl_int err;
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL,
				    &err);

	good(err, "clCreateBuffer");
	good(clEnqueueFillBuffer(queue, mem, &zero, sizeof(zero), 0, bytes, 0,
				 NULL, NULL), "clEnqueueFillBuffer");
	return mem;
}

static void launch(cl_kernel kernel, size_t items)
{
	const size_t group = 64;

	good(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0,
				    NULL, NULL), "clEnqueueNDRangeKernel");
}

static void next(cl_mem to, cl_mem from, cl_int n, size_t items, int times)
{
	cl_kernel kernel = kernel_of("next");

	clSetKernelArg(kernel, 0, sizeof(to), &to);
	clSetKernelArg(kernel, 1, sizeof(from), &from);
	clSetKernelArg(kernel, 2, sizeof(n), &n);
	while (times--)
		launch(kernel, items);
	clReleaseKernel(kernel);
}

static cl_mem part_of(cl_mem mem, size_t origin, size_t bytes)
{
	cl_buffer_region region = { origin, bytes };
	cl_int err;
	cl_mem part = clCreateSubBuffer(mem, CL_MEM_READ_WRITE,
					CL_BUFFER_CREATE_TYPE_REGION, &region,
					&err);

	good(err, "clCreateSubBuffer");
	return part;
}

/* The first half is read, what begins at its end, or before it, is written. */
static void parts(cl_mem mem, bool overlap)
{
	cl_mem low = part_of(mem, 0, PART * 4);
	cl_mem high = part_of(mem, PART * 4 - (overlap ? PART : 0), PART * 4);

	next(high, low, 0, PART, 1);
	good(clFinish(queue), "clFinish");
	clReleaseMemObject(low);
	clReleaseMemObject(high);
}

static void shared(cl_mem mem)
{
	int *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, COUNT * 4, 0);
	cl_kernel kernel = kernel_of("next");
	const cl_int one = 1;

	if (!memory)
		exit(MISSING);
	clSetKernelArgSVMPointer(kernel, 0, memory);
	clSetKernelArgSVMPointer(kernel, 1, memory);
	clSetKernelArg(kernel, 2, sizeof(one), &one);
	launch(kernel, COUNT);
	good(clFinish(queue), "clFinish");
	clReleaseKernel(kernel);
	clSVMFree(context, memory);
	(void)mem;
}

static const char *halves[] = {
	"void put(global int *to, int i) { to[i / 2] = i / 2 * 0; }\n",
	"void put(global int *to, int i);\n"
	"kernel void linked(global int *to) { put(to, get_global_id(0)); }\n",
};

static void link_halves(void)
{
	cl_program parts[2];
	cl_int err;

	for (int i = 0; i < 2; i++) {
		parts[i] = clCreateProgramWithSource(context, 1, &halves[i],
						     NULL, &err);
		good(err, "clCreateProgramWithSource");
		good(clCompileProgram(parts[i], 1, &device, "", 0, NULL, NULL,
				      NULL, NULL), "clCompileProgram");
	}
	clReleaseProgram(program);
	program = clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL,
				&err);
	good(err, "clLinkProgram");
	for (int i = 0; i < 2; i++)
		clReleaseProgram(parts[i]);
}

static void one(const char *name, cl_mem mem, size_t items)
{
	cl_kernel kernel = kernel_of(name);

	clSetKernelArg(kernel, 0, sizeof(mem), &mem);
	launch(kernel, items);
	clReleaseKernel(kernel);
}

static void tight(cl_mem mem)
{
	cl_kernel kernel = kernel_of("tight");
	cl_ulong bytes = 0;

	clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(bytes), &bytes,
			NULL);
	clSetKernelArg(kernel, 0, sizeof(mem), &mem);
	clSetKernelArg(kernel, 1, (size_t)bytes / 4 * 3, NULL);
	launch(kernel, COUNT);
	clReleaseKernel(kernel);
}

static cl_command_queue queue_of(cl_command_queue_properties wanted)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES, wanted, 0 };
	cl_int err;
	cl_command_queue made = clCreateCommandQueueWithProperties(context,
		device, list, &err);

	good(err, "clCreateCommandQueueWithProperties");
	return made;
}

static bool has_ended(cl_event event)
{
	cl_int state = CL_COMPLETE;

	clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state),
		       &state, NULL);
	return state <= CL_COMPLETE;
}

/* A kernel of four work-items, and meanwhile others of the same program. */
static void queues(cl_mem mem, cl_mem other)
{
	cl_command_queue second = queue_of(0);
	const cl_int rounds = 5000000;
	const size_t four = 4;
	cl_kernel kernel = kernel_of("slow");
	cl_event event;

	clSetKernelArg(kernel, 0, sizeof(mem), &mem);
	clSetKernelArg(kernel, 1, sizeof(rounds), &rounds);
	next(other, other, 0, 64, 1);
	good(clFinish(queue), "clFinish");
	good(clEnqueueNDRangeKernel(second, kernel, 1, NULL, &four, &four, 0,
				    NULL, &event), "clEnqueueNDRangeKernel");
	clFlush(second);
	for (int i = 0; i < 3000 && !has_ended(event); i++) {
		next(other, other, 0, 64, 1);
		good(clFinish(queue), "clFinish");
	}
	good(clFinish(second), "clFinish");
	clReleaseEvent(event);
	clReleaseKernel(kernel);
	clReleaseCommandQueue(second);
}

static void no_order(cl_mem mem)
{
	good(clFinish(queue), "clFinish");
	clReleaseCommandQueue(queue);
	queue = queue_of(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	next(mem, mem, 0, COUNT, 1);
	good(clFinish(queue), "clFinish");
}

static void run(const char *name, cl_mem mem)
{
	cl_mem other = buffer_of(COUNT * 4);

	if (strcmp(name, "same") == 0 || strcmp(name, "twice") == 0)
		next(mem, mem, name[0] == 's', COUNT, 1);
	else if (strcmp(name, "overlap") == 0 || strcmp(name, "apart") == 0)
		parts(mem, name[0] == 'o');
	else if (strcmp(name, "launches") == 0)
		for (int i = 0; i < 40; i++)
			next(i % 2 ? mem : other, i % 2 ? other : mem, 1, COUNT,
			     1);
	else if (strcmp(name, "queues") == 0)
		queues(mem, other);
	else if (strcmp(name, "no_order") == 0)
		no_order(mem);
	else if (strcmp(name, "bytes") == 0)
		one(name, mem, COUNT);
	else if (strcmp(name, "called") == 0)
		one("calls", mem, COUNT);
	else if (strcmp(name, "tight") == 0)
		tight(mem);
	else if (strcmp(name, "loaded") == 0)
		one(name, mem, PART);
	else if (strcmp(name, "linked") == 0) {
		link_halves();
		one(name, mem, COUNT);
	} else if (strcmp(name, "shared") == 0)
		shared(mem);
	else if (strcmp(name, "grows") == 0) {
		cl_mem small = buffer_of(256);

		next(small, small, 0, 64, 1);
		next(mem, other, 1, COUNT, 20);
		good(clFinish(queue), "clFinish");
		clReleaseMemObject(small);
	} else {
		exit(64);
	}
	clReleaseMemObject(other);
}

static void begin(void)
{
	const char *text = source;
	cl_platform_id platform;
	cl_int err;

	good(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	good(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	     "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	good(err, "clCreateContext");
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
	good(err, "clCreateCommandQueueWithProperties");
	program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
	good(err, "clCreateProgramWithSource");
	good(clBuildProgram(program, 1, &device, "", NULL, NULL),
	     "clBuildProgram");
}

int main(int argc, char **argv)
{
	static int result[COUNT];
	long sum = 0;
	cl_mem mem;

	if (argc != 2)
		return 64;
	begin();
	mem = buffer_of(COUNT * 4);
	run(argv[1], mem);
	good(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(result), result,
				 0, NULL, NULL), "clEnqueueReadBuffer");
	for (int i = 0; i < COUNT; i++)
		sum += result[i];
	printf("%ld\n", sum);
	clReleaseMemObject(mem);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
