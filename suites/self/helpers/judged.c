/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL program with a character: the first argument says what it does
 * about a buffer that it does not get. For the tests of verdicts. It makes
 * three buffers, fills each, and prints how much it has done.
 */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

enum { BUFFERS = 3, BYTES = 4096 };

static const char *mode, *argument;
static cl_context context;
static cl_command_queue queue;

static bool is(const char *name)
{
	return strcmp(mode, name) == 0;
}

static cl_mem create(cl_int *ret_error)
{
	return clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL,
			      ret_error);
}

static __attribute__((noinline)) cl_mem react(cl_int error)
{
	cl_mem mem = NULL;

	if (is("careful")) {
		fprintf(stderr, "judged: no buffer (%d)\n", (int)error);
		exit(3);
	}
	if (is("crash"))
		raise(SIGSEGV);
	if (is("shell-crash"))
		exit(128 + SIGSEGV);
	if (is("degrade"))
		puts("error: one buffer skipped");
	if (is("recover") || is("leak")) {
		mem = create(&error);
		if (is("leak"))
			clRetainMemObject(mem);
	}
	if (is("sleep"))
		pause();
	return mem;
}

static bool fill(cl_mem mem)
{
	static char bytes[BYTES];

	return clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, BYTES, bytes, 0,
				    NULL, NULL) == CL_SUCCESS;
}

/* Ask for ever, and never look whether it failed. */
static void poll_marker(void)
{
	cl_event event = NULL;
	cl_int status = CL_QUEUED;

	if (clEnqueueMarkerWithWaitList(queue, 0, NULL, &event) != CL_SUCCESS)
		return;
	clFlush(queue);
	/* Without a pause: a second on any machine is enough to see it spin. */
	while (status != CL_COMPLETE)
		clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
			       sizeof(status), &status, NULL);
	clReleaseEvent(event);
}

/* True every second time that it is asked, by a file. */
static bool every_second_time(void)
{
	if (unlink(argument) == 0)
		return true;

	int fd = open(argument, O_WRONLY | O_CREAT, 0666);

	if (fd >= 0)
		close(fd);
	return false;
}

static unsigned int work(void)
{
	unsigned int done = 0;

	for (int i = 0; i < BUFFERS; i++) {
		cl_int error = CL_SUCCESS;
		cl_mem mem = create(&error);

		if (error != CL_SUCCESS)
			mem = react(error);
		if (!mem && !is("misuse"))
			continue;
		done += fill(mem);
		if (mem)
			clReleaseMemObject(mem);
	}
	return done;
}

static void print_result(unsigned int done)
{
	FILE *out;

	if (is("silent"))
		return;
	if (is("random")) {
		for (unsigned int rest = (unsigned int)getpid(); rest; rest /= 16)
			putchar('a' + (int)(rest % 16));
		putchar('\n');
		return;
	}
	if (is("vary"))
		printf("%d of ", (int)getpid());
	printf("done %u\n", done);
	if (is("nul"))
		fwrite("a\0b\n", 1, 4, stdout);
	if (!is("artifact"))
		return;
	printf("wrote the file\n");
	out = done == BUFFERS ? fopen(argument, "w") : NULL;
	if (out) {
		if (strcmp(argument + strlen(argument) - 4, ".bin") == 0)
			fprintf(out, "\x89PNG%c%d", 0, (int)getpid());
		fprintf(out, "%u\n", done);
		fclose(out);
	}
}

int main(int argc, char **argv)
{
	cl_platform_id platform;
	cl_device_id device;
	unsigned int done;

	mode = argc > 1 ? argv[1] : "swallow";
	argument = argc > 2 ? argv[2] : "judged.out";
	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) !=
	    CL_SUCCESS)
		return 77;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = clCreateCommandQueue(context, device, 0, NULL);
	if (is("calls") && every_second_time())
		clFlush(queue);
	done = work();
	if (is("linger"))
		sleep(1);
	if (is("poll"))
		poll_marker();
	if (clFinish(queue) != CL_SUCCESS)
		done = 0;
	print_result(done);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	if (is("always-3"))
		fputs("judged: no settings\n", stderr);
	return is("always-3") ? 3 : 0;
}
