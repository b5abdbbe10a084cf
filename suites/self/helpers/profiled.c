/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of profiles look at: programs whose memory is known, by the
 * function that made it. The device is the first there is.
 *
 *	profiled WORD
 */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "faults/shared/cl_types.h"

enum { SMALL = 1 << 20, LARGE = 4 << 20 };

static const char source[] =
	"kernel void sums(global int *v, local int *l)\n"
	"{\n"
	"	local int own[32];\n"
	"	size_t i = get_local_id(0);\n"
	"	own[i] = v[get_global_id(0)];\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	v[get_global_id(0)] = own[0] + own[i];\n"
	"}\n";

static cl_device_id device;
static cl_context context;
static char data[LARGE];

static void need(cl_int err, const char *what)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "profiled: %s: %d\n", what, err);
	exit(3);
}

static void begin(void)
{
	cl_platform_id platform;
	cl_int err;

	need(clGetPlatformIDs(1, &platform, NULL), "platforms");
	need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	     "devices");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	need(err, "context");
}

static __attribute__((noinline)) cl_mem load(void)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(context, 0, LARGE, NULL, &err);

	need(err, "load");
	return mem;
}

static __attribute__((noinline)) cl_mem scratch(void)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(context, 0, SMALL, NULL, &err);

	need(err, "scratch");
	return mem;
}

/* As gcc splits a function: what it does rarely is one of its own. */
cl_mem split_part(void) __asm__("split.part.0");
__attribute__((noinline)) cl_mem split_part(void)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(context, 0, SMALL, NULL, &err);

	need(err, "split");
	return mem;
}

static __attribute__((noinline)) cl_mem split(volatile int *often)
{
	cl_mem mem = *often ? split_part() : NULL;

	need(mem ? 0 : CL_INVALID_MEM_OBJECT, "split");
	return mem;
}

/* One that calls itself, and its clone. */
cl_mem again_clone(volatile int *times) __asm__("again.constprop.0");
static __attribute__((noinline)) cl_mem again(volatile int *times)
{
	cl_mem mem = (*times)-- > 1 ? again_clone(times) : scratch();

	need(mem ? 0 : CL_INVALID_MEM_OBJECT, "again");
	return mem;
}

__attribute__((noinline)) cl_mem again_clone(volatile int *times)
{
	cl_mem mem = again(times);

	need(mem ? 0 : CL_INVALID_MEM_OBJECT, "again");
	return mem;
}

static void split_and_again(void)
{
	volatile int often = 1, times = 2;

	begin();
	split(&often);
	again(&times);
}

/* What is in the program's own memory, and what is a part, takes none. */
static void make_none(cl_mem whole)
{
	cl_buffer_region region = { 0, 4096 };
	cl_int err;

	clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(data), data, &err);
	need(err, "own memory");
	clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region,
			  &err);
	need(err, "part");
}

/* 3 * 4 MiB and 2 * 1 MiB at the peak; 4 MiB at the end. */
static void known(void)
{
	cl_mem large[3], small[2];

	begin();
	for (volatile int i = 0; i < 3; i++)
		large[i] = load();
	make_none(large[0]);
	for (volatile int i = 0; i < 2; i++)
		small[i] = scratch();
	for (int i = 0; i < 2; i++) {
		clReleaseMemObject(small[i]);
		clReleaseMemObject(large[i + 1]);
	}
	small[0] = scratch();
	clReleaseMemObject(small[0]);
}

/* Each peak is a little more than the one before: 1 KiB of 1 MiB. The last is
 * 1 MiB, 8 * 1 KiB and 1 KiB; two of them are gone at the end. */
static void creeping(void)
{
	cl_int err;

	begin();
	scratch();
	for (volatile int i = 0; i < 8; i++) {
		clCreateBuffer(context, 0, 1024, NULL, &err);
		need(err, "small");
		cl_mem passing = clCreateBuffer(context, 0, 1024, NULL, &err);

		need(err, "passing");
		clReleaseMemObject(passing);
	}
}

static void work(void)
{
	size_t size = 64, local = 16;
	const char *text = source;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	cl_mem mem;
	cl_int err;

	begin();
	queue = clCreateCommandQueue(context, device, 0, &err);
	need(err, "queue");
	program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
	need(err, "program");
	need(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
	kernel = clCreateKernel(program, "sums", &err);
	need(err, "kernel");
	mem = load();
	need(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, 3000, data, 0, NULL,
				  NULL), "write");
	need(clSetKernelArg(kernel, 0, sizeof(mem), &mem), "argument");
	need(clSetKernelArg(kernel, 1, 256, NULL), "argument");
	for (int i = 0; i < 5; i++)
		need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size,
					    &local, 0, NULL, NULL), "launch");
	for (int i = 0; i < 2; i++)
		need(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 1000, data, 0,
					 NULL, NULL), "read");
	need(clEnqueueCopyBuffer(queue, mem, mem, 0, 8192, 100, 0, NULL, NULL),
	     "copy");
	need(clFinish(queue), "finish");
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
}

/* ---- what is looked at meanwhile */

static int count_samples(const char *path)
{
	FILE *in = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	int count = 0;

	while (in && getline(&line, &room, in) > 0)
		count += strstr(line, "\"t\":\"sample\"") != NULL;
	free(line);
	if (in)
		fclose(in);
	return count;
}

/* Until it has been looked at: records are written before that, so the second
 * one from here on says that the first look is over. */
static void wait_for_look(void)
{
	const char *path = getenv("PROFILED_RECORDS");
	int before = path ? count_samples(path) : 0;

	while (path && count_samples(path) < before + 2)
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
}

/* Eight of 1 MiB, then every second one is gone: with 16 MiB in all, 12 are
 * free, of which 8 are one extent. */
static void broken(void)
{
	cl_mem mem[8];

	begin();
	for (volatile int i = 0; i < 8; i++)
		mem[i] = scratch();
	wait_for_look();
	for (int i = 0; i < 8; i += 2)
		clReleaseMemObject(mem[i]);
	wait_for_look();
}

/* ---- ends */

static void status(void)
{
	known();
	exit(7);
}

static void killed(void)
{
	known();
	kill(getpid(), SIGKILL);
}

/* A child that has more, and one that has no OpenCL. */
static void several(void)
{
	pid_t child = fork();

	if (child == 0) {
		known();
		_exit(0);
	}
	waitpid(child, NULL, 0);
	child = fork();
	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	begin();
	scratch();
}

/* Standard input and output are the program's own. */
static void echo(void)
{
	char line[64];

	begin();
	if (fgets(line, sizeof(line), stdin))
		printf("said: %s", line);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *word;
		void (*run)(void);
	} words[] = {
		{ "known", known }, { "work", work }, { "broken", broken },
		{ "status", status }, { "killed", killed },
		{ "several", several }, { "echo", echo },
		{ "split", split_and_again }, { "creeping", creeping },
	};

	for (size_t i = 0; argc > 1 && i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(argv[1], words[i].word) == 0) {
			words[i].run();
			return 0;
		}
	fprintf(stderr, "usage: profiled WORD\n");
	return 64;
}
