/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL program that says after each call what it got, and goes on
 * whatever it was: what a test needs to see a fault through a program's
 * eyes. One line a call on stdout, "NAME: CODE [EXTRA]", unbuffered.
 *
 *	steps [WORD...]
 *
 * Words change it: "careful" stops at the first error with exit status 3;
 * "poll" watches the launch's event for a while; "fork" does the same again
 * in a child first; "threads" makes three buffers in each of three threads,
 * one after the other; "exec PROGRAM ARG..." becomes PROGRAM at the end; "leak"
 * leaves one buffer; "nothing" makes no OpenCL call at all.
 */
#include "config.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../faults/cl_types.h"

enum { BUFFERS = 4, ITEMS = 64 };

static int argument_count;
static char **arguments;

static const char source[] =
	"kernel void copy(global int *from, global int *to)\n"
	"{ to[get_global_id(0)] = from[get_global_id(0)]; }\n";

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_mem buffers[BUFFERS];
static cl_event event;

static bool has_word(const char *word)
{
	for (int i = 1; i < argument_count; i++)
		if (!strcmp(arguments[i], word))
			return true;
	return false;
}

static void say(const char *name, cl_int code, const char *extra)
{
	char line[256];
	int length = snprintf(line, sizeof(line), "%s: %d%s%s\n", name, code,
			      *extra ? " " : "", extra);

	if (write(STDOUT_FILENO, line, (size_t)length) != length)
		_exit(98);
	if (code && has_word("careful")) {
		fprintf(stderr, "steps: %s failed with %d\n", name, code);
		exit(3);
	}
}

static void say_handle(const char *name, cl_int code, const void *handle)
{
	say(name, code, handle ? "handle" : "null");
}

static cl_mem make_buffer(size_t size)
{
	cl_int err = -77;
	cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL,
				       &err);

	say_handle("clCreateBuffer", err, buffer);
	return buffer;
}

static void CL_CALLBACK on_event(cl_event of, cl_int status, void *user)
{
	(void)of;
	(void)user;
	say("callback", 0, status < 0 ? "failed" : "complete");
}

static void set_up(void)
{
	cl_platform_id platform = NULL;
	const char *text = source;
	cl_int err = -77;

	say("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL), "");
	say("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
					     &device, NULL), "");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	say_handle("clCreateContext", err, context);
	queue = clCreateCommandQueue(context, device, 0, &err);
	say_handle("clCreateCommandQueue", err, queue);
	for (size_t i = 0; i < BUFFERS; i++)
		buffers[i] = make_buffer(4096 << i);
	program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
	say_handle("clCreateProgramWithSource", err, program);
}

static void build(void)
{
	char log[256] = "";
	cl_build_status status = 77;
	cl_int err = -77;

	say("clBuildProgram", clBuildProgram(program, 1, &device, "", NULL,
					     NULL), "");
	clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS,
			      sizeof(status), &status, NULL);
	clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG,
			      sizeof(log), log, NULL);
	say("build status", status, strstr(log, "INJECTED") ? "log" : "");
	kernel = clCreateKernel(program, "copy", &err);
	say_handle("clCreateKernel", err, kernel);
}

static void poll_event(void)
{
	cl_int status = CL_QUEUED;

	for (int i = 0; i < 100 && status > CL_COMPLETE; i++) {
		clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
			       sizeof(status), &status, NULL);
		usleep(10000);
	}
	say("event", 0, status < 0 ? "failed" :
	    status == CL_COMPLETE ? "complete" : "pending");
}

static void launch(void)
{
	size_t items = ITEMS;
	cl_command_type type = 0;
	cl_command_queue of = NULL;
	cl_int err;

	for (cl_uint i = 0; i < 2; i++)
		say("clSetKernelArg", clSetKernelArg(kernel, i, sizeof(cl_mem),
						     &buffers[i]), "");
	err = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				     NULL, &event);
	say("clEnqueueNDRangeKernel", err, event ? "event" : "");
	if (!event)
		return;
	clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL);
	clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(of), &of, NULL);
	say("event type", 0, type == CL_COMMAND_NDRANGE_KERNEL && of == queue ?
	    "launch" : "other");
	say("clSetEventCallback", clSetEventCallback(event, CL_COMPLETE,
						     on_event, NULL), "");
	if (has_word("poll"))
		poll_event();
}

static void use(void)
{
	int data[ITEMS] = { 0 };
	cl_int err = -77;
	void *map;

	say("clEnqueueWriteBuffer",
	    clEnqueueWriteBuffer(queue, buffers[0], CL_TRUE, 0, sizeof(data),
				 data, 0, NULL, NULL), "");
	launch();
	say("clEnqueueReadBuffer",
	    clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, sizeof(data),
				data, 0, NULL, NULL), "");
	map = clEnqueueMapBuffer(queue, buffers[1], CL_TRUE, CL_MAP_READ, 0,
				 sizeof(data), 0, NULL, NULL, &err);
	say("clEnqueueMapBuffer", err, map ? "pointer" : "null");
	if (map)
		say("clEnqueueUnmapMemObject",
		    clEnqueueUnmapMemObject(queue, buffers[1], map, 0, NULL,
					    NULL), "");
	say("clFinish", clFinish(queue), "");
}

/* A device that is lost, and a context made after that. */
static void look_again(void)
{
	cl_bool available = CL_TRUE;
	cl_context second;
	cl_int err = -77;

	clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof(available),
			&available, NULL);
	say("CL_DEVICE_AVAILABLE", 0, available ? "true" : "false");
	second = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	say_handle("clCreateContext", err, second);
	if (second)
		clReleaseContext(second);
}

static void tear_down(void)
{
	if (event)
		say("clReleaseEvent", clReleaseEvent(event), "");
	for (size_t i = 0; i < BUFFERS; i++)
		if (buffers[i] && !(i == 3 && has_word("leak")))
			say("clReleaseMemObject",
			    clReleaseMemObject(buffers[i]), "");
	if (kernel)
		say("clReleaseKernel", clReleaseKernel(kernel), "");
	say("clReleaseProgram", clReleaseProgram(program), "");
	say("clReleaseCommandQueue", clReleaseCommandQueue(queue), "");
	say("clReleaseContext", clReleaseContext(context), "");
}

static void *three_buffers(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		cl_mem buffer = make_buffer(64);

		if (buffer)
			clReleaseMemObject(buffer);
	}
	return NULL;
}

static void three_threads(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_t thread;

		say("thread", 0, "");
		if (!pthread_create(&thread, NULL, three_buffers, NULL))
			pthread_join(thread, NULL);
	}
}

static void fork_and_repeat(void)
{
	pid_t child = fork();

	if (child == 0) {
		say("child", 0, "");
		three_buffers(NULL);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	say("parent", 0, "");
}

int main(int argc, char **argv)
{
	argument_count = argc;
	arguments = argv;
	if (has_word("nothing"))
		return 0;
	set_up();
	if (has_word("fork"))
		fork_and_repeat();
	if (has_word("threads"))
		three_threads();
	build();
	if (kernel)
		use();
	look_again();
	tear_down();
	for (int i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], "exec"))
			execvp(argv[i + 1], argv + i + 1);
	return 0;
}
