/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL program that forgets things, for the tests of openclaw check. The
 * first argument says what:
 *
 *	clean		nothing
 *	seed		everything but the event of each launch, N times (the
 *			loop of the third seed)
 *	buffers		N buffers, of a context that it keeps
 *	callers		N buffers from each of five callers, as buffers
 *	cache		N programs of different sources, which it keeps
 *	many		nothing, but it has N user events at a time
 *	retain		to release a buffer as often as it was retained
 *	once		one buffer, with its context: it keeps both to the end
 *	error		when a kernel cannot be made, what it had made
 *	fork		nothing, but its child forgets a buffer
 *	exit		nothing, and ends with status N
 *	abort, kill	as seed, and ends by that signal
 *	wait		nothing, but says "ready" and waits for its input to
 *			end before it gives anything back
 *	leave		nothing, but leaves a process behind that waits so
 *	cat		as seed, and copies its input to its output
 *	none		makes no OpenCL call
 *
 * The second is N [default: 3].
 */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#define NOINLINE __attribute__((noinline))

enum { BYTES = 1 << 19 };

static const char source[] =
	"kernel void fill(global uint *to, uint value)\n"
	"{ to[get_global_id(0)] = value; }\n";

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void check(const char *call, cl_int err)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "leaky: %s failed with %d\n", call, (int)err);
	exit(3);
}

static NOINLINE void set_up(void)
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
}

static void give_back(void)
{
	clFinish(queue);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
}

static NOINLINE cl_mem load_tile(void)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL,
				    &err);		/* the buffer */

	check("clCreateBuffer", err);
	return mem;
}

static NOINLINE cl_event blur(cl_mem mem)
{
	size_t items = BYTES / sizeof(cl_uint);
	cl_uint value = 7;
	cl_event event;
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, "fill", &err);

	if (err != CL_SUCCESS) {	/* the way out that forgets */
		fprintf(stderr, "leaky: clCreateKernel failed with %d\n",
			(int)err);
		give_back();
		exit(4);
	}
	check("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	check("clSetKernelArg", clSetKernelArg(kernel, 1, sizeof(value),
					       &value));
	check("clEnqueueNDRangeKernel",
	      clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				     NULL, &event));	/* the event */
	clWaitForEvents(1, &event);
	clReleaseKernel(kernel);
	return event;
}

static void run_seed(unsigned long times, int forget)
{
	set_up();
	for (unsigned long i = 0; i < times; i++) {
		cl_mem mem = load_tile();
		cl_event event = blur(mem);

		clReleaseMemObject(mem);
		if (!forget)
			clReleaseEvent(event);
	}
	give_back();
}

static void run_many(unsigned long count)
{
	cl_event *events = calloc(count, sizeof(cl_event));

	set_up();
	for (unsigned long i = 0; events && i < count; i++)
		events[i] = clCreateUserEvent(context, NULL);
	for (unsigned long i = 0; events && i < count; i++)
		clReleaseEvent(events[i]);
	free(events);
	give_back();
}

/* The same place, by other ways. */
#define CALLER(name_) \
	static NOINLINE void name_(unsigned long times) \
	{ \
		while (times-- > 0) \
			load_tile(); \
		clFlush(queue); \
	}
CALLER(top)
CALLER(left)
CALLER(right)
CALLER(bottom)
CALLER(middle)

static void run_callers(unsigned long times)
{
	set_up();
	top(times);
	left(times);
	right(times);
	bottom(times);
	middle(times);
}

static void run_cache(unsigned long times)
{
	set_up();
	while (times-- > 0) {
		char text[sizeof(source) + 32];
		const char *texts = text;
		cl_int err;

		snprintf(text, sizeof(text), "%s/* %lu */\n", source, times);
		clCreateProgramWithSource(context, 1, &texts, NULL, &err);
		check("clCreateProgramWithSource", err);
	}
}

static NOINLINE void keep_longer(cl_mem mem)
{
	clRetainMemObject(mem);		/* the retain */
	clFlush(queue);
}

static void run_retain(void)
{
	cl_mem mem;

	set_up();
	mem = load_tile();
	keep_longer(mem);
	clReleaseMemObject(mem);
	give_back();
}

static void run_fork(void)
{
	pid_t child;

	run_seed(1, 0);
	child = fork();
	if (child == 0) {
		set_up();
		load_tile();
		give_back();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void wait_for_input(void)
{
	char byte;

	printf("ready\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		continue;
}

static void run_wait(void)
{
	cl_mem mem;

	set_up();
	mem = load_tile();
	wait_for_input();
	clReleaseMemObject(mem);
	give_back();
}

static void run_leave(void)
{
	run_seed(1, 0);
	if (fork() == 0) {
		wait_for_input();
		_exit(0);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "clean";
	unsigned long times = argc > 2 ? strtoul(argv[2], NULL, 10) : 3;
	int c;

	if (strcmp(mode, "none") == 0)
		return 0;
	if (strcmp(mode, "retain") == 0) {
		run_retain();
	} else if (strcmp(mode, "buffers") == 0) {
		set_up();
		while (times-- > 0)
			load_tile();
	} else if (strcmp(mode, "callers") == 0) {
		run_callers(times);
	} else if (strcmp(mode, "cache") == 0) {
		run_cache(times);
	} else if (strcmp(mode, "many") == 0) {
		run_many(times);
	} else if (strcmp(mode, "once") == 0) {
		set_up();
		load_tile();
	} else if (strcmp(mode, "fork") == 0) {
		run_fork();
	} else if (strcmp(mode, "wait") == 0) {
		run_wait();
	} else if (strcmp(mode, "leave") == 0) {
		run_leave();
	} else if (strcmp(mode, "exit") == 0) {
		run_seed(1, 0);
		return (int)times;
	} else {
		run_seed(times, strcmp(mode, "clean") != 0 &&
			 strcmp(mode, "error") != 0);
	}
	if (strcmp(mode, "abort") == 0)
		abort();
	if (strcmp(mode, "kill") == 0)
		raise(SIGKILL);
	while (strcmp(mode, "cat") == 0 && (c = getchar()) != EOF)
		putchar(c);
	return 0;
}
