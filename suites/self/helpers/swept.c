/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL program that heeds every failure, but for the one thing that its
 * first argument says. For the tests of the sweep.
 */
#include "config.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

enum { BYTES = 4096, FAILED = 3, RUNS_WITHOUT_FAULTS = 3 };

static const char *mode, *argument;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static bool is(const char *name)
{
	return strcmp(mode, name) == 0;
}

/* Go on where no code is, as a kernel's is when it is gone. */
static void jump(void)
{
	void (*volatile code)(void) = (void (*)(void))(uintptr_t)16;

	code();
}

static void need(bool good, const char *what)
{
	if (good)
		return;
	if (is("nowhere"))
		jump();
	fprintf(stderr, "swept: %s failed\n", what);
	exit(FAILED);
}

/* With "codes" the error code is what is looked at, as is correct. */
static bool is_there(const void *handle)
{
	return handle || is("codes") || is("codes-unheeded");
}

static void open_cl(void)
{
	cl_platform_id platform;
	cl_int err;

	need(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
	need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ==
	     CL_SUCCESS, "device");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	need(is_there(context) && err == CL_SUCCESS, "context");
	queue = clCreateCommandQueue(context, device, 0, &err);
	need(is_there(queue) && err == CL_SUCCESS, "queue");
}

/* On the way out of an error: a call that is made nowhere else. */
static __attribute__((noinline)) cl_mem small_buffer(void)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES / 2, NULL,
				    &err);

	if (mem && err == CL_SUCCESS)
		return mem;
	if (is("second"))
		raise(SIGSEGV);
	need(false, "a smaller buffer");
	return NULL;
}

/* How often this was asked, in all runs, with this one. */
static long count_runs(void)
{
	FILE *runs = fopen(argument, "a+");
	long count;

	if (!runs)
		exit(FAILED);
	fputc('.', runs);
	count = ftell(runs);
	fclose(runs);
	return count;
}

static __attribute__((noinline)) cl_mem buffer(void)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL,
				    &err);

	while (is("retry") && (!mem || err != CL_SUCCESS)) {
		nanosleep(&(struct timespec) { .tv_nsec = 1000000 }, NULL);
		mem = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL,
				     &err);
	}
	if (is_there(mem) && err == CL_SUCCESS)
		return mem;
	if (is("recover") || is("second"))
		return small_buffer();
	if (is("unheeded") || is("codes-unheeded") || is("artifact") || is("times"))
		return NULL;
	if (is("sometimes") && count_runs() != 2)
		raise(SIGSEGV);
	if (is("stuck-once") && count_runs() == 1)
		pause();
	need(false, "buffer");
	return NULL;
}

static void write_artifact(bool done)
{
	FILE *out = done ? fopen(argument, "w") : NULL;

	if (!out)
		return;
	fputs("done\n", out);
	fclose(out);
}

/* Something is only done in the first runs. */
static void hide(void)
{
	if (count_runs() <= RUNS_WITHOUT_FAULTS)
		clFlush(queue);
}

/* Whether it is known or not does not matter much. */
static cl_ulong memory(void)
{
	cl_ulong bytes = 0;

	if (clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(bytes),
			    &bytes, NULL) != CL_SUCCESS)
		return 0;
	return bytes > 0;
}

/* Another number in each run. */
static long nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long)now.tv_sec * 1000000000L + now.tv_nsec;
}

int main(int argc, char **argv)
{
	static char bytes[BYTES / 2];
	unsigned int done = 0;
	cl_mem mem;

	mode = argc > 1 ? argv[1] : "careful";
	argument = argc > 2 ? argv[2] : "swept.out";
	open_cl();
	for (int i = 0; i < 2; i++) {
		mem = buffer();
		if (!mem)
			continue;
		need(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, sizeof(bytes),
					  bytes, 0, NULL, NULL) == CL_SUCCESS,
		     "write");
		need(clReleaseMemObject(mem) == CL_SUCCESS, "release");
		done++;
	}
	need(clFinish(queue) == CL_SUCCESS, "finish");
	if (is("elusive"))
		hide();
	if (is("known"))
		printf("memory %lu\n", (unsigned long)memory());
	if (is("times"))
		printf("at %ld ns: %u done\n", nanoseconds(), done);
	if (is("artifact"))
		write_artifact(done == 2);
	else if (!is("times"))
		printf("%u done\n", done);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
