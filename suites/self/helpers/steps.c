/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL program that says after each call what it got, and goes on
 * whatever it was: what a test needs to see a fault through a program's
 * eyes. One line a call on stdout, "NAME: CODE [EXTRA]", unbuffered.
 *
 *	steps [WORD...]
 *
 * Words change it: "careful" stops at the first error with exit status 3;
 * "poll" watches the launch's event for a while; "depend" makes commands wait
 * for it; "profile" has a queue that says how long commands took, and a read
 * with an event; "fork" does the same again in a child first; "threads" makes three
 * buffers in each of three threads, one after the other; "exec PROGRAM ARG..."
 * becomes PROGRAM at the end; "leak" leaves one buffer; "nothing" makes no
 * OpenCL call at all. A word of the table of corners does that one thing
 * instead of the usual, after set-up.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "faults/shared/cl_types.h"

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
	queue = clCreateCommandQueue(context, device, has_word("profile") ?
				     CL_QUEUE_PROFILING_ENABLE : 0, &err);
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

/* Commands that wait for the launch's event, blocking and not. */
static void depend_on_event(void)
{
	int data[ITEMS] = { 0 };
	cl_event dependent = NULL;
	cl_int status = CL_QUEUED;

	say("blocking dependent",
	    clEnqueueWriteBuffer(queue, buffers[2], CL_TRUE, 0, sizeof(data),
				 data, 1, &event, NULL), "");
	say("dependent", clEnqueueWriteBuffer(queue, buffers[2], CL_FALSE, 0,
					      sizeof(data), data, 1, &event,
					      &dependent), "");
	for (int i = 0; dependent && i < 100 && status > CL_COMPLETE; i++) {
		clGetEventInfo(dependent, CL_EVENT_COMMAND_EXECUTION_STATUS,
			       sizeof(status), &status, NULL);
		usleep(10000);
	}
	say("dependent's event", 0, status < 0 ? "failed" :
	    status == CL_COMPLETE ? "complete" : "pending");
	if (dependent)
		clReleaseEvent(dependent);
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
	if (has_word("depend"))
		depend_on_event();
}

static void use(void)
{
	int data[ITEMS] = { 0 };
	cl_event read = NULL;
	cl_int err = -77;
	void *map;

	say("clEnqueueWriteBuffer",
	    clEnqueueWriteBuffer(queue, buffers[0], CL_TRUE, 0, sizeof(data),
				 data, 0, NULL, NULL), "");
	launch();
	say("clEnqueueReadBuffer",
	    clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, sizeof(data),
				data, 0, NULL, has_word("profile") ? &read :
				NULL), "");
	if (read)
		clReleaseEvent(read);
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

/* ------------------------------------------------------------- corners */

static size_t word_number(size_t otherwise)
{
	const char *last = arguments[argument_count - 1];
	char *end;
	unsigned long number = strtoul(last, &end, 10);

	return *end ? otherwise : number;
}

static void launch_with(cl_command_queue in, const cl_event *wait,
			cl_event *ret_event)
{
	size_t items = ITEMS;

	say("clEnqueueNDRangeKernel",
	    clEnqueueNDRangeKernel(in, kernel, 1, NULL, &items, NULL,
				   wait ? 1 : 0, wait, ret_event), "");
}

/* A healthy program's errno outlives the calls it makes. */
static void errno_is_kept(void)
{
	const char *lost = "kept";
	int data[ITEMS] = { 0 };
	cl_event done = NULL;
	size_t items = ITEMS;
	cl_int err;
	cl_mem buffer;
	void *map;
	char name[64];

#define KEEPS(call_) do { errno = 77; call_; \
	if (errno != 77) lost = #call_; } while (0)
	KEEPS(buffer = clCreateBuffer(context, 0, 64, NULL, &err));
	KEEPS(buffer ? clRetainMemObject(buffer) : 0);
	KEEPS(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[0]));
	KEEPS(clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffers[1]));
	KEEPS(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				     NULL, &done));
	KEEPS(clFlush(queue));
	KEEPS(clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, sizeof(data),
				  data, 0, NULL, NULL));
	KEEPS(map = clEnqueueMapBuffer(queue, buffers[1], CL_TRUE, CL_MAP_READ,
				       0, 64, 0, NULL, NULL, &err));
	if (map)
		clEnqueueUnmapMemObject(queue, buffers[1], map, 0, NULL, NULL);
	KEEPS(clFinish(queue));
	KEEPS(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name,
			      NULL));
	KEEPS(done ? clReleaseEvent(done) : 0);
	KEEPS(buffer ? clReleaseMemObject(buffer) : 0);
#undef KEEPS
	say("errno", 0, lost);
}

static sem_t called_back;

static void CL_CALLBACK on_end(cl_event of, cl_int status, void *user)
{
	(void)of;
	(void)user;
	say("callback", status, "");
	sem_post(&called_back);
}

/* Nothing but a callback would tell this program that the launch ended. */
static void wait_for_callback(void)
{
	struct timespec until;
	cl_event done = NULL;

	sem_init(&called_back, 0, 0);
	launch_with(queue, NULL, &done);
	say("clSetEventCallback",
	    clSetEventCallback(done, CL_COMPLETE, on_end, NULL), "");
	say("no callback", clSetEventCallback(done, CL_COMPLETE, NULL, NULL) ==
	    CL_INVALID_VALUE ? 0 : 1, "");
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 5;
	say("waited", sem_timedwait(&called_back, &until), "");
}

/* What waits in another queue for a launch that hangs. */
static void wait_across(void)
{
	cl_int err;
	cl_command_queue other = clCreateCommandQueue(context, device, 0, &err);
	cl_event first = NULL, second = NULL;

	launch_with(queue, NULL, &first);
	launch_with(other, &first, &second);
	say("other queue", clFinish(other), "");
}

/* An out-of-order queue: a barrier holds up what comes after it. */
static void wait_at_barrier(void)
{
	int data[ITEMS] = { 0 };
	cl_int err;
	cl_command_queue loose = clCreateCommandQueue(context, device,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err);

	launch_with(loose, NULL, NULL);
	say("before the barrier",
	    clEnqueueReadBuffer(loose, buffers[1], CL_TRUE, 0, sizeof(data),
				data, 0, NULL, NULL), "");
	say("barrier", clEnqueueBarrierWithWaitList(loose, 0, NULL, NULL), "");
	say("behind the barrier",
	    clEnqueueReadBuffer(loose, buffers[1], CL_TRUE, 0, sizeof(data),
				data, 0, NULL, NULL), "");
}

/* Very many launches that hang for a moment; does the last one still? */
static void launch_many(void)
{
	size_t count = word_number(3000);
	cl_event done = NULL;
	cl_int status = 77;

	for (size_t i = 0; i < count; i++) {
		size_t items = ITEMS;

		if (done)
			clReleaseEvent(done);
		if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items,
					   NULL, 0, NULL, &done))
			break;
		if (i + 1 < count)
			usleep(1);
	}
	clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
		       &status, NULL);
	say("the last", 0, status > CL_COMPLETE ? "hangs" : "does not hang");
	say("clFinish", clFinish(queue), "");
}

/* One context after the other on a device that came back. */
static void many_contexts(void)
{
	size_t count = word_number(200);
	cl_int err = 0;

	say("clFinish", clFinish(queue), "");
	for (size_t i = 0; i < count && !err; i++) {
		cl_context next = clCreateContext(NULL, 1, &device, NULL, NULL,
						  &err);
		cl_mem buffer = clCreateBuffer(next, 0, 64, NULL, &err);

		if (buffer)
			clReleaseMemObject(buffer);
		if (i % 2)
			clReleaseContext(next);
	}
	say("contexts", err, "");
}

/* null=arg is for handles: not for what looks like one, nor for a handle
 * that another object has now. */
static void look_alikes(void)
{
	cl_int err;
	cl_ulong number = (cl_ulong)(uintptr_t)buffers[0];
	cl_mem gone = clCreateBuffer(context, 0, 64, NULL, &err);

	clRetainMemObject(gone);
	clReleaseMemObject(gone);
	say("twice held", clSetKernelArg(kernel, 0, sizeof(gone), &gone), "");
	clReleaseMemObject(gone);
	say("released", clSetKernelArg(kernel, 0, sizeof(gone), &gone), "");
	say("held", clSetKernelArg(kernel, 0, sizeof(number), &number), "");
}

/* A part of a lost device is lost. */
static void lose_a_part(void)
{
	const cl_device_partition_property halves[] = {
		CL_DEVICE_PARTITION_EQUALLY, 1, 0
	};
	cl_device_id parts[2] = { NULL, NULL };
	cl_bool available = CL_TRUE;
	cl_int err = -77;

	say("clCreateSubDevices",
	    clCreateSubDevices(device, halves, 2, parts, NULL), "");
	say("clFinish", clFinish(queue), "");
	clGetDeviceInfo(parts[1], CL_DEVICE_AVAILABLE, sizeof(available),
			&available, NULL);
	say("part", 0, available ? "true" : "false");
	clCreateContext(NULL, 1, parts, NULL, NULL, &err);
	say("code", err, "");
}

static void two_devices(void)
{
	cl_platform_id platform = NULL;
	cl_device_id devices[2] = { NULL, NULL };
	cl_int err;
	cl_context both;

	clGetPlatformIDs(1, &platform, NULL);
	clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, NULL);
	both = clCreateContext(NULL, 2, devices, NULL, NULL, &err);
	for (int i = 0; i < 2; i++) {
		cl_command_queue one = clCreateCommandQueue(both, devices[i], 0,
							    &err);

		say("queue", err, "");
		say("clFinish", clFinish(one), "");
	}
	clCreateBuffer(both, 0, 64, NULL, &err);
	say("buffer", err, "");
	for (int i = 0; i < 2; i++) {
		cl_bool available = CL_TRUE;

		clGetDeviceInfo(devices[i], CL_DEVICE_AVAILABLE,
				sizeof(available), &available, NULL);
		say("device", 0, available ? "true" : "false");
	}
}

static void *make_and_release(void *failed)
{
	size_t *count = failed;

	for (int i = 0; i < 1000; i++) {
		cl_mem buffer = clCreateBuffer(context, 0, 64, NULL, NULL);

		if (buffer)
			clReleaseMemObject(buffer);
		else
			++*count;
	}
	return NULL;
}

/* How many of 8000 creations in eight threads failed. */
static void many_threads(void)
{
	pthread_t threads[8];
	size_t failed[8] = { 0 }, sum = 0;
	char text[32];

	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, make_and_release, &failed[i]);
	for (int i = 0; i < 8; i++) {
		pthread_join(threads[i], NULL);
		sum += failed[i];
	}
	snprintf(text, sizeof(text), "%zu", sum);
	say("failed", 0, text);
}

static sigjmp_buf back;

static void on_fault(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

/* A program that lives with its faults: a wild jump, a wild read. */
static void live_with_faults(void)
{
	void (*volatile nowhere)(void) = (void (*)(void))0x10000;
	volatile int *volatile nothing = NULL;
	volatile int survived = 0;

	for (volatile int i = 0; i < 4; i++) {
		if (sigsetjmp(back, 1)) {
			survived++;
			continue;
		}
		if (i % 2)
			*nothing = 0;
		else
			nowhere();
	}
	say("faults", survived == 4 ? 0 : 1, "survived");
}

/* The handler was there before OpenCL. */
static void prepare_for_faults(void)
{
	static char stack[64 * 1024];
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_handler = on_fault,
				    .sa_flags = SA_ONSTACK };

	sigaltstack(&alternate, NULL);
	sigaction(SIGSEGV, &action, NULL);
}

/* A signal that was sent, with what was sent along. */
static void on_sent(int number, siginfo_t *info, void *unused)
{
	(void)number;
	(void)unused;
	say("sent", info->si_value.sival_int == 1234 ? 0 : 1, "");
}

static void prepare_for_sent(void)
{
	struct sigaction action = { .sa_sigaction = on_sent,
				    .sa_flags = SA_SIGINFO };

	sigaction(SIGBUS, &action, NULL);
}

static void send(void)
{
	sigqueue(getpid(), SIGBUS, (union sigval){ .sival_int = 1234 });
	say("alive", 0, "");
}

/* A child that makes no call of its own and ends badly; then its parent is
 * killed before it could say good-bye. */
static void bad_child(void)
{
	pid_t child = fork();

	if (child == 0)
		abort();
	waitpid(child, NULL, 0);
	child = fork();
	if (child == 0)
		exit(0);
	waitpid(child, NULL, 0);
	raise(SIGKILL);
}

/* Modules come and go at the same addresses: call through each. What was the
 * end of one cannot be read while the next is there. */
static void plugins(void)
{
	const char *const *names = (const char *const *)arguments + 2;
	const size_t room = 64 * 1024;
	void *in_the_way = MAP_FAILED;

	for (int round = 0; round < 20; round++) {
		void *module = dlopen(names[round % 2], RTLD_NOW);
		cl_mem (*make)(cl_context);
		cl_mem buffer;

		if (!module) {
			say("dlopen", 1, dlerror());
			return;
		}
		make = __extension__ (cl_mem (*)(cl_context))
			dlsym(module, "make");
		buffer = make(context);
		if (round < 2)
			say("plugin", buffer ? 0 : 1, "");
		if (buffer)
			clReleaseMemObject(buffer);
		dlclose(module);
		if (round % 2 == 0)
			in_the_way = mmap(NULL, room, PROT_NONE, MAP_PRIVATE |
					  MAP_ANONYMOUS, -1, 0);
		else if (in_the_way != MAP_FAILED)
			munmap(in_the_way, room);
	}
	say("plugins", 0, "");
}

/* Forks while other threads are in the midst of calls that a fault looks
 * at: no child may wait for a lock that nobody holds any more. */
static volatile bool enough;

static void *keep_calling(void *unused)
{
	(void)unused;
	while (!enough) {
		cl_mem buffer = clCreateBuffer(context, 0, 64, NULL, NULL);

		if (buffer)
			clReleaseMemObject(buffer);
	}
	return NULL;
}

static void fork_while_busy(void)
{
	pthread_t threads[2];
	int good = 0;

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, keep_calling, NULL);
	for (int i = 0; i < 200; i++) {
		int status = 1;
		pid_t child = fork();

		if (child == 0) {
			alarm(10);
			clCreateBuffer(context, 0, 64, NULL, NULL);
			_exit(0);
		}
		waitpid(child, &status, 0);
		good += status == 0;
	}
	enough = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	say("children", good == 200 ? 0 : 1, "");
}

/* More invalid handles than the guest can make. */
/* A read that reaches past the end of its buffer. */
static void read_past(void)
{
	static char bytes[1 << 20];
	size_t size = 0;

	clGetMemObjectInfo(buffers[0], CL_MEM_SIZE, sizeof(size), &size, NULL);
	say("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, buffers[0],
	    CL_TRUE, size - 4, 8, bytes, 0, NULL, NULL), "");
}

static void many_invalid(void)
{
	size_t count = word_number(5000), valid = 0;
	char text[32];

	for (size_t i = 0; i < count; i++) {
		cl_mem buffer = clCreateBuffer(context, 0, 64, NULL, NULL);

		if (buffer && clReleaseMemObject(buffer) == CL_SUCCESS)
			valid++;
	}
	snprintf(text, sizeof(text), "%zu", valid);
	say("valid", 0, text);
}

typedef void *(CL_API_CALL *host_alloc)(cl_context, const cl_ulong *, size_t,
					cl_uint, cl_int *);
typedef cl_ulong (CL_API_CALL *calls_of)(const char *);

/* One function, two drivers: by name alone and for each platform; then a
 * call for each, and how often each driver was called. */
static void two_drivers(void)
{
	cl_platform_id platforms[2] = { NULL, NULL };
	host_alloc alloc[2] = { NULL, NULL };
	calls_of calls[2] = { NULL, NULL };

	say("clGetPlatformIDs", clGetPlatformIDs(2, platforms, NULL), "");
	for (int i = 0; i < 2; i++) {
		*(void **)&alloc[i] = clGetExtensionFunctionAddressForPlatform(
			platforms[i], "clHostMemAllocINTEL");
		*(void **)&calls[i] = clGetExtensionFunctionAddressForPlatform(
			platforms[i], "clStubCallsOPENCLAW");
	}
	for (int i = 0; i < 2; i++) {
		cl_device_id one = NULL;
		cl_context in;
		cl_int err = -77;
		char text[64];

		clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &one, NULL);
		in = clCreateContext(NULL, 1, &one, NULL, NULL, &err);
		alloc[i](in, NULL, 64, 0, NULL);
		alloc[i](in, NULL, 64, 0, &err);
		snprintf(text, sizeof(text), "%llu %llu",
			 (unsigned long long)calls[0]("clHostMemAllocINTEL"),
			 (unsigned long long)calls[1]("clHostMemAllocINTEL"));
		say("clHostMemAllocINTEL", err, text);
	}
}

static const struct corner {
	const char *word;
	void (*run)(void);
	void (*before)(void);		/* before any OpenCL call, or NULL */
} corners[] = {
	{ "errno", errno_is_kept, NULL },
	{ "wait-callback", wait_for_callback, NULL },
	{ "wait-across", wait_across, NULL },
	{ "wait-barrier", wait_at_barrier, NULL },
	{ "launch-many", launch_many, NULL },
	{ "many-contexts", many_contexts, NULL },
	{ "look-alikes", look_alikes, NULL },
	{ "lose-a-part", lose_a_part, NULL },
	{ "two-devices", two_devices, NULL },
	{ "many-threads", many_threads, NULL },
	{ "faults", live_with_faults, prepare_for_faults },
	{ "sent", send, prepare_for_sent },
	{ "bad-child", bad_child, NULL },
	{ "plugins", plugins, NULL },
	{ "fork-busy", fork_while_busy, NULL },
	{ "many-invalid", many_invalid, NULL },
	{ "two-drivers", two_drivers, NULL },
	{ "read-past", read_past, NULL },
};

static const struct corner *find_corner(void)
{
	for (size_t i = 0; i < sizeof(corners) / sizeof(*corners); i++)
		if (argument_count > 1 &&
		    !strcmp(arguments[1], corners[i].word))
			return &corners[i];
	return NULL;
}

static int run_corner(const struct corner *corner)
{
	if (corner->before)
		corner->before();
	set_up();
	build();
	for (cl_uint i = 0; i < 2 && kernel; i++)
		clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]);
	corner->run();
	return 0;
}

int main(int argc, char **argv)
{
	const struct corner *corner;

	argument_count = argc;
	arguments = argv;
	corner = find_corner();
	if (corner)
		return run_corner(corner);
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
