/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Four threads at work on one device, which goes away under one of them; the first
 * to notice ends the program.
 *
 * Options: --fault clEnqueueWriteBuffer:device-lost:when=30
 * Kind: device-lost
 * Code: clw-device-lost
 * Cause: device went away.*clEnqueueWriteBuffer
 */
#include "crashes.h"

#include <pthread.h>

static struct setup cl;

static void *worker(void *arg)
{
	struct setup own = cl;

	own.queue = new_queue(&own);
	work(&own, USUAL);
	return arg;
}

int main(void)
{
	pthread_t threads[4];

	cl = open_device();
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, worker, NULL))
			return FAILED;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	close_device(&cl);
	return 0;
}
