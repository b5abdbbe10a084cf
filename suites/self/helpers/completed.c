/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the test of complete kernels runs. Each kernel tells whether it has
 * probes: the test's openclaw-instrument sets "probed" in what it has rewritten.
 * What each word saw is one line, and the last line says how many launches had
 * probes and how many had none. Nothing here waits for a time, and what is
 * awaited comes, or the test's limit does.
 *
 *	completed WORD...
 */
#include "config.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/cl_types.h"

enum { DEVICES = 2, THREADS = 4, LAUNCHES = 1000, UNWAITED = 32 };

/* One work-item writes out[at]; "way" is which way it goes. */
#define KERNEL(name_)							\
	"__kernel void " #name_ "(__global int *out, int at, int way)\n"	\
	"{\n"								\
	"	int probed = 0;\n"
#define STRAIGHT(name_)							\
	KERNEL(name_)							\
	"	out[at] = probed;\n"					\
	"}\n"
#define RARE(name_)							\
	KERNEL(name_)							\
	"	if (way == 7)\n"					\
	"		out[at] = 10;\n"					\
	"	out[at] = probed;\n"					\
	"}\n"

static const char text[] =
	RARE(rare)
	RARE(never)
	STRAIGHT(unwaited)
	STRAIGHT(events)
	RARE(queues)
	RARE(clones)
	STRAIGHT(devices)
	RARE(threads)
	"int shared(int way)\n"
	"{\n"
	"	if (way > 1)\n"
	"		return way - 1;\n"
	"	return way;\n"
	"}\n"
	KERNEL(low)
	"	out[at] = shared(way) >= 0 ? probed : 5;\n"
	"}\n"
	KERNEL(high)
	"	out[at] = probed + 0 * shared(way);\n"
	"}\n";

static const char caller[] =
	"int elsewhere(int way);\n"
	"__kernel void calls(__global int *out, int at, int way)\n"
	"{\n"
	"	int probed = 0;\n"
	"	out[at] = probed + 0 * elsewhere(way);\n"
	"}\n";
static const char callee[] =
	"int elsewhere(int way);\n"
	"int elsewhere(int way)\n"
	"{\n"
	"	if (way > 1)\n"
	"		return way - 1;\n"
	"	return way;\n"
	"}\n";

static cl_device_id devices[DEVICES];
static cl_uint device_count;
static cl_context context;
static cl_command_queue queue;
static cl_mem buffer;
static cl_program program;		/* of text; kernels are known by it */
static unsigned int with, without;	/* launches */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void need(cl_int err, const char *what)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "completed: %s: %d\n", what, err);
	exit(2);
}

static cl_command_queue queue_of(cl_device_id device,
				 cl_command_queue_properties properties)
{
	cl_int err;
	cl_command_queue made = clCreateCommandQueue(context, device,
						     properties, &err);

	need(err, "queue");
	return made;
}

static cl_mem make_buffer(void)
{
	cl_int err;
	cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE,
				     LAUNCHES * sizeof(cl_int), NULL, &err);

	need(err, "buffer");
	return made;
}

static cl_program create(const char *source)
{
	cl_int err;
	cl_program made = clCreateProgramWithSource(context, 1, &source, NULL,
						    &err);

	need(err, "program");
	return made;
}

static void begin(void)
{
	cl_platform_id platform;
	cl_int err;

	need(clGetPlatformIDs(1, &platform, NULL), "platforms");
	need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, devices,
			    &device_count), "devices");
	if (device_count > DEVICES)
		device_count = DEVICES;
	context = clCreateContext(NULL, device_count, devices, NULL, NULL,
				  &err);
	need(err, "context");
	queue = queue_of(devices[0], 0);
	buffer = make_buffer();
	program = create(text);
	need(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "build");
}

static void end(void)
{
	need(clReleaseProgram(program), "release");
	need(clReleaseMemObject(buffer), "release");
	need(clReleaseCommandQueue(queue), "release");
	need(clReleaseContext(context), "release");
}

static cl_kernel kernel_of(cl_program of, const char *name)
{
	cl_int err;
	cl_kernel kernel = clCreateKernel(of, name, &err);

	need(err, name);
	need(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "argument");
	return kernel;
}

/* Not waited for. The event is the caller's, or NULL. */
static void launch(cl_command_queue where, cl_kernel kernel, cl_int at,
		   cl_int way, cl_event *event)
{
	size_t size = 1;

	need(clSetKernelArg(kernel, 1, sizeof(at), &at), "argument");
	need(clSetKernelArg(kernel, 2, sizeof(way), &way), "argument");
	need(clEnqueueNDRangeKernel(where, kernel, 1, NULL, &size, NULL, 0,
				    NULL, event), "launch");
}

static bool count(cl_int probed)
{
	pthread_mutex_lock(&lock);
	if (probed)
		with++;
	else
		without++;
	pthread_mutex_unlock(&lock);
	return probed != 0;
}

/* Of that buffer; the queue has finished. */
static bool had_probes(cl_command_queue where, cl_mem from)
{
	cl_int probed = -1;

	need(clEnqueueReadBuffer(where, from, CL_TRUE, 0, sizeof(probed),
				 &probed, 0, NULL, NULL), "read");
	return count(probed);
}

/* One launch, waited for: had it probes? */
static bool one(cl_command_queue where, cl_kernel kernel, cl_int way)
{
	launch(where, kernel, 0, way, NULL);
	need(clFinish(where), "finish");
	return had_probes(where, buffer);
}

static void until_plain(cl_command_queue where, cl_kernel kernel, cl_int way)
{
	while (one(where, kernel, way))
		;
}

static void drop(cl_kernel kernel)
{
	need(clReleaseKernel(kernel), "release");
}

/* Without a call that waits. */
static void poll(cl_event event)
{
	cl_int status = CL_QUEUED;

	while (status > CL_COMPLETE)
		need(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
				    sizeof(status), &status, NULL), "status");
	need(status, "a command");
	need(clReleaseEvent(event), "release");
}

/* ---- what there is to run */

/* Launch 1000 goes a way that none has gone. */
static void rare_way(void)
{
	cl_kernel kernel = kernel_of(program, "rare");
	unsigned int probed = 0;

	for (unsigned int i = 1; i < LAUNCHES; i++)
		probed += one(queue, kernel, 0);
	printf("rare: %u of %u", probed, LAUNCHES - 1);
	printf(", then %d", one(queue, kernel, 7));
	until_plain(queue, kernel, 0);
	printf(", then plain, and %d\n", one(queue, kernel, 7));
	drop(kernel);
}

/* It is never taken: kernels go on as they are. */
static void never(void)
{
	cl_kernel kernel = kernel_of(program, "never");
	unsigned int probed = 0;

	for (unsigned int i = 0; i < 100; i++)
		probed += one(queue, kernel, 0);
	printf("never: %u of 100\n", probed);
	drop(kernel);
}

/* In order, and no call that waits: a launch behind the copy is plain. First of
 * all words, for copies come so often and no more. */
static void unwaited(void)
{
	cl_kernel kernel = kernel_of(program, "unwaited");
	cl_int values[UNWAITED];
	cl_event event;
	unsigned int first = 0, last = 0;

	for (int i = 0; i < UNWAITED; i++) {
		launch(queue, kernel, i, 0, &event);
		poll(event);
	}
	need(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(values),
				 values, 0, NULL, NULL), "read");
	for (unsigned int i = 0; i < UNWAITED; i++) {
		bool probed = count(values[i]);

		first += i < 8 && probed;
		last += i >= 9 && probed;
	}
	printf("unwaited: %u of the first 8, %u of the last\n", first, last);
	drop(kernel);
}

/* Out of order, with events alone. */
static void events(void)
{
	cl_kernel kernel = kernel_of(program, "events");
	cl_command_queue own =
		queue_of(devices[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_int probed;
	cl_event event;

	do {
		launch(own, kernel, 0, 0, &event);
		poll(event);
		need(clEnqueueReadBuffer(own, buffer, CL_FALSE, 0,
					 sizeof(probed), &probed, 0, NULL,
					 &event), "read");
		poll(event);
	} while (count(probed));
	printf("events: plain\n");
	need(clReleaseCommandQueue(own), "release");
	drop(kernel);
}

/* Two queues, each of which goes one way alone; one is out of order. */
static void queues(void)
{
	cl_kernel kernel = kernel_of(program, "queues");
	cl_command_queue own =
		queue_of(devices[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	unsigned int probed = 0;

	for (unsigned int i = 0; i < 20; i++)
		probed += one(queue, kernel, 0);
	printf("queues: %u of 20", probed);
	printf(", then %d", one(own, kernel, 7));
	while (one(own, kernel, 7) || one(queue, kernel, 0))
		;
	printf(", then plain\n");
	need(clReleaseCommandQueue(own), "release");
	drop(kernel);
}

/* A function of two kernels: what each lacks the other has. A third one, that
 * is never complete, keeps neither. */
static void shares(void)
{
	cl_kernel low = kernel_of(program, "low");
	cl_kernel high = kernel_of(program, "high");
	unsigned int probed = 0;

	for (unsigned int i = 0; i < 20; i++)
		probed += one(queue, high, 1);
	printf("shares: %u of 20", probed);
	need(clSetKernelArg(low, 0, sizeof(buffer), &buffer), "argument");
	one(queue, low, 2);
	until_plain(queue, high, 1);
	for (unsigned int i = probed = 0; i < 20; i++)
		probed += one(queue, low, 2);
	printf(", then plain; %u of 20\n", probed);
	drop(low);
	drop(high);
}

static void linked(void)
{
	cl_program parts[2] = { create(caller), create(callee) }, both;
	cl_kernel kernel;
	unsigned int probed = 0;
	cl_int err;

	need(clCompileProgram(parts[0], 0, NULL, NULL, 0, NULL, NULL, NULL,
			      NULL), "compile");
	need(clCompileProgram(parts[1], 0, NULL, NULL, 0, NULL, NULL, NULL,
			      NULL), "compile");
	both = clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL,
				&err);
	need(err, "link");
	kernel = kernel_of(both, "calls");
	for (unsigned int i = 0; i < 20; i++)
		probed += one(queue, kernel, 1);
	printf("linked: %u of 20", probed);
	printf(", then %d", one(queue, kernel, 2));
	until_plain(queue, kernel, 1);
	printf(", then plain\n");
	need(clReleaseProgram(parts[0]), "release");
	need(clReleaseProgram(parts[1]), "release");
	need(clReleaseProgram(both), "release");
	drop(kernel);
}

/* Of a complete kernel, before and behind; and one made anew. */
static void clones(void)
{
	cl_kernel kernel = kernel_of(program, "clones"), early, late, again;
	cl_int err;

	one(queue, kernel, 0);
	early = clCloneKernel(kernel, &err);
	need(err, "clone");
	one(queue, early, 7);
	until_plain(queue, kernel, 0);
	late = clCloneKernel(kernel, &err);
	need(err, "clone");
	again = kernel_of(program, "clones");
	printf("clones: plain, and %d", one(queue, early, 0));
	printf(" %d", one(queue, late, 0));
	printf(" %d\n", one(queue, again, 0));
	drop(early);
	drop(late);
	drop(again);
	drop(kernel);
}

/* Each has to see for itself. */
static void each_device(void)
{
	cl_kernel kernel = kernel_of(program, "devices");
	cl_command_queue other = queue_of(devices[device_count - 1], 0);

	until_plain(queue, kernel, 0);
	printf("devices: plain, %d on the other", one(other, kernel, 0));
	until_plain(other, kernel, 0);
	printf(", then plain\n");
	need(clReleaseCommandQueue(other), "release");
	drop(kernel);
}

static void *run_thread(void *data)
{
	cl_command_queue own = queue_of(devices[0], 0);
	cl_kernel kernel = kernel_of(program, "threads");
	cl_mem mine = make_buffer();
	bool probed;

	need(clSetKernelArg(kernel, 0, sizeof(mine), &mine), "argument");
	do {
		launch(own, kernel, 0, data ? 7 : 0, NULL);
		need(clFinish(own), "finish");
		probed = had_probes(own, mine);
	} while (probed);
	drop(kernel);
	need(clReleaseMemObject(mine), "release");
	need(clReleaseCommandQueue(own), "release");
	return NULL;
}

/* One of them goes the rare way: all of them are plain in the end. */
static void threads(void)
{
	pthread_t made[THREADS];

	for (unsigned int i = 0; i < THREADS; i++)
		if (pthread_create(&made[i], NULL, run_thread,
				   i ? NULL : &made[i]))
			exit(2);
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(made[i], NULL);
	printf("threads: plain\n");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {
		{ "rare", rare_way }, { "never", never },
		{ "unwaited", unwaited }, { "events", events },
		{ "queues", queues }, { "shares", shares },
		{ "linked", linked }, { "clones", clones },
		{ "devices", each_device }, { "threads", threads },
	};

	begin();
	for (int i = 1; i < argc; i++)
		for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++)
			if (strcmp(all[k].name, argv[i]) == 0)
				all[k].run();
	end();
	printf("%u with probes, %u without\n", with, without);
	return 0;
}
