/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread enqueues a read, another one uses what it gives: it was started
 * before anything had waited.
 * Options: --early-loads
 */
#include "lifetime.h"

#include <pthread.h>

static void *sum(void *argument)
{
	const cl_int *values = (const cl_int *)argument;
	static cl_int result;

	/* PLANTED: late wait for a read */
	result = *(const volatile cl_int *)&values[LARGE / 8];
	return &result;
}

int main(void)
{
	struct setup cl = open_device();
	cl_event gate = new_gate(&cl);
	cl_mem mem = new_large(&cl, 1);
	cl_int *values = (cl_int *)calloc(1, LARGE);
	pthread_t thread;
	void *result;

	need(values != NULL, "memory");
	/* SECOND: reads it */
	must(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, LARGE, values, 1,
				 &gate, NULL));
#ifndef PLANTED
	open_gate(gate);
	must(clFinish(cl.queue));
#endif
	need(!pthread_create(&thread, NULL, sum, values), "a thread");
	pthread_join(thread, &result);
#ifdef PLANTED
	open_gate(gate);
	must(clFinish(cl.queue));
#else
	expect(*(cl_int *)result, 1);
#endif
	printf("%d\n", *(cl_int *)result);
	must(clReleaseMemObject(mem));
	free(values);
	close_device(&cl);
	return 0;
}
