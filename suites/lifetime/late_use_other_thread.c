/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread releases a buffer at its end, another goes on with the handle.
 * Undefined: both drivers crash (pocl 3.1, oclgrind 21.10)
 */
#include <pthread.h>

#include "lifetime.h"

static void *end_of_work(void *mem)
{
#ifdef PLANTED
	/* SECOND: the release */
	must(clReleaseMemObject((cl_mem)mem));
#else
	must(clRetainMemObject((cl_mem)mem));
	must(clReleaseMemObject((cl_mem)mem));
#endif
	return NULL;
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	pthread_t thread;
	cl_int value = 0;

	expect(pthread_create(&thread, NULL, end_of_work, mem), 0);
	pthread_join(thread, NULL);
	/* PLANTED: late use of a released buffer */
	clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof(value), &value,
			    0, NULL, NULL);
#ifndef PLANTED
	must(clReleaseMemObject(mem));
#endif
	close_device(&cl);
	return 0;
}
