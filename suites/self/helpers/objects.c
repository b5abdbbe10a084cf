/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL program that makes objects and ends some of them: what a test of
 * the ledger needs to see what is left.
 *
 *	objects WORD [NUMBER]
 *
 * The word is one of the table at the end, NUMBER how many where it makes
 * many. Exit status 0 when every call did what it should.
 */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/shared/cl_types.h"

#define LENGTH(array_) (sizeof(array_) / sizeof((array_)[0]))

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static long number;

static void must(bool good, const char *what, int line)
{
	if (good)
		return;
	fprintf(stderr, "objects: line %d: %s\n", line, what);
	_exit(1);
}
#define MUST(good_) must(good_, #good_, __LINE__)

static cl_mem make_buffer(size_t bytes)
{
	cl_int err;
	cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL,
				       &err);

	MUST(buffer && !err);
	return buffer;
}

static void make_program(void)
{
	const char *source = "kernel void copy(global int *a, global int *b)"
		"{ b[get_global_id(0)] = a[get_global_id(0)]; }\n"
		"kernel void nothing(global int *a) { }\n";
	cl_int err;

	program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
	MUST(program && !clBuildProgram(program, 1, &device, "", NULL, NULL));
}

static cl_kernel make_kernel(void)
{
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, "copy", &err);

	MUST(kernel && !err);
	return kernel;
}

static cl_event launch(cl_kernel kernel)
{
	size_t one = 1;
	cl_event event = NULL;

	MUST(!clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0,
				     NULL, &event) && event);
	return event;
}

static void set_arg(cl_kernel kernel, cl_uint index, cl_mem buffer)
{
	MUST(!clSetKernelArg(kernel, index, sizeof(buffer), &buffer));
}

static void set_up(void)
{
	cl_int err;

	MUST(!clGetPlatformIDs(1, &platform, NULL));
	MUST(!clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(context && !err);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
	MUST(queue && !err);
}

static void tear_down(void)
{
	MUST(!clReleaseCommandQueue(queue) && !clReleaseContext(context));
}

/* ---- what is made, and what keeps what */

static void keep_all(void)
{
	cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = 8, .image_height = 4,
	};
	cl_buffer_region region = { 0, 1024 };
	static char bytes[4096];
	cl_mem parent = make_buffer(4096);
	cl_int err;

	make_program();
	MUST(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region,
			       &err));
	MUST(clCreateImage(context, CL_MEM_READ_ONLY, &format, &desc, NULL,
			   &err));
	MUST(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(bytes), bytes,
			    &err));
	MUST(clCreatePipe(context, CL_MEM_READ_WRITE, 16, 8, NULL, &err));
	MUST(clCreateSamplerWithProperties(context, NULL, &err));
	MUST(clCreateUserEvent(context, &err));
	MUST(clSVMAlloc(context, CL_MEM_READ_WRITE, 512, 0));
	MUST(clEnqueueMapBuffer(queue, parent, CL_TRUE, CL_MAP_READ, 0, 256, 0,
				NULL, NULL, &err));
	make_kernel();
	MUST(!clReleaseMemObject(parent) && !clReleaseProgram(program));
	tear_down();
}

static void release_all(void)
{
	cl_mem from = make_buffer(64), to = make_buffer(64);
	cl_event marker, events[2];
	cl_kernel kernel;
	void *pointer;
	cl_int err;

	make_program();
	kernel = make_kernel();
	set_arg(kernel, 0, from);
	set_arg(kernel, 1, to);
	events[0] = launch(kernel);
	MUST(!clEnqueueReadBuffer(queue, to, CL_TRUE, 0, 4, &err, 0, NULL,
				  &events[1]));
	MUST(!clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker));
	MUST(!clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
	pointer = clEnqueueMapBuffer(queue, to, CL_TRUE, CL_MAP_READ, 0, 4, 0,
				     NULL, NULL, &err);
	MUST(!clEnqueueUnmapMemObject(queue, to, pointer, 0, NULL, NULL));
	MUST(!clRetainEvent(marker) && !clReleaseEvent(marker));
	MUST(!clReleaseMemObject(from) && !clReleaseMemObject(to));
	MUST(!clReleaseEvent(events[0]) && !clReleaseEvent(events[1]));
	MUST(!clReleaseEvent(marker));
	MUST(!clReleaseKernel(kernel) && !clReleaseProgram(program));
	tear_down();
}

/* Buffers that an event holds, some of them no longer the kernel's. */
static void keep_event(void)
{
	cl_mem first = make_buffer(64), second = make_buffer(128),
	       third = make_buffer(256);
	cl_kernel kernel, clone;
	cl_int err;

	make_program();
	kernel = make_kernel();
	set_arg(kernel, 0, first);
	set_arg(kernel, 1, second);
	clone = clCloneKernel(kernel, &err);
	MUST(clone && !err);
	launch(kernel);
	set_arg(kernel, 0, third);
	set_arg(kernel, 0, third);
	MUST(!clSetKernelArg(kernel, 1, sizeof(cl_mem), NULL));
	launch(kernel);
	MUST(!clReleaseKernel(clone) && !clReleaseKernel(kernel));
	MUST(!clReleaseMemObject(first) && !clReleaseMemObject(second) &&
	     !clReleaseMemObject(third));
	MUST(!clReleaseProgram(program));
	tear_down();
}

static void kernels_in_program(void)
{
	cl_kernel kernels[4] = { NULL };
	cl_uint count = 0;

	make_program();
	MUST(!clCreateKernelsInProgram(program, 0, NULL, &count) && count == 2);
	MUST(!clCreateKernelsInProgram(program, 4, kernels, NULL));
	MUST(kernels[1] && !kernels[2] && !clReleaseKernel(kernels[0]));
	MUST(!clCreateKernelsInProgram(program, 2, kernels, &count));
	MUST(!clReleaseProgram(program));
	tear_down();
}

static void map_twice(void)
{
	cl_mem buffer = make_buffer(4096);
	void *pointers[3];
	cl_int err;

	for (int i = 0; i < 3; i++)
		pointers[i] = clEnqueueMapBuffer(queue, buffer, CL_TRUE,
			CL_MAP_READ, i == 2 ? 64 : 0, 64, 0, NULL, NULL, &err);
	MUST(pointers[0] && pointers[0] == pointers[1] && pointers[2]);
	MUST(!clEnqueueUnmapMemObject(queue, buffer, pointers[2], 0, NULL,
				      NULL));
	MUST(!clEnqueueUnmapMemObject(queue, buffer, pointers[0], 0, NULL,
				      NULL));
	/* Nothing is mapped there: the driver may or may not mind. */
	clEnqueueUnmapMemObject(queue, buffer, (char *)pointers[0] + 128, 0,
				NULL, NULL);
	MUST(!clReleaseMemObject(buffer));
	tear_down();
}

static void CL_CALLBACK free_them(cl_command_queue of, cl_uint count,
				  void *pointers[], void *user)
{
	(void)of;
	(void)user;
	for (cl_uint i = 0; i < count; i++)
		clSVMFree(context, pointers[i]);
}

static void shared_memory(void)
{
	typedef void *(CL_API_CALL *alloc_fn)(cl_context, const cl_ulong *,
					      size_t, cl_uint, cl_int *);
	typedef cl_int (CL_API_CALL *free_fn)(cl_context, void *);
	void *pointers[6];
	cl_int err;
	alloc_fn host_alloc;
	free_fn mem_free;

	for (size_t i = 0; i < LENGTH(pointers); i++) {
		pointers[i] = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
		MUST(pointers[i]);
	}
	clSVMFree(context, NULL);
	clSVMFree(context, pointers[0]);
	MUST(!clEnqueueSVMFree(queue, 2, pointers + 1, NULL, NULL, 0, NULL,
			       NULL));
	MUST(!clEnqueueSVMFree(queue, 2, pointers + 3, free_them, NULL, 0,
			       NULL, NULL));
	MUST(clEnqueueSVMFree(queue, 0, pointers + 5, NULL, NULL, 0, NULL,
			      NULL));
	host_alloc = __extension__ (alloc_fn)
		clGetExtensionFunctionAddressForPlatform(platform,
			"clHostMemAllocINTEL");
	mem_free = __extension__ (free_fn)
		clGetExtensionFunctionAddressForPlatform(platform,
			"clMemFreeINTEL");
	MUST(host_alloc && mem_free);
	pointers[0] = host_alloc(context, NULL, 96, 0, &err);
	pointers[1] = host_alloc(context, NULL, 160, 0, &err);
	MUST(pointers[0] && pointers[1] && !mem_free(context, pointers[0]));
	MUST(!clFinish(queue));
	tear_down();
}

static void sub_devices(void)
{
	cl_device_partition_property halves[] = {
		CL_DEVICE_PARTITION_EQUALLY, 1, 0
	};
	cl_device_id parts[2];
	cl_int err;

	MUST(!clRetainDevice(device) && !clReleaseDevice(device));
	MUST(!clCreateSubDevices(device, halves, 2, parts, NULL));
	MUST(clCreateContext(NULL, 1, parts, NULL, NULL, &err));
	MUST(!clRetainDevice(parts[1]) && !clReleaseDevice(parts[1]) &&
	     !clReleaseDevice(parts[1]) && !clReleaseDevice(parts[0]));
	tear_down();
}

/* Extension objects; the driver has them all. */
static void extensions(void)
{
	typedef void *(CL_API_CALL *buffer_fn)(cl_uint, const cl_command_queue *,
					       const void *, cl_int *);
	typedef void *(CL_API_CALL *semaphore_fn)(cl_context, const void *,
						  cl_int *);
	typedef cl_int (CL_API_CALL *release_fn)(void *);
	buffer_fn make_commands;
	semaphore_fn make_semaphore;
	release_fn release;
	cl_ulong properties[] = { 0x203D, 0, 0 };
	cl_int err;
	void *semaphore;

	make_commands = __extension__ (buffer_fn)
		clGetExtensionFunctionAddressForPlatform(platform,
			"clCreateCommandBufferKHR");
	make_semaphore = __extension__ (semaphore_fn)
		clGetExtensionFunctionAddressForPlatform(platform,
			"clCreateSemaphoreWithPropertiesKHR");
	release = __extension__ (release_fn)
		clGetExtensionFunctionAddressForPlatform(platform,
			"clReleaseSemaphoreKHR");
	MUST(make_commands && make_semaphore && release);
	MUST(make_commands(1, &queue, NULL, &err));
	MUST(make_semaphore(context, properties, &err));
	semaphore = make_semaphore(context, properties, &err);
	MUST(semaphore && !release(semaphore));
	tear_down();
}

/* ---- who does it, and when */

static void CL_CALLBACK release_it(cl_event event, cl_int status, void *user)
{
	(void)status;
	MUST(!clReleaseMemObject(user) && !clReleaseEvent(event));
}

static void release_in_callback(void)
{
	cl_int err;
	cl_event gate = clCreateUserEvent(context, &err);

	MUST(!clSetEventCallback(gate, CL_COMPLETE, release_it,
				 make_buffer(64)));
	MUST(!clSetUserEventStatus(gate, CL_COMPLETE));
	tear_down();
}

static void *release_there(void *buffer)
{
	MUST(!clReleaseMemObject(buffer));
	return NULL;
}

static void release_on_thread(void)
{
	pthread_t thread;

	MUST(!pthread_create(&thread, NULL, release_there, make_buffer(64)) &&
	     !pthread_join(thread, NULL));
	tear_down();
}

static void in_fork(void)
{
	cl_mem kept = make_buffer(64), given = make_buffer(128);
	int status;
	pid_t child = fork();

	MUST(child >= 0);
	if (!child) {
		make_buffer(256);
		MUST(!clReleaseMemObject(given));
		_exit(0);
	}
	MUST(waitpid(child, &status, 0) == child && !status);
	MUST(!clReleaseMemObject(given) && kept);
	tear_down();
}

static void killed(void)
{
	cl_mem buffer = make_buffer(64);

	make_buffer(128);
	MUST(!clRetainMemObject(buffer));
	kill(getpid(), SIGKILL);
}

static void *many_of_thread(void *shared)
{
	cl_mem buffer;

	for (long i = 0; i < number; i++) {
		buffer = make_buffer(1);
		MUST(!clRetainMemObject(buffer) && !clRetainMemObject(shared));
		MUST(!clReleaseMemObject(buffer));
		if (i % 1000)
			MUST(!clReleaseMemObject(buffer));
		MUST(!clReleaseMemObject(shared));
	}
	return NULL;
}

static void in_threads(void)
{
	cl_mem shared = make_buffer(64);
	pthread_t threads[8];

	for (size_t i = 0; i < LENGTH(threads); i++)
		MUST(!pthread_create(&threads[i], NULL, many_of_thread,
				     shared));
	for (size_t i = 0; i < LENGTH(threads); i++)
		MUST(!pthread_join(threads[i], NULL));
	MUST(!clReleaseMemObject(shared));
	tear_down();
}

/* ---- many */

static cl_event make_user_event(void)
{
	cl_int err;
	cl_event event = clCreateUserEvent(context, &err);

	MUST(event && !err);
	return event;
}

static void cycles(void)
{
	for (long i = 0; i < number; i++)
		MUST(!clReleaseEvent(make_user_event()));
	tear_down();
}

/* Up to NUMBER and down to one. */
static void up_and_down(void)
{
	cl_event *events = calloc((size_t)number, sizeof(*events));

	MUST(events);
	for (long i = 0; i < number; i++)
		events[i] = make_user_event();
	for (long i = 1; i < number; i++)
		MUST(!clReleaseEvent(events[i]));
	free(events);
	tear_down();
}

/* With files of at most NUMBER KiB; SIGXFSZ would end it. */
static void little_space(void)
{
	struct rlimit limit = {
		.rlim_cur = (rlim_t)number * 1024, .rlim_max = RLIM_INFINITY,
	};
	cl_event *events = calloc(100000, sizeof(*events));

	MUST(events && !setrlimit(RLIMIT_FSIZE, &limit));
	for (int i = 0; i < 100000; i++)
		events[i] = make_user_event();
	for (int i = 0; i < 100000; i++)
		MUST(!clReleaseEvent(events[i]));
	free(events);
	tear_down();
}

/* A second buffer after one that may not be had. */
static void two_buffers(void)
{
	cl_int err;
	cl_mem first = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL,
				      &err);
	cl_mem second = make_buffer(128);

	if (first)
		clReleaseMemObject(first);
	clReleaseMemObject(NULL);
	MUST(second != NULL);
	tear_down();
}

static __attribute__((noinline)) cl_mem make_here(long depth)
{
	volatile char room[64];
	cl_mem buffer;

	room[0] = 0;
	buffer = depth ? make_here(depth - 1) : make_buffer(64);
	room[0]++;
	return buffer;
}

static __attribute__((noinline)) cl_mem make_there(void)
{
	cl_mem buffer = make_here(0);

	MUST(buffer != NULL);
	return buffer;
}

/* Two from one line, one from another, two by way of another function, two
 * from the depths of the stack; the latest again and again. */
static void places(void)
{
	volatile int two = 2;	/* no loop is to be unrolled */
	cl_mem buffer;

	for (int i = 0; i < two; i++)
		make_buffer(1);
	make_buffer(2);
	for (int i = 0; i < two; i++)
		make_there();
	for (int i = 0; i < two; i++)
		make_here(40);
	buffer = make_here(1);
	for (int i = 0; i < 3; i++)
		MUST(!clRetainMemObject(buffer));
	MUST(!clRetainMemObject(buffer));
	tear_down();
}

static const struct {
	const char *word;
	void (*run)(void);
} words[] = {
	{ "all", keep_all },
	{ "callback", release_in_callback },
	{ "clean", release_all },
	{ "cycles", cycles },
	{ "events", keep_event },
	{ "extensions", extensions },
	{ "fork", in_fork },
	{ "kernels", kernels_in_program },
	{ "killed", killed },
	{ "maps", map_twice },
	{ "places", places },
	{ "shared", shared_memory },
	{ "space", little_space },
	{ "sub-devices", sub_devices },
	{ "thread", release_on_thread },
	{ "threads", in_threads },
	{ "two", two_buffers },
	{ "up-and-down", up_and_down },
};

int main(int argc, char **argv)
{
	number = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	for (size_t i = 0; argc > 1 && i < LENGTH(words); i++)
		if (!strcmp(words[i].word, argv[1])) {
			set_up();
			words[i].run();
			return 0;
		}
	fprintf(stderr, "objects: no such word\n");
	return 64;
}
