/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each thread has a queue of its own. One writes a buffer, the other reads it;
 * that the first thread has ended does not say that its command has.
 */
#include <pthread.h>

#include "lifetime.h"

static struct setup cl;
static cl_mem mem;

static void *produce(void *nothing)
{
	const cl_int one = 1;

	/* SECOND: the write */
	must(clEnqueueFillBuffer(cl.queue, mem, &one, sizeof(one), 0, BYTES, 0,
				 NULL, NULL));
#ifdef PLANTED
	must(clFlush(cl.queue));
#else
	must(clFinish(cl.queue));
#endif
	return nothing;
}

int main(void)
{
	cl_command_queue second;
	pthread_t thread;
	cl_int got = 0;

	cl = open_device();
	second = new_queue(&cl);
	mem = new_ints(&cl);
	expect(pthread_create(&thread, NULL, produce, NULL), 0);
	pthread_join(thread, NULL);
	/* PLANTED: late write of another thread, read without an order */
	must(clEnqueueReadBuffer(second, mem, CL_TRUE, 0, sizeof(got), &got, 0,
				 NULL, NULL));
#ifndef PLANTED
	expect(got, 1);
#endif
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
