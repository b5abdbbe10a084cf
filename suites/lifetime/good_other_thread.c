/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A producer makes buffers and a consumer on another thread releases them. No
 * thread releases what it made.
 */
#include <pthread.h>

#include "lifetime.h"

static void *consume(void *buffers)
{
	cl_mem *mems = (cl_mem *)buffers;

	for (int i = 0; i < ROUNDS; i++)
		must(clReleaseMemObject(mems[i]));
	return NULL;
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mems[ROUNDS];
	pthread_t thread;

	for (int i = 0; i < ROUNDS; i++)
		mems[i] = new_ints(&cl);
	expect(pthread_create(&thread, NULL, consume, mems), 0);
	pthread_join(thread, NULL);
	close_device(&cl);
	return 0;
}
