/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a device does after a fault, as one JSON line: each call in order with
 * the code it returned, what the event's and the context's callbacks were
 * told. The same program records a real device, where the trigger is a kernel
 * that does it, and checks a device model, where openclaw injects it:
 *
 *	device_faults TRIGGER FIRST
 *	device_faults --injected TRIGGER FIRST
 *
 * TRIGGER: oob_write oob_read null_write misaligned trap slow oom_lazy
 * overmax user_event fork fork_parent; "two_" before it: in one context over
 * two devices, on the first. FIRST is the first call after it, by the name of a step (--list).
 * With --injected the kernel is harmless, and a fault has to be armed for
 * the launch of a kernel named "trigger". The members of the line are those
 * of device_faults/nvidia-h200.jsonl.
 */
#include "config.h"

#include "device_faults.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 16384, MAX_STEPS = 256, SETTLE_US = 300000,
       CALLBACK_POLLS = 5000 };

static struct {
	struct {
		char name[64];
		long code;
	} steps[MAX_STEPS];
	unsigned int step_count;
	pthread_mutex_t lock;
	char notify[TEXT_BYTES], other_notify[TEXT_BYTES];
	unsigned int callback_count;
	int callback_status;
} told = { .lock = PTHREAD_MUTEX_INITIALIZER, .callback_status = UNTOLD };

static const struct {
	const char *name;
	const char *body;	/* of the kernel that does it; NULL: none */
} triggers[] = {
	{ "oob_write", "p[((size_t)1 << 40) + get_global_id(0)] = 1;" },
	{ "oob_read", "p[0] = p[((size_t)1 << 40) + get_global_id(0)];" },
	{ "null_write", "*(volatile global int *)(p - p) = 1;" },
	{ "misaligned", "*(volatile global int *)((global char *)p + 1) = 1;" },
	{ "trap", "if (get_global_id(0) == 7) asm volatile(\"trap;\");" },
	{ "slow", "for (int i = 0; i < 100000; i++) p[get_global_id(0)] += i;" },
	{ "oom_lazy", NULL },
	{ "overmax", NULL },
	{ "user_event", NULL },
	{ "fork", NULL },
	{ "fork_parent", NULL },
};
static const char two[] = "two_";

static const char good_source[] =
	"kernel void good(global int *p)\n"
	"{ p[get_global_id(0)] += 1; }\n"
	"kernel void with_value(global int *p, int v)\n"
	"{ p[get_global_id(0)] = v; }\n";

void say(const char *step, long code)
{
	unsigned int n = told.step_count;

	if (n == MAX_STEPS)
		return;
	snprintf(told.steps[n].name, sizeof(told.steps[n].name), "%s", step);
	told.steps[n].code = code;
	told.step_count++;
}

static void CL_CALLBACK on_context(const char *text, const void *info,
				   size_t bytes, void *user)
{
	char *all = user;
	size_t length;

	(void)info;
	(void)bytes;
	pthread_mutex_lock(&told.lock);
	length = strlen(all);
	snprintf(all + length, TEXT_BYTES - length, "%s%s",
		 length ? " | " : "", text);
	pthread_mutex_unlock(&told.lock);
}

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *user)
{
	(void)event;
	(void)user;
	pthread_mutex_lock(&told.lock);
	told.callback_count++;
	told.callback_status = status;
	pthread_mutex_unlock(&told.lock);
}

static void give_up(const char *what, cl_int err)
{
	fprintf(stderr, "device_faults: %s: %d\n", what, err);
	exit(77);
}

static void need(const char *what, cl_int err)
{
	if (err)
		give_up(what, err);
}

/* The first devices of that type of any platform. */
static void find_devices(struct objects *o, cl_device_type type, cl_uint wanted)
{
	cl_platform_id platforms[16];
	cl_device_id devices[2];
	cl_uint count = 0, found;

	need("clGetPlatformIDs", clGetPlatformIDs(16, platforms, &count));
	for (cl_uint i = 0; i < count && i < 16 && !o->device; i++) {
		if (clGetDeviceIDs(platforms[i], type, wanted, devices,
				   &found) || found < wanted)
			continue;
		o->platform = platforms[i];
		o->device = devices[0];
		o->second = devices[wanted - 1];
	}
}

/* GPUs, or else any devices. */
static void find_device(struct objects *o, cl_uint wanted)
{
	find_devices(o, CL_DEVICE_TYPE_GPU, wanted);
	if (!o->device)
		find_devices(o, CL_DEVICE_TYPE_ALL, wanted);
	if (!o->device)
		give_up("no device", CL_DEVICE_NOT_FOUND);
	clGetDeviceInfo(o->device, CL_DEVICE_GLOBAL_MEM_SIZE,
			sizeof(o->memory_bytes), &o->memory_bytes, NULL);
	clGetDeviceInfo(o->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
			sizeof(o->largest_bytes), &o->largest_bytes, NULL);
}

static cl_kernel make_kernel(cl_program program, const char *name, cl_mem mem)
{
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, name, &err);

	need("clCreateKernel", err);
	need("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	return kernel;
}

static void make_trigger(struct objects *o, const char *name,
			 const char *body)
{
	char source[512];

	snprintf(source, sizeof(source),
		 "kernel void %s(global int *p) { %s }\n", name, body);
	o->trigger = make_kernel(steps_program(o->context, NULL, source),
				 name, o->buffer);
}

static void make_objects(struct objects *o, cl_uint devices)
{
	cl_device_id both[2];
	cl_int err;

	find_device(o, devices);
	both[0] = o->device;
	both[1] = o->second;
	o->host = calloc(1, BUFFER_BYTES);
	o->context = clCreateContext(NULL, devices, both, on_context,
				     told.notify, &err);
	need("clCreateContext", err);
	o->other_context = clCreateContext(NULL, 1, &o->second, on_context,
					   told.other_notify, &err);
	need("clCreateContext", err);
	o->queue = clCreateCommandQueue(o->context, o->device, 0, &err);
	need("clCreateCommandQueue", err);
	o->other_queue = clCreateCommandQueue(o->context, o->second, 0, &err);
	need("clCreateCommandQueue", err);
	o->far_queue = clCreateCommandQueue(o->other_context, o->second, 0,
					    &err);
	need("clCreateCommandQueue", err);
	o->buffer = clCreateBuffer(o->context, CL_MEM_READ_WRITE, BUFFER_BYTES,
				   NULL, &err);
	need("clCreateBuffer", err);
	o->other_buffer = clCreateBuffer(o->context, CL_MEM_READ_WRITE,
					 BUFFER_BYTES, NULL, &err);
	need("clCreateBuffer", err);
	o->far_buffer = clCreateBuffer(o->other_context, CL_MEM_READ_WRITE,
				       BUFFER_BYTES, NULL, &err);
	need("clCreateBuffer", err);
	o->program = steps_program(o->context, NULL, good_source);
	o->kernel = make_kernel(o->program, "good", o->buffer);
	o->far_kernel = make_kernel(steps_program(o->other_context, NULL,
						  good_source), "good",
				    o->far_buffer);
}

/* One launch behind it, in each queue, so that all is set up. */
static void run_well(struct objects *o)
{
	static const size_t items = ITEMS;
	cl_command_queue queues[] = { o->queue, o->other_queue, o->far_queue };

	for (unsigned int i = 0; i < 3; i++) {
		need("clEnqueueNDRangeKernel",
		     clEnqueueNDRangeKernel(queues[i], i == 2 ? o->far_kernel :
					    o->kernel, 1, NULL, &items, NULL, 0,
					    NULL, NULL));
		need("clFinish", clFinish(queues[i]));
	}
}

static void launch_trigger(struct objects *o)
{
	static const size_t items = ITEMS;
	cl_int err = clEnqueueNDRangeKernel(o->queue, o->trigger, 1, NULL,
					    &items, NULL, 0, NULL, &o->event);

	say("clEnqueueNDRangeKernel(trigger)", err);
	if (err)
		o->event = NULL;
	else
		clSetEventCallback(o->event, CL_COMPLETE, on_event, NULL);
}

static void print_text(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putchar('\\');
		if ((unsigned char)*text >= ' ')
			putchar(*text);
	}
	putchar('"');
}

static void print_line(const struct objects *o, const char *trigger,
		       const char *first)
{
	char device[256] = "";

	clGetDeviceInfo(o->device, CL_DEVICE_NAME, sizeof(device), device,
			NULL);
	printf("{\"trigger\":\"%s\",\"first\":\"%s\",\"steps\":[", trigger,
	       first);
	for (unsigned int i = 0; i < told.step_count; i++)
		printf("%s[\"%s\",%ld]", i ? "," : "", told.steps[i].name,
		       told.steps[i].code);
	printf("],\"event_callback_count\":%u,\"event_callback_status\":%d,"
	       "\"notify\":", told.callback_count, told.callback_status);
	print_text(told.notify);
	if (*told.other_notify) {
		printf(",\"notify_othercontext\":");
		print_text(told.other_notify);
	}
	printf(",\"device\":");
	print_text(device);
	printf("}\n");
}

static int usage(void)
{
	fprintf(stderr, "usage: device_faults [--injected] TRIGGER FIRST | "
		"--list\n");
	return 64;
}

static void run_trigger(struct objects *o, const char *name, const char *first)
{
	cl_mem buffer = o->buffer;

	if (!strcmp(name, "overmax")) {
		limits_exceed(o);
		return;
	}
	if (!strncmp(name, "fork", 4)) {
		more_fork(o, first, !name[4]);
		return;
	}
	if (!strcmp(name, "user_event")) {
		more_user_event(o, first);
		return;
	}
	if (!strcmp(name, "oom_lazy")) {
		buffer = limits_run_out(o, first);
		if (!buffer)
			return;
	} else {
		launch_trigger(o);
		step_run(first, o, buffer);
	}
	steps_run_all(o, buffer);
}

/* Drivers tell some of it on threads of their own. */
static void wait_for_callbacks(const struct objects *o, bool injected)
{
	unsigned int count = 0;

	for (int i = 0; o->event && !count && i < CALLBACK_POLLS; i++) {
		pthread_mutex_lock(&told.lock);
		count = told.callback_count;
		pthread_mutex_unlock(&told.lock);
		if (!count)
			usleep(1000);
	}
	if (!injected)
		usleep(SETTLE_US);
}

int main(int argc, char **argv)
{
	bool injected = argc > 1 && !strcmp(argv[1], "--injected");
	struct objects objects = { .device = NULL };
	const char *body = NULL, *name, *base, *first;
	bool found = false, is_two;

	if (argc == 2 && !strcmp(argv[1], "--list")) {
		steps_list();
		return 0;
	}
	if (argc != 3 + injected)
		return usage();
	name = argv[1 + injected];
	first = argv[2 + injected];
	is_two = !strncmp(name, two, strlen(two));
	base = name + (is_two ? strlen(two) : 0);
	for (unsigned int i = 0; i < sizeof(triggers) / sizeof(*triggers); i++)
		if (!strcmp(triggers[i].name, base)) {
			found = true;
			body = triggers[i].body;
		}
	if (!found || !step_exists(first))
		return usage();
	make_objects(&objects, is_two ? 2 : 1);
	if (body)
		make_trigger(&objects, strcmp(base, "slow") ? "trigger" :
			     "control", injected ? "p[0] = 1;" : body);
	run_well(&objects);
	run_trigger(&objects, base, first);
	wait_for_callbacks(&objects, injected);
	print_line(&objects, name, first);
	fflush(stdout);
	_exit(ferror(stdout) ? 1 : 0);	/* a driver that is lost may hang */
}
