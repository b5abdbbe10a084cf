/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Four threads, one after another (oclgrind 21.10 takes launches of one thread
 * at a time), a queue, a kernel and a buffer each; one of them is wrong.
 */
#include <pthread.h>

#include "guards.h"

enum { THREADS = 4 };

static const char source[] =
	"kernel void worker(global int *v)\n"
	"{\n"
	"	v[get_global_id(0)] = 0x66676869;\n"
	"}\n";

static struct setup cl;

static void *work(void *number)
{
	struct setup own = cl;
	cl_kernel kernel = kernel_of(&own, source, "worker");
	cl_mem mem = new_ints(&own);
	size_t items = ITEMS;

	own.queue = new_queue(&own);
	set_arg(kernel, 0, mem);
	for (int i = 0; i < 20; i++)
		run(own.queue, kernel, ITEMS);
#ifdef PLANTED
	items += *(int *)number == 2;
#else
	(void)number;
#endif
	/* PLANTED: guard worker 0 +0 */
	must(clEnqueueNDRangeKernel(own.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	must(clFinish(own.queue));
	must(clReleaseCommandQueue(own.queue));
	must(clReleaseKernel(kernel));
	must(clReleaseMemObject(mem));
	return NULL;
}

int main(void)
{
	cl = open_device();
	for (int i = 0; i < THREADS; i++) {
		pthread_t thread;

		expect(pthread_create(&thread, NULL, work, &i), 0);
		pthread_join(thread, NULL);
	}
	close_device(&cl);
	return 0;
}
