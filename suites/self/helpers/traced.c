/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL program for a test of the trace, which has to know each of its
 * calls.
 *
 *	traced WORD [NUMBER]
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
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/shared/cl_types.h"

enum { THREADS = 4, CRAMPED = 64 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem buffer;
static long number;

static void must(bool good, const char *what, int line)
{
	if (good)
		return;
	fprintf(stderr, "traced: line %d: %s\n", line, what);
	_exit(1);
}
#define MUST(good_) must(good_, #good_, __LINE__)

static cl_mem make_buffer(cl_mem_flags flags, size_t bytes, void *host)
{
	cl_int err;
	cl_mem made = clCreateBuffer(context, flags, bytes, host, &err);

	MUST(made && !err);
	return made;
}

static void set_up(void)
{
	const char *source[] = {
		"kernel void work(global int *a, int b, local int *c)",
		"{ a[0] = b; }\n",
	};
	cl_platform_id platform;
	cl_program program;
	cl_int err;

	MUST(!clGetPlatformIDs(1, &platform, NULL) &&
	     !clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	queue = clCreateCommandQueue(context, device, 0, &err);
	program = clCreateProgramWithSource(context, 2, source, NULL, &err);
	MUST(queue && program &&
	     !clBuildProgram(program, 1, &device, "-DSIZE=4", NULL, NULL));
	kernel = clCreateKernel(program, "work", &err);
	buffer = make_buffer(CL_MEM_READ_WRITE, 16, NULL);
	MUST(kernel && !clReleaseProgram(program));
}

static void set_args(cl_int value)
{
	MUST(!clSetKernelArg(kernel, 0, sizeof(buffer), &buffer) &&
	     !clSetKernelArg(kernel, 1, sizeof(value), &value) &&
	     !clSetKernelArg(kernel, 2, 64, NULL));
}

static void launch(cl_event *event)
{
	size_t global[] = { 4, 2 }, local[] = { 2, 1 };

	MUST(!clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0,
				     NULL, event));
}

static void write_buffer(cl_mem to, cl_int value)
{
	cl_int all[4] = { value, value, value, value };

	MUST(!clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, sizeof(all), all, 0,
				   NULL, NULL));
}

/* One of each that says something of its own. */
static void each(void)
{
	unsigned char host[64], pattern[4] = { 0xa, 0xb, 0xc, 0xd };
	size_t origin[3] = { 0 }, region[3] = { 2, 3, 1 };
	cl_buffer_region part = { .origin = 0, .size = 8 };
	cl_sampler_properties sampling[] = {
		CL_SAMPLER_NORMALIZED_COORDS, 0, 0
	};
	cl_event event;
	cl_kernel clone;
	char *mapped;
	cl_mem given;
	cl_int err;

	for (unsigned int i = 0; i < sizeof(host); i++)
		host[i] = (unsigned char)i;
	given = make_buffer(CL_MEM_COPY_HOST_PTR, 12, host);
	MUST(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &part,
			       &err));
	MUST(clCreateSamplerWithProperties(context, sampling, &err));
	/* Rows of two bytes, eight apart, behind the first. */
	origin[1] = 1;
	MUST(!clEnqueueWriteBufferRect(queue, given, CL_TRUE,
		(size_t[3]){ 0 }, origin, region, 2, 6, 8, 32, host, 0, NULL,
		NULL));
	MUST(!clEnqueueFillBuffer(queue, given, pattern, sizeof(pattern), 0, 8,
				  0, NULL, NULL));
	set_args(0x11223344);
	clone = clCloneKernel(kernel, &err);
	launch(&event);
	MUST(!clWaitForEvents(1, &event) && clone);
	MUST(!clEnqueueNDRangeKernel(queue, clone, 1, NULL, region, NULL, 1,
				     &event, NULL));
	mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 4, 8,
				    0, NULL, NULL, &err);
	MUST(mapped);
	memcpy(mapped, "through!", 8);
	MUST(!clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
	clGetDeviceInfo(device, 0x9999, 0, NULL, NULL);
	clGetDeviceInfo(device, 0x9999, 0, NULL, NULL);
	MUST(!clFinish(queue));
}

/* The ring comes round; what lives is known still. */
static void again(void)
{
	write_buffer(buffer, 7);
	set_args(5);
	for (long i = 0; i < number; i++)
		MUST(!clRetainMemObject(buffer) && !clReleaseMemObject(buffer));
	launch(NULL);
}

/* Launches with arguments as they are, and with others in between. */
static void steady(void)
{
	cl_mem other = make_buffer(CL_MEM_READ_WRITE, 16, NULL);

	set_args(5);
	for (long i = 0; i < number; i++)
		launch(NULL);
	set_args(5);
	launch(NULL);
	write_buffer(buffer, 7);
	launch(NULL);
	set_args(6);
	launch(NULL);
	MUST(!clSetKernelArg(kernel, 0, sizeof(other), &other));
	launch(NULL);
	MUST(!clReleaseMemObject(other));
}

/* Some launches, and then other calls for as long as it takes. */
static void fades(void)
{
	set_args(5);
	for (int i = 0; i < 30; i++)
		launch(NULL);
	set_args(6);
	for (long i = 0; i < number; i++)
		write_buffer(buffer, (int)i);
}

static cl_int bytes[1 << 14];

static void same(void)
{
	cl_mem large = make_buffer(CL_MEM_READ_WRITE, sizeof(bytes), NULL);

	bytes[0] = 42;
	for (long i = 0; i < number; i++)
		MUST(!clEnqueueWriteBuffer(queue, large, CL_TRUE, 0,
					   sizeof(bytes), bytes, 0, NULL,
					   NULL));
	MUST(!clFinish(queue));
}

/* Each time something else, and nobody needs what was there. */
static void churn(void)
{
	cl_mem large = make_buffer(CL_MEM_READ_WRITE, sizeof(bytes), NULL);

	for (long i = 0; i < number; i++) {
		bytes[0] = (cl_int)i;
		MUST(!clEnqueueWriteBuffer(queue, large, CL_TRUE, 0,
					   sizeof(bytes), bytes, 0, NULL,
					   NULL));
		for (int j = 0; j < 20; j++)
			MUST(!clRetainMemObject(buffer) &&
			     !clReleaseMemObject(buffer));
	}
}

static void objects(void)
{
	for (long i = 0; i < number; i++)
		MUST(!clReleaseMemObject(make_buffer(CL_MEM_READ_WRITE, 16,
						     NULL)));
}

static void *work_of_thread(void *user)
{
	cl_mem own = make_buffer(CL_MEM_READ_WRITE, 16, NULL);

	(void)user;
	for (long i = 0; i < number; i++) {
		write_buffer(own, (cl_int)i);
		MUST(!clRetainMemObject(buffer) && !clReleaseMemObject(buffer));
	}
	MUST(!clReleaseMemObject(own));
	return NULL;
}

static void threads(void)
{
	pthread_t them[THREADS];

	for (int i = 0; i < THREADS; i++)
		MUST(!pthread_create(&them[i], NULL, work_of_thread, NULL));
	for (int i = 0; i < THREADS; i++)
		MUST(!pthread_join(them[i], NULL));
}

/* More of them than cores, in a ring that comes round while one waits. */
static void *cramped_thread(void *user)
{
	cl_event event;

	(void)user;
	for (long i = 0; i < number; i++) {
		cl_mem own = make_buffer(CL_MEM_COPY_HOST_PTR, sizeof(bytes),
					 bytes);

		MUST(!clEnqueueWriteBuffer(queue, own, CL_FALSE, 0, 4096,
					   bytes, 0, NULL, &event));
		MUST(!clWaitForEvents(1, &event) && !clReleaseEvent(event) &&
		     !clReleaseMemObject(own));
	}
	return NULL;
}

static void cramped(void)
{
	pthread_t them[CRAMPED];

	for (int i = 0; i < CRAMPED; i++)
		MUST(!pthread_create(&them[i], NULL, cramped_thread, NULL));
	for (int i = 0; i < CRAMPED; i++)
		MUST(!pthread_join(them[i], NULL));
}

/* Sizes that reach behind the program's memory: a driver refuses them, or this
 * one does not look. */
static void too_long(void)
{
	const size_t page = 4096, bounce = 256 << 10;
	size_t origin[3] = { 0 }, region[3] = { 16, 1000, 1 };
	unsigned char *host = mmap(NULL, bounce + page, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(host != MAP_FAILED &&
	     !mprotect(host + bounce, page, PROT_NONE));
	clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, origin, origin, region,
				 0, 0, 32, 0, host + bounce - 512, 0, NULL,
				 NULL);
	clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bounce + 32, host, 0,
			     NULL, NULL);
	clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 32,
			     host + bounce - 16, 0, NULL, NULL);
}

static void coloured(void)
{
	cl_image_format format = { CL_RGBA, CL_FLOAT };
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4,
		.image_height = 4,
	};
	const float color[4] = { 0.0f, 0.0f, 1234.0f, 0.0f };
	size_t origin[3] = { 0 }, region[3] = { 4, 4, 1 };
	cl_int err;
	cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format,
				     &desc, NULL, &err);

	MUST(image && !clEnqueueFillImage(queue, image, color, origin, region,
					  0, NULL, NULL));
}

static void in_fork(void)
{
	int status;
	pid_t child = fork();

	MUST(child >= 0);
	if (!child) {
		set_args(99);
		_exit(0);
	}
	MUST(waitpid(child, &status, 0) == child && !status);
	MUST(!clFinish(queue));
}

static void killed(void)
{
	set_args(3);
	launch(NULL);
	kill(getpid(), SIGKILL);
}

static void fails(void)
{
	cl_int err;

	set_args(3);
	launch(NULL);
	err = clFinish(queue);
	printf("%d\n", err);
}

static void CL_CALLBACK launch_again(cl_event event, cl_int status, void *user)
{
	(void)event;
	MUST(status == CL_COMPLETE);
	launch(NULL);
	*(bool *)user = true;
}

/* One launch by the program, one by its callback, one while a user event is
 * not set, one more. */
static void called_back(void)
{
	bool called = false;
	cl_event event;
	cl_int err;

	set_args(3);
	launch(&event);
	MUST(!clSetEventCallback(event, CL_COMPLETE, launch_again, &called) &&
	     !clFinish(queue) && called);
	event = clCreateUserEvent(context, &err);
	launch(NULL);
	MUST(event && !clSetUserEventStatus(event, CL_COMPLETE));
	launch(NULL);
}

/* ---- launches in the callbacks of a build and of what ends */

static void CL_CALLBACK on_program(cl_program of, void *user)
{
	MUST(of);
	launch(NULL);
	++*(int *)user;
}

static void CL_CALLBACK on_mem(cl_mem of, void *user)
{
	MUST(of);
	launch(NULL);
	++*(int *)user;
}

static void CL_CALLBACK on_context(cl_context of, void *user)
{
	MUST(of);
	launch(NULL);
	++*(int *)user;
}

static void CL_CALLBACK on_free(cl_command_queue of, cl_uint count,
				void *pointers[], void *user)
{
	MUST(of == queue && count == 1);
	clSVMFree(context, pointers[0]);
	launch(NULL);
	++*(int *)user;
}

static void build_called_back(int *called)
{
	const char *source = "kernel void work(global int *a) { a[0] = 1; }";
	cl_program program, linked;
	cl_int err;

	program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
	MUST(program && !clSetProgramReleaseCallback(program, on_program,
						     called) &&
	     !clBuildProgram(program, 1, &device, NULL, on_program, called) &&
	     *called == 1 && !clReleaseProgram(program) && *called == 2);
	program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
	MUST(program && !clCompileProgram(program, 1, &device, NULL, 0, NULL,
					  NULL, on_program, called) &&
	     *called == 3);
	linked = clLinkProgram(context, 1, &device, NULL, 1, &program,
			       on_program, called, &err);
	MUST(linked && !err && *called == 4);
}

static void called_back_by_all(void)
{
	cl_mem mem = make_buffer(CL_MEM_READ_WRITE, 16, NULL);
	void *shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 16, 0);
	cl_context other;
	int called = 0;
	cl_int err;

	set_args(3);
	build_called_back(&called);
	MUST(!clSetMemObjectDestructorCallback(mem, on_mem, &called) &&
	     !clReleaseMemObject(mem) && called == 5);
	other = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	MUST(other && !clSetContextDestructorCallback(other, on_context,
						      &called) &&
	     !clReleaseContext(other) && called == 6);
	MUST(shared && clEnqueueSVMFree(queue, 0, &shared, on_free, &called, 0,
					NULL, NULL) == CL_INVALID_VALUE &&
	     !clEnqueueSVMFree(queue, 1, &shared, on_free, &called, 0, NULL,
			       NULL) && called == 7);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *word;
		void (*run)(void);
	} words[] = {
		{ "each", each }, { "again", again }, { "same", same },
		{ "churn", churn }, { "objects", objects },
		{ "threads", threads }, { "cramped", cramped },
		{ "too_long", too_long }, { "coloured", coloured },
		{ "fork", in_fork }, { "called_back", called_back },
		{ "called_back_by_all", called_back_by_all },
		{ "killed", killed }, { "fails", fails },
		{ "steady", steady }, { "fades", fades },
	};

	number = argc > 2 ? strtol(argv[2], NULL, 10) : 1;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (argc > 1 && !strcmp(argv[1], words[i].word)) {
			set_up();
			words[i].run();
			return 0;
		}
	return 2;
}
