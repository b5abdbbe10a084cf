/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Four threads at work, each with a queue of its own; one stores far away.
 *
 * Kind: gpu-crash
 * Code: clw-gpu-crash
 * Cause: (worked|outside).*store.*1073741824
 */
#include "crashes.h"

#include <pthread.h>

static struct setup cl;

static void *worker(void *arg)
{
	struct setup own = cl;
	cl_kernel kernel = crash_kernel(&own, "store");
	cl_mem mem = new_ints(&own);

	own.queue = new_queue(&own);
	for (int i = 0; i < USUAL; i++) {
		set_mem(kernel, 0, mem);
		set_int(kernel, 1, arg && i == USUAL - 1 ? 1 << 30 : 0);
		launch_over(&own, kernel, ITEMS);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[4];

	cl = open_device();
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, worker,
				   i == 2 ? &cl : NULL))
			return FAILED;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	close_device(&cl);
	return 0;
}
