/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soaked MODE [N]: a program for soaks to meet, with one habit. Starts are
 * counted in the file "starts" of the working directory.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 120
#include "faults/shared/openclaw.h"

static cl_context context;
static cl_command_queue queue;

static void must(cl_int err, const char *what)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "soaked: %s: %d\n", what, err);
	exit(4);
}

static void open_device(void)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_int err;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	     "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	must(err, "clCreateContext");
	queue = clCreateCommandQueue(context, device, 0, &err);
	must(err, "clCreateCommandQueue");
}

/* A buffer is made, written, read and released. */
static void work(void)
{
	uint32_t bytes[64] = { 1, 2, 3 }, back[64] = { 0 };
	cl_int err;
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(bytes),
				    NULL, &err);

	must(err, "clCreateBuffer");
	must(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, sizeof(bytes), bytes,
				  0, NULL, NULL), "clEnqueueWriteBuffer");
	must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(back), back, 0,
				 NULL, NULL), "clEnqueueReadBuffer");
	must(clReleaseMemObject(mem), "clReleaseMemObject");
}

/* Is this the Nth start, the 2Nth, ...? */
static bool is_every(unsigned int number)
{
	FILE *starts = fopen("starts", "a+");
	long count;

	if (!starts)
		exit(5);
	fputc('.', starts);
	count = ftell(starts);
	fclose(starts);
	return count % (long)number == 0;
}

static void close_device(void)
{
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
}

static void ends(unsigned int number)
{
	(void)number;
	work();
}

/* N buffers are never released; where their context is, too, nobody has them
 * any more. */
static void forgets(unsigned int number)
{
	cl_int err;

	work();
	for (unsigned int i = 0; i < number; i++) {
		clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &err);
		must(err, "clCreateBuffer");
	}
}

/* What it has once it leaves to the end of the process. */
static void keeps(unsigned int number)
{
	cl_int err;

	(void)number;
	work();
	clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &err);
	must(err, "clCreateBuffer");
	exit(0);
}

static void crashes(unsigned int number)
{
	volatile int *volatile wild = NULL;
	bool now = is_every(number);

	work();
	if (now)
		*wild = 1;
}

static void aborts(unsigned int number)
{
	(void)number;
	work();
	abort();
}

static void fails(unsigned int number)
{
	bool now = is_every(number);

	work();
	if (!now)
		return;
	fprintf(stderr, "soaked: the tile is empty\n");
	exit(3);
}

/* Each Nth result is wrong; 0: none. */
static void iterates(unsigned int number)
{
	for (unsigned int i = 1;; i++) {
		work();
		CLAW_ITERATION(!number || i % number);
	}
}

static void hangs(unsigned int number)
{
	cl_int err;
	cl_event gate = clCreateUserEvent(context, &err);

	(void)number;
	must(err, "clCreateUserEvent");
	for (int i = 0; i < 10; i++) {
		work();
		CLAW_ITERATION(true);
	}
	clWaitForEvents(1, &gate);
}

/* Neither it nor its child minds SIGTERM; its child's number is in "child". */
static void stays(unsigned int number)
{
	FILE *file;
	pid_t child;

	signal(SIGTERM, SIG_IGN);
	child = fork();
	while (child == 0)
		pause();
	file = fopen("child", "w");
	if (file) {
		fprintf(file, "%d\n", (int)child);
		fclose(file);
	}
	iterates(number);
}

static void talks(unsigned int number)
{
	for (;;) {
		for (int i = 0; i < 1000; i++)
			puts("a line of a program that has much to say");
		work();
		CLAW_ITERATION(true);
		(void)number;
	}
}

/* Before its first call it takes number MiB, one after the other. */
static void load(unsigned int number)
{
	enum { MIB = 1 << 20, PAUSE_US = 50 * 1000 };

	for (unsigned int i = 0; i < number; i++) {
		char *loaded = malloc(MIB);

		if (loaded)
			memset(loaded, 1, MIB);
		usleep(PAUSE_US);
	}
}

static const struct {
	const char *name;
	void (*run)(unsigned int number);
} modes[] = {
	{ "ends", ends }, { "forgets", forgets }, { "keeps", keeps },
	{ "crashes", crashes }, { "aborts", aborts }, { "fails", fails },
	{ "iterates", iterates }, { "hangs", hangs }, { "stays", stays },
	{ "talks", talks }, { "loads", ends },
};

int main(int argc, char **argv)
{
	unsigned int number;

	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(*modes);
	     i++) {
		if (strcmp(modes[i].name, argv[1]) != 0)
			continue;
		number = argc > 2 ?
			(unsigned int)strtoul(argv[2], NULL, 10) : 0;
		if (strcmp(argv[1], "loads") == 0)
			load(number);
		open_device();
		modes[i].run(number);
		close_device();
		return 0;
	}
	fprintf(stderr, "usage: soaked MODE [N]\n");
	return 64;
}
