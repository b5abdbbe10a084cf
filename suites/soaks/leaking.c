/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Behaviours that lose something, fast or slowly, evenly or in bursts, and some
 * that become slow. Each makes what it loses in a function of its own.
 */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "soaker.h"

static void buffer(struct soaker *soaker)
{
	if (soaker_is_every(soaker, 10))
		soaker_buffer(soaker, 4096);
}

/* One in a thousand. */
static void buffer_rarely(struct soaker *soaker)
{
	if (soaker_is_every(soaker, 1000))
		soaker_buffer(soaker, 4096);
}

static void buffers_in_bursts(struct soaker *soaker)
{
	if (soaker_is_every(soaker, 2000))
		for (int i = 0; i < 50; i++)
			soaker_buffer(soaker, 64 * 1024);
}

/* Beside many that come and go. */
static void buffer_in_sawtooth(struct soaker *soaker)
{
	static cl_mem pool[64];
	static size_t count;

	if (count == 64)
		while (count)
			must(clReleaseMemObject(pool[--count]));
	pool[count++] = soaker_buffer(soaker, 4096);
	buffer(soaker);
}

static void buffers_faster(struct soaker *soaker)
{
	for (uint64_t i = 0; i < soaker->iteration / 2000; i++)
		if (soaker_is_every(soaker, 5))
			soaker_buffer(soaker, 1024);
}

static void large_buffer_slowly(struct soaker *soaker)
{
	if (soaker_is_every(soaker, 500))
		soaker_buffer(soaker, 4 << 20);
}

static void event(struct soaker *soaker)
{
	cl_event lost;

	if (soaker_is_every(soaker, 5))
		must(clEnqueueMarkerWithWaitList(soaker->queue, 0, NULL,
						 &lost));
}

static void event_rarely(struct soaker *soaker)
{
	cl_event lost;

	if (soaker_is_every(soaker, 700))
		must(clEnqueueMarkerWithWaitList(soaker->queue, 0, NULL,
						 &lost));
}

static void user_event(struct soaker *soaker)
{
	cl_int err;
	cl_event lost;

	if (!soaker_is_every(soaker, 50))
		return;
	lost = clCreateUserEvent(soaker->context, &err);
	must(err);
	must(clSetUserEventStatus(lost, CL_COMPLETE));
}

static void kernel(struct soaker *soaker)
{
	cl_int err;

	if (!soaker_is_every(soaker, 50))
		return;
	clCreateKernel(soaker->program, "add", &err);
	must(err);
}

static void program(struct soaker *soaker)
{
	const char *text = "kernel void k(global int *p) { p[0] = 1; }";
	cl_int err;

	if (!soaker_is_every(soaker, 300))
		return;
	clCreateProgramWithSource(soaker->context, 1, &text, NULL, &err);
	must(err);
}

static void sampler(struct soaker *soaker)
{
	cl_int err;

	if (!soaker_is_every(soaker, 50))
		return;
	clCreateSampler(soaker->context, CL_FALSE, CL_ADDRESS_NONE,
			CL_FILTER_NEAREST, &err);
	must(err);
}

static void queue(struct soaker *soaker)
{
	cl_int err;

	if (!soaker_is_every(soaker, 200))
		return;
	clCreateCommandQueue(soaker->context, soaker->device, 0, &err);
	must(err);
}

static void context(struct soaker *soaker)
{
	cl_int err;

	if (!soaker_is_every(soaker, 500))
		return;
	clCreateContext(NULL, 1, &soaker->device, NULL, NULL, &err);
	must(err);
}

/* A reference too many of a buffer that is otherwise given back. */
static void retained(struct soaker *soaker)
{
	cl_mem mem = soaker_buffer(soaker, 4096);

	if (soaker_is_every(soaker, 20))
		must(clRetainMemObject(mem));
	must(clReleaseMemObject(mem));
}

static void mapping(struct soaker *soaker)
{
	cl_int err;
	cl_mem mem;

	if (!soaker_is_every(soaker, 50))
		return;
	mem = soaker_buffer(soaker, 4096);
	clEnqueueMapBuffer(soaker->queue, mem, CL_TRUE, CL_MAP_READ, 0, 4096, 0,
			   NULL, NULL, &err);
	must(err);
}

static void sub_buffer(struct soaker *soaker)
{
	const cl_buffer_region region = { 0, BYTES / 2 };
	cl_int err;

	if (!soaker_is_every(soaker, 30))
		return;
	clCreateSubBuffer(soaker->mem, CL_MEM_READ_WRITE,
			  CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
	must(err);
}

/* ---- of the host */

static void lose_heap(size_t bytes)
{
	char *volatile lost = malloc(bytes);

	if (!lost)
		exit(2);
	memset(lost, 1, bytes);
}

static void host_heap(struct soaker *soaker)
{
	(void)soaker;
	lose_heap(512);
}

static void host_heap_in_bursts(struct soaker *soaker)
{
	if (soaker_is_every(soaker, 1500))
		for (int i = 0; i < 100; i++)
			lose_heap(10000);
}

static void file(struct soaker *soaker)
{
	if (soaker_is_every(soaker, 100))
		(void)!open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void *wait_for_ever(void *nothing)
{
	pause();
	return nothing;
}

static void thread(struct soaker *soaker)
{
	pthread_t lost;

	if (soaker_is_every(soaker, 200) &&
	    pthread_create(&lost, NULL, wait_for_ever, NULL) != 0)
		exit(2);
}

/* ---- slower and slower */

static void more_launches(struct soaker *soaker)
{
	soaker->launch_rounds = 1 + soaker->iteration / 100;
}

static void longer_naps(struct soaker *soaker)
{
	soaker->nap_us = 800 + (unsigned int)soaker->iteration / 2;
}

const struct behaviour leaking_behaviours[] = {
	{ "buffer", "memory_objects", buffer },
	{ "buffer_rarely", "memory_objects", buffer_rarely },
	{ "buffers_in_bursts", "memory_objects", buffers_in_bursts },
	{ "buffer_in_sawtooth", "memory_objects", buffer_in_sawtooth },
	{ "buffers_faster", "memory_objects", buffers_faster },
	{ "large_buffer_slowly", "device_bytes", large_buffer_slowly },
	{ "event", "events", event },
	{ "event_rarely", "events", event_rarely },
	{ "user_event", "events", user_event },
	{ "kernel", "kernels", kernel },
	{ "program", "programs", program },
	{ "sampler", "samplers", sampler },
	{ "queue", "queues", queue },
	{ "context", "contexts", context },
	{ "retained", "memory_objects", retained },
	{ "mapping", "mappings", mapping },
	{ "sub_buffer", "memory_objects", sub_buffer },
	{ "host_heap", "heap", host_heap },
	{ "host_heap_in_bursts", "heap", host_heap_in_bursts },
	{ "file", "files", file },
	{ "thread", "threads", thread },
	{ "more_launches", "iteration_rate", more_launches },
	{ "longer_naps", "launch_rate", longer_naps },
	{ NULL, NULL, NULL },
};
