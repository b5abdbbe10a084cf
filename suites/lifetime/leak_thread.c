/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each worker thread has a staging buffer and ends without releasing it. A
 * buffer a thread, on every driver; thread pools hide it, threads made per
 * request do not.
 */
#include <pthread.h>

#include "lifetime.h"

static struct setup cl;

static void *work(void *nothing)
{
	cl_int err, values[ITEMS] = { 0 };
	/* PLANTED: leak buffer */
	cl_mem staging = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, BYTES,
					NULL, &err);

	must(err);
	must(clEnqueueWriteBuffer(cl.queue, staging, CL_TRUE, 0, BYTES, values,
				  0, NULL, NULL));
#ifndef PLANTED
	must(clReleaseMemObject(staging));
#endif
	return nothing;
}

int main(void)
{
	pthread_t thread;

	cl = open_device();
	/* One by one: oclgrind 21.10 counts references without a lock. */
	for (int i = 0; i < 4; i++) {
		expect(pthread_create(&thread, NULL, work, NULL), 0);
		pthread_join(thread, NULL);
	}
	close_device(&cl);
	return 0;
}
