/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL program that is late, for the tests of openclaw check. The first
 * argument says with what:
 *
 *	clean		nothing
 *	use		uploads to a buffer that it has released, N times
 *	two		the same in two functions
 *	double		releases a buffer twice
 *	both		as use, and forgets N buffers, too
 *	pending		nothing: it releases a buffer that a launch may still
 *			use, which is legal
 *	unwaited	as pending, and nothing waits for the launch
 *	fork		as use, in a child, and forgets nothing
 *	threads		as use, in two threads
 *	exit		as use, and ends with status 3
 *	abort, kill	as use, and ends by that signal
 *	wait		as use, says "ready", and waits for its input to end
 *	many		asks for the size of two released buffers in 600 places
 *
 * The second is N [default: 1].
 */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#define NOINLINE __attribute__((noinline))

enum { BYTES = 4096 };

static const char source[] =
	"kernel void fill(global uint *to, uint value)\n"
	"{ to[get_global_id(0)] = value; }\n";

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static unsigned long times = 1;

static void check(const char *call, cl_int err)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "late: %s failed with %d\n", call, (int)err);
	exit(4);
}

static NOINLINE void set_up(void)
{
	cl_platform_id platform = NULL;
	cl_int err;

	check("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL));
	check("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
					       &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	check("clCreateContext", err);
	queue = clCreateCommandQueue(context, device, 0, &err);
	check("clCreateCommandQueue", err);
}

static void give_back(void)
{
	clFinish(queue);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
}

static NOINLINE cl_mem load(void)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL,
				    &err);		/* the buffer */

	check("clCreateBuffer", err);
	return mem;
}

static NOINLINE void drop(cl_mem mem)
{
	clReleaseMemObject(mem);		/* the release */
	clFlush(queue);
}

/* Says what came of it: with --protect it is not CL_SUCCESS. */
static NOINLINE void upload(cl_mem mem)
{
	const char bytes[BYTES] = { 1 };
	cl_int err = clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, BYTES, bytes,
					  0, NULL, NULL);	/* the use */

	printf("upload: %d\n", (int)err);
	fflush(stdout);
}

static NOINLINE void fill(cl_mem mem)
{
	cl_uint zero = 0;

	clEnqueueFillBuffer(queue, mem, &zero, sizeof(zero), 0, BYTES, 0, NULL,
			    NULL);			/* the other use */
	clFlush(queue);
}

static void run_use(int twice)
{
	cl_mem mem = load();

	upload(mem);
	drop(mem);
	for (unsigned long i = 0; i < times; i++)
		upload(mem);
	if (twice)
		fill(mem);
}

static void run_double(void)
{
	cl_mem mem = load();

	clReleaseMemObject(mem);
	drop(mem);
}

static void run_pending(bool waits)
{
	const char *text = source;
	cl_mem mem = load();
	cl_program program;
	cl_kernel kernel;
	size_t items = BYTES / sizeof(cl_uint);
	cl_uint value = 7;
	cl_int err;

	program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
	check("clCreateProgramWithSource", err);
	check("clBuildProgram", clBuildProgram(program, 1, &device, "", NULL,
					       NULL));
	kernel = clCreateKernel(program, "fill", &err);
	check("clCreateKernel", err);
	check("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	check("clSetKernelArg", clSetKernelArg(kernel, 1, sizeof(value),
					       &value));
	check("clEnqueueNDRangeKernel",
	      clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				     NULL, NULL));
	drop(mem);
	if (waits)
		clFinish(queue);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
}

static void run_fork(void)
{
	pid_t child = fork();

	if (child == 0) {
		set_up();
		run_use(0);
		give_back();
		_exit(0);
	}
	waitpid(child, NULL, 0);
	set_up();
}

static void *use_in_thread(void *mem)
{
	upload(mem);
	return NULL;
}

static void run_threads(void)
{
	cl_mem mem = load();
	pthread_t thread;

	drop(mem);
	for (int i = 0; i < 2; i++) {
		if (pthread_create(&thread, NULL, use_in_thread, mem) != 0)
			exit(4);
		pthread_join(thread, NULL);
	}
}

#define ONE	size += clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(size), \
					   &size, NULL) != CL_SUCCESS;
#define TEN	ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE
#define HUNDRED	TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

static NOINLINE void ask(cl_mem mem)
{
	size_t size = 0;

	HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED
}

static void run_many(void)
{
	cl_mem mems[] = { load(), load() };

	drop(mems[0]);
	clReleaseMemObject(mems[1]);
	/* One call of ask(), so that each place is one for both. */
	for (unsigned long i = 0; i < times + 1 && i < 2; i++)
		ask(mems[i]);
}

static void wait_for_input(void)
{
	char byte;

	printf("ready\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		continue;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "clean";

	if (argc > 2)
		times = strtoul(argv[2], NULL, 10);
	if (strcmp(mode, "fork") == 0)
		run_fork();
	else
		set_up();
	if (strcmp(mode, "clean") == 0)
		drop(load());
	else if (strcmp(mode, "double") == 0)
		run_double();
	else if (strcmp(mode, "pending") == 0)
		run_pending(true);
	else if (strcmp(mode, "unwaited") == 0)
		run_pending(false);
	else if (strcmp(mode, "threads") == 0)
		run_threads();
	else if (strcmp(mode, "many") == 0)
		run_many();
	else if (strcmp(mode, "fork") != 0)
		run_use(strcmp(mode, "two") == 0);
	for (unsigned long i = 0; strcmp(mode, "both") == 0 && i < times; i++)
		load();
	if (strcmp(mode, "wait") == 0)
		wait_for_input();
	if (strcmp(mode, "abort") == 0)
		abort();
	if (strcmp(mode, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(mode, "unwaited") == 0)
		return 0;
	give_back();
	return strcmp(mode, "exit") == 0 ? 3 : 0;
}
