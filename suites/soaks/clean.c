/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Behaviours that look like a leak or a slowdown for a while, and are none.
 */
#include <pthread.h>
#include <unistd.h>

#include "soaker.h"

enum { POOL = 256, BATCH = 2000 };

static cl_mem pool[POOL];
static size_t pool_count;
static char *blocks[BATCH];
static size_t block_count;

static void plain(struct soaker *soaker) { (void)soaker; }

static void buffer_each(struct soaker *soaker)
{
	must(clReleaseMemObject(soaker_buffer(soaker, 64 * 1024)));
}

static void kernel_each(struct soaker *soaker)
{
	cl_int err;
	cl_kernel kernel = clCreateKernel(soaker->program, "add", &err);

	must(err);
	must(clReleaseKernel(kernel));
}

static void queue_each(struct soaker *soaker)
{
	cl_int err;
	cl_command_queue queue = clCreateCommandQueue(soaker->context,
						      soaker->device, 0, &err);

	must(err);
	must(clFinish(queue));
	must(clReleaseCommandQueue(queue));
}

static void event_each(struct soaker *soaker)
{
	cl_event event;

	must(clEnqueueMarkerWithWaitList(soaker->queue, 0, NULL, &event));
	must(clWaitForEvents(1, &event));
	must(clReleaseEvent(event));
}

static void events_late(struct soaker *soaker)
{
	static cl_event events[POOL];
	size_t at = soaker->iteration % POOL;

	if (events[at])
		must(clReleaseEvent(events[at]));
	must(clEnqueueMarkerWithWaitList(soaker->queue, 0, NULL, &events[at]));
}

static void map_each(struct soaker *soaker)
{
	cl_int err;
	void *mapped = clEnqueueMapBuffer(soaker->queue, soaker->mem, CL_TRUE,
					  CL_MAP_READ, 0, BYTES, 0, NULL, NULL,
					  &err);

	must(err);
	must(clEnqueueUnmapMemObject(soaker->queue, soaker->mem, mapped, 0,
				     NULL, NULL));
}

static void sub_buffer_each(struct soaker *soaker)
{
	const cl_buffer_region region = { 0, BYTES / 2 };
	cl_int err;
	cl_mem part = clCreateSubBuffer(soaker->mem, CL_MEM_READ_WRITE,
					CL_BUFFER_CREATE_TYPE_REGION, &region,
					&err);

	must(err);
	must(clReleaseMemObject(part));
}

static void build_sometimes(struct soaker *soaker)
{
	const char *text = "kernel void k(global int *p) { p[0] = 1; }";
	cl_program program;
	cl_int err;

	if (!soaker_is_every(soaker, 500))
		return;
	program = clCreateProgramWithSource(soaker->context, 1, &text, NULL,
					    &err);
	must(err);
	must(clBuildProgram(program, 1, &soaker->device, "", NULL, NULL));
	must(clReleaseProgram(program));
}

/* A cache that fills up in the first part of a short soak. */
static void pool_fills_up(struct soaker *soaker)
{
	if (pool_count < POOL && soaker_is_every(soaker, 4))
		pool[pool_count++] = soaker_buffer(soaker, 64 * 1024);
}

static void empty_pool(void)
{
	while (pool_count)
		must(clReleaseMemObject(pool[--pool_count]));
}

/* Fast and slow: a batch of buffers, then all of them go. */
static void sawtooth(struct soaker *soaker)
{
	if (pool_count == POOL)
		empty_pool();
	pool[pool_count++] = soaker_buffer(soaker, 16 * 1024);
}

static void slow_sawtooth(struct soaker *soaker)
{
	if (pool_count == POOL)
		empty_pool();
	if (soaker_is_every(soaker, 8))
		pool[pool_count++] = soaker_buffer(soaker, 256 * 1024);
}

static void random_load(struct soaker *soaker)
{
	if (pool_count && soaker_random(soaker, POOL) < pool_count)
		must(clReleaseMemObject(pool[--pool_count]));
	else if (pool_count < POOL)
		pool[pool_count++] = soaker_buffer(soaker, 1 + soaker_random(
							soaker, 128 * 1024));
}

static void rare_giant(struct soaker *soaker)
{
	if (soaker_random(soaker, 400) == 0)
		must(clReleaseMemObject(soaker_buffer(soaker, 64 << 20)));
}

/* ---- the host's memory */

static void add_block(size_t bytes)
{
	blocks[block_count] = malloc(bytes);
	if (!blocks[block_count])
		exit(2);
	memset(blocks[block_count++], 1, bytes);
}

static void host_cache_fills_up(struct soaker *soaker)
{
	if (block_count < BATCH / 2 && soaker->iteration > 10)
		add_block(8 * 1024);
}

static void host_sawtooth(struct soaker *soaker)
{
	(void)soaker;
	if (block_count == BATCH)
		while (block_count)
			free(blocks[--block_count]);
	add_block(6 * 1024);
}

/* Sizes and lives at random: an allocator that grows to its working set. */
static void host_fragments(struct soaker *soaker)
{
	size_t at = soaker_random(soaker, BATCH);

	if (block_count < BATCH) {
		add_block(1 + soaker_random(soaker, 4096));
		return;
	}
	free(blocks[at]);
	blocks[at] = malloc(1 + soaker_random(soaker, 4096));
}

/* ---- threads, files, time */

static void *do_nothing(void *nothing) { return nothing; }

static void threads_come_and_go(struct soaker *soaker)
{
	pthread_t threads[4];

	if (!soaker_is_every(soaker, 20))
		return;
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, do_nothing, NULL) != 0)
			exit(2);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void files_come_and_go(struct soaker *soaker)
{
	static FILE *files[32];
	size_t at = soaker_random(soaker, 32);

	if (files[at]) {
		fclose(files[at]);
		files[at] = NULL;
	} else {
		files[at] = fopen("/dev/null", "re");
	}
}

static void idle_phases(struct soaker *soaker)
{
	soaker->nap_us = soaker->iteration / 700 % 2 ? 8000 : 400;
}

/* Launches take longer and shorter by turns. */
static void waves_of_work(struct soaker *soaker)
{
	soaker->launch_rounds = 1 + soaker->iteration / 200 % 5;
}

const struct behaviour clean_behaviours[] = {
	{ "plain", NULL, plain },
	{ "buffer_each", NULL, buffer_each },
	{ "kernel_each", NULL, kernel_each },
	{ "queue_each", NULL, queue_each },
	{ "event_each", NULL, event_each },
	{ "events_late", NULL, events_late },
	{ "map_each", NULL, map_each },
	{ "sub_buffer_each", NULL, sub_buffer_each },
	{ "build_sometimes", NULL, build_sometimes },
	{ "pool_fills_up", NULL, pool_fills_up },
	{ "sawtooth", NULL, sawtooth },
	{ "slow_sawtooth", NULL, slow_sawtooth },
	{ "random_load", NULL, random_load },
	{ "rare_giant", NULL, rare_giant },
	{ "host_cache_fills_up", NULL, host_cache_fills_up },
	{ "host_sawtooth", NULL, host_sawtooth },
	{ "host_fragments", NULL, host_fragments },
	{ "threads_come_and_go", NULL, threads_come_and_go },
	{ "files_come_and_go", NULL, files_come_and_go },
	{ "idle_phases", NULL, idle_phases },
	{ "waves_of_work", NULL, waves_of_work },
	{ NULL, NULL, NULL },
};
