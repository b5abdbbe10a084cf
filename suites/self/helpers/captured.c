/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL program with something to hide, that ends as it is told:
 *
 *	captured END [SECRET]
 *
 * The secret is in a buffer, in a kernel's argument, in the program's source,
 * in its build options and on the command line. END: "well"; "fails", with
 * status 3; "segv"; "idle", which is that with 32 MiB in four buffers that no
 * kernel is given; "killed"; "aborts"; "children", two of which crash; "stays
 * SAY HEAR", which opens the fifo SAY, then reads from HEAR until that is
 * closed; "leaves SAY HEAR": a process that stays so, and crashes then.
 */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

enum {
	FAILED = 3, ITEMS = 16, SECRET_BYTES = 64, PATIENCE_S = 60,
	IDLE = 4, IDLE_BYTES = 8 << 20,
};

static cl_command_queue queue;

static void check(const char *call, cl_int err)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "captured: %s failed with %d\n", call, (int)err);
	exit(FAILED);
}

static bool has_idle;

/* All different, and nothing that could be written shorter. */
static void make_idle(cl_context context)
{
	unsigned int *bytes = malloc(IDLE_BYTES), number = 1;
	cl_int err = CL_OUT_OF_HOST_MEMORY;

	for (int i = 0; bytes && i < IDLE; i++) {
		for (size_t at = 0; at < IDLE_BYTES / sizeof(*bytes); at++)
			bytes[at] = number = number * 1664525u + 1013904223u;
		clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, IDLE_BYTES, bytes,
			       &err);
	}
	free(bytes);
	check("clCreateBuffer", err);
}

static void work(const char *secret)
{
	static char bytes[ITEMS * sizeof(cl_int) + SECRET_BYTES];
	const size_t items = ITEMS;
	char source[256], options[128];
	const char *text = source;
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_program program;
	cl_kernel kernel;
	cl_mem mem;
	cl_int err;

	snprintf(source, sizeof(source), "/* %s */ kernel void copy(global int "
		 "*from, global int *to) { to[get_global_id(0)] = "
		 "from[get_global_id(0)]; }", secret);
	snprintf(options, sizeof(options), "-DWHAT=%s", secret);
	snprintf(bytes, sizeof(bytes), "%s", secret);
	check("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL));
	check("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
					       &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	check("clCreateContext", err);
	if (has_idle)
		make_idle(context);
	queue = clCreateCommandQueue(context, device, 0, &err);
	check("clCreateCommandQueue", err);
	mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(bytes),
			     bytes, &err);
	check("clCreateBuffer", err);
	check("clEnqueueWriteBuffer", clEnqueueWriteBuffer(queue, mem, CL_TRUE,
		0, sizeof(bytes), bytes, 0, NULL, NULL));
	program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
	check("clCreateProgramWithSource", err);
	check("clBuildProgram", clBuildProgram(program, 1, &device, options,
					       NULL, NULL));
	kernel = clCreateKernel(program, "copy", &err);
	check("clCreateKernel", err);
	check("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	check("clSetKernelArg", clSetKernelArg(kernel, 1, sizeof(mem), &mem));
	check("clEnqueueNDRangeKernel", clEnqueueNDRangeKernel(queue, kernel,
		1, NULL, &items, NULL, 0, NULL, NULL));
	check("clFinish", clFinish(queue));
}

static void crash(void)
{
	volatile int *volatile nowhere = NULL;

	*nowhere = 1;
}

static void stay(const char *say, const char *hear)
{
	char byte;
	int out, in;

	alarm(PATIENCE_S);
	out = open(say, O_WRONLY);
	in = open(hear, O_RDONLY);
	while (in >= 0 && read(in, &byte, 1) > 0)
		;
	close(in);
	close(out);
}

static void make_children(const char *secret)
{
	for (int i = 0; i < 2; i++) {
		pid_t child = fork();

		if (child == 0) {
			work(secret);
			crash();
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

/* SAY is open until it is gone. */
static void leave(const char *say, const char *hear)
{
	int ends[2];
	char byte = 0;

	if (pipe(ends) == 0 && fork() == 0) {
		setsid();
		work("nothing");
		if (write(ends[1], &byte, 1) != 1 || open(say, O_WRONLY) < 0)
			_exit(FAILED);
		stay(say, hear);
		crash();
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 1)
		exit(FAILED);
}

int main(int argc, char **argv)
{
	const char *end = argc > 1 ? argv[1] : "well";
	const char *secret = argc == 3 ? argv[2] : "nothing";
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	has_idle = strcmp(end, "idle") == 0;
	work(secret);
	if (strcmp(end, "fails") == 0)
		return FAILED;
	if (strcmp(end, "segv") == 0 || has_idle)
		crash();
	if (strcmp(end, "killed") == 0)
		kill(getpid(), SIGKILL);
	if (strcmp(end, "aborts") == 0)
		abort();
	if (strcmp(end, "children") == 0)
		make_children(secret);
	if (strcmp(end, "stays") == 0 && argc == 4)
		stay(argv[2], argv[3]);
	if (strcmp(end, "leaves") == 0 && argc == 4)
		leave(argv[2], argv[3]);
	return 0;
}
