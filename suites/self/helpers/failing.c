/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL program that does what its words say and tells what each call
 * got, whatever it was: how failures look from within.
 *
 *	failing [-2] WORD...
 *
 * Two contexts; two queues in the first, one in the second ("far"), which with
 * -2 is another driver's. The
 * launch on which faults are armed is that of the kernel "trigger". One line
 * a word on stdout, "WORD: CODE [MORE]".
 */
#include "config.h"

#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/shared/cl_types.h"

/* No flip of one bit makes one value another. */
enum { ITEMS = 64, BYTES = ITEMS * sizeof(cl_int), POLLS = 10000,
       GOOD = 0x5a5a, WRITTEN = 0x333333, MANY = 257, CROWD = 1100 };

extern char **environ;

static const char source[] =
	"kernel void good(global int *p) { p[get_global_id(0)] = 0x5a5a; }\n"
	"kernel void trigger(global int *p) { p[get_global_id(0)] = 0x333333; }\n";

static cl_platform_id platforms[2];
static cl_device_id device, far_device;
static cl_context context, far;
static cl_command_queue queue, other_queue, far_queue;
static cl_program program;
static cl_kernel good, trigger;
static cl_mem buffer, far_buffer;
static cl_event event, dependent, healthy;
static cl_int host[ITEMS], many_hosts[MANY];
static char **own_argv;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int called, called_with;

static void CL_CALLBACK on_context(const char *text, const void *info,
				   size_t bytes, void *user)
{
	(void)info;
	(void)bytes;
	if (user)		/* Oclgrind's own have none */
		printf("told %s: %s\n", (const char *)user, text);
}

static void CL_CALLBACK on_event(cl_event done, cl_int status, void *user)
{
	(void)done;
	(void)user;
	pthread_mutex_lock(&lock);
	called++;
	called_with = status;
	pthread_mutex_unlock(&lock);
}

static cl_int build(void)
{
	const char *text = source;
	cl_int err;

	program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
	return err ? err : clBuildProgram(program, 1, &device, "", NULL, NULL);
}

/* A context and all that is in it, in place of the first. */
static cl_int renew(void)
{
	cl_int err, buffer_err, queue_err;

	context = clCreateContext(NULL, 1, &device, on_context,
				  (void *)(uintptr_t)"near", &err);
	if (err)
		return err;
	queue = clCreateCommandQueue(context, device,
				     CL_QUEUE_PROFILING_ENABLE, &queue_err);
	other_queue = clCreateCommandQueue(context, device, 0, &err);
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL,
				&buffer_err);
	err = err ? err : queue_err ? queue_err : buffer_err;
	if (!err)
		err = build();
	if (err)
		return err;
	good = clCreateKernel(program, "good", &err);
	trigger = clCreateKernel(program, "trigger", &err);
	clSetKernelArg(good, 0, sizeof(buffer), &buffer);
	clSetKernelArg(trigger, 0, sizeof(buffer), &buffer);
	return err;
}

static cl_int launch(cl_kernel kernel, cl_uint count, const cl_event *list,
		     cl_event *out)
{
	static const size_t items = ITEMS, local = 1;

	return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local,
				      count, list, out);
}

static cl_int ask(cl_event of, cl_event_info name)
{
	cl_int value = 12345, err;

	err = clGetEventInfo(of, name, sizeof(value), &value, NULL);
	printf("value %d\n", value);
	return err;
}

static cl_int do_launch(void)
{
	cl_int err = launch(trigger, 0, NULL, &event);

	if (!err)
		clSetEventCallback(event, CL_COMPLETE, on_event, NULL);
	return err;
}

static cl_int do_good(void)
{
	return launch(good, 0, NULL, NULL);
}

static cl_int do_depend(void)
{
	return launch(good, 1, &event, &dependent);
}

/* More events than the guest can follow, until one is refused. */
static cl_int do_crowd(void)
{
	cl_int err = CL_SUCCESS;
	int given = 0;

	while (!err && given < CROWD) {
		cl_event one = NULL;

		err = launch(good, 0, NULL, &one);
		given += !err;
	}
	printf("given %d\n", given);
	return err;
}

/* One that goes well, and what waits for both. */
static cl_int do_healthy(void)
{
	return launch(good, 0, NULL, &healthy);
}

static cl_int do_depend_both(void)
{
	cl_event list[] = { healthy, event };

	return launch(good, 2, list, &dependent);
}

/* On one that is not complete, and will not be. */
static cl_int do_depend_gate(void)
{
	cl_event list[] = { event, NULL };
	cl_int err;

	list[1] = clCreateUserEvent(context, &err);
	return err ? err : launch(good, 2, list, &dependent);
}

static cl_int do_wait_both(void)
{
	cl_event list[] = { healthy, event };

	return clWaitForEvents(2, list);
}

static cl_int do_finish(void)
{
	return clFinish(queue);
}

static cl_int do_finish_other(void)
{
	return clFinish(other_queue);
}

static cl_int do_finish_far(void)
{
	return clFinish(far_queue);
}

static cl_int do_flush(void)
{
	return clFlush(queue);
}

static cl_int do_wait(void)
{
	return clWaitForEvents(1, &event);
}

static cl_int do_wait_dependent(void)
{
	return clWaitForEvents(1, &dependent);
}

static cl_int do_status(void)
{
	return ask(event, CL_EVENT_COMMAND_EXECUTION_STATUS);
}

static cl_int do_status_dependent(void)
{
	return ask(dependent, CL_EVENT_COMMAND_EXECUTION_STATUS);
}

static cl_int do_type(void)
{
	return ask(event, CL_EVENT_COMMAND_TYPE);
}

static cl_int do_references(void)
{
	return ask(event, CL_EVENT_REFERENCE_COUNT);
}

static cl_int do_profile(void)
{
	static const cl_ulong untouched = 4711;
	cl_ulong start = untouched;
	cl_int err = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
					     sizeof(start), &start, NULL);

	if (err)
		puts(start == untouched ? "value kept" : "value written");
	return err;
}

/* How many items the trigger's kernel has written, and bits that are none of
 * any kernel's. */
static void look(void)
{
	int written = 0, flipped = 0;

	for (int i = 0; i < ITEMS; i++) {
		written += host[i] == WRITTEN;
		flipped += host[i] != WRITTEN && host[i] != GOOD && host[i];
	}
	printf("written %d, flipped %d\n", written, flipped);
}

static cl_int do_read(void)
{
	cl_int err = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES,
					 host, 0, NULL, NULL);

	look();
	return err;
}

static cl_int do_read_later(void)
{
	cl_event done;
	cl_int err = clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, BYTES,
					 host, 0, NULL, &done);

	if (!err)
		err = clWaitForEvents(1, &done);
	look();
	return err;
}

/* Many at once, all behind a gate; which are as they should be? */
static cl_int do_read_many(void)
{
	static cl_event done[MANY];
	cl_int err, first = CL_SUCCESS;
	int flipped = 0;
	cl_event gate = clCreateUserEvent(context, &err);

	for (int i = 0; i < MANY && !err; i++)
		err = clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0,
					  sizeof(cl_int), &many_hosts[i], 1,
					  &gate, &done[i]);
	first = err;
	clSetUserEventStatus(gate, CL_COMPLETE);
	err = clWaitForEvents(MANY, done);
	for (int i = 0; i < MANY; i++)
		flipped += many_hosts[i] != GOOD;
	printf("of %d reads %d flipped\n", MANY, flipped);
	return first ? first : err;
}

/* It is taken in, and nobody waits. */
static cl_int do_read_only(void)
{
	return clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, BYTES, host, 0,
				   NULL, NULL);
}

static cl_int do_write(void)
{
	memset(host, 0, sizeof(host));
	return clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, BYTES, host, 0,
				    NULL, NULL);
}

static cl_int do_write_far(void)
{
	return clEnqueueWriteBuffer(far_queue, far_buffer, CL_TRUE, 0, BYTES,
				    host, 0, NULL, NULL);
}

static cl_int do_fill(void)
{
	static const cl_int pattern = 5;

	return clEnqueueFillBuffer(queue, buffer, &pattern, sizeof(pattern), 0,
				   BYTES, 0, NULL, &event);
}

static cl_int do_create(void)
{
	cl_int err;

	clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &err);
	return err;
}

static cl_int ask_available(cl_device_id of)
{
	cl_bool available = CL_FALSE;
	cl_int err = clGetDeviceInfo(of, CL_DEVICE_AVAILABLE,
				     sizeof(available), &available, NULL);

	printf("value %d\n", (int)available);
	return err;
}

static cl_int do_available(void)
{
	return ask_available(device);
}

static cl_int do_available_far(void)
{
	return ask_available(far_device);
}

/* Until it works again. */
static cl_int do_recover(void)
{
	cl_int err = CL_SUCCESS;

	for (int i = 0; i < POLLS; i++) {
		err = clFinish(queue);
		if (!err)
			break;
		usleep(1000);
	}
	return err;
}

static cl_int do_callback(void)
{
	int now = 0;

	for (int i = 0; i < POLLS && !now; i++) {
		pthread_mutex_lock(&lock);
		now = called;
		pthread_mutex_unlock(&lock);
		if (!now)
			usleep(1000);
	}
	printf("called %d\n", now);
	return called_with;
}

/* What a forked child of this process gets. It makes nothing run: a driver's
 * threads stayed with the parent. */
static cl_int do_fork(void)
{
	cl_int err;
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		clCreateContext(NULL, 1, &device, NULL, NULL, &err);
		printf("child: %d\n", err);
		ask_available(device);
		fflush(stdout);
		_exit(0);
	}
	return pid < 0 || waitpid(pid, &status, 0) != pid ? 1 : status;
}

/* Another process of the same program works by itself. */
static cl_int do_process(void)
{
	char *words[] = { own_argv[0], (char *)(uintptr_t)"good",
			  (char *)(uintptr_t)"finish", NULL };
	int status;
	pid_t pid;

	fflush(stdout);
	if (posix_spawn(&pid, own_argv[0], NULL, NULL, words, environ) ||
	    waitpid(pid, &status, 0) != pid)
		return 1;
	return status;
}

static const struct word {
	const char *name;
	cl_int (*run)(void);
} words[] = {
	{ "launch", do_launch }, { "good", do_good }, { "depend", do_depend },
	{ "crowd", do_crowd },
	{ "healthy", do_healthy }, { "depend_both", do_depend_both },
	{ "wait_both", do_wait_both }, { "depend_gate", do_depend_gate },
	{ "finish", do_finish }, { "finish_other", do_finish_other },
	{ "finish_far", do_finish_far }, { "flush", do_flush },
	{ "wait", do_wait }, { "wait_dependent", do_wait_dependent },
	{ "status", do_status }, { "status_dependent", do_status_dependent },
	{ "type", do_type }, { "references", do_references },
	{ "profile", do_profile }, { "read", do_read },
	{ "read_later", do_read_later }, { "read_many", do_read_many },
	{ "read_only", do_read_only }, { "available_far", do_available_far },
	{ "fork", do_fork }, { "write", do_write },
	{ "write_far", do_write_far }, { "fill", do_fill },
	{ "create", do_create }, { "build", build },
	{ "available", do_available }, { "recover", do_recover },
	{ "renew", renew }, { "callback", do_callback },
	{ "process", do_process },
};

static void set_up(bool has_two)
{
	cl_uint count = 0;
	cl_int err = clGetPlatformIDs(2, platforms, &count);

	if (has_two && count < 2)
		err = CL_DEVICE_NOT_FOUND;
	if (!err)
		err = clGetDeviceIDs(platforms[0], CL_DEVICE_TYPE_ALL, 1,
				     &device, NULL);
	if (!err)
		err = clGetDeviceIDs(platforms[has_two], CL_DEVICE_TYPE_ALL, 1,
				     &far_device, NULL);
	if (!err)
		far = clCreateContext(NULL, 1, &far_device, on_context,
				      (void *)(uintptr_t)"far", &err);
	if (!err)
		far_queue = clCreateCommandQueue(far, far_device, 0, &err);
	if (!err)
		far_buffer = clCreateBuffer(far, CL_MEM_READ_WRITE, BYTES, NULL,
					    &err);
	if (!err)
		err = renew();
	if (!err)
		err = do_write();
	if (err) {
		fprintf(stderr, "failing: no set-up: %d\n", err);
		exit(77);
	}
}

int main(int argc, char **argv)
{
	own_argv = argv;
	setvbuf(stdout, NULL, _IOLBF, 0);
	set_up(argc > 1 && !strcmp(argv[1], "-2"));
	for (int i = 1; i < argc; i++)
		for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++)
			if (!strcmp(words[w].name, argv[i])) {
				cl_int err = words[w].run();

				printf("%s: %d\n", argv[i], err);
			}
	fflush(stdout);
	_exit(0);
}
