/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Four threads retain, use and release one buffer and one kernel at the same
 * time; main releases its own references while they still run. Legal, but
 * oclgrind 21.10 counts references without a lock and crashes now and then.
 *
 * Needs: references that threads may share
 */
#include <pthread.h>

#include "lifetime.h"

enum { THREADS = 4, TIMES = 200 };

static cl_mem mem;
static cl_kernel kernel;

static void *work(void *nothing)
{
	size_t size = 0;

	for (int i = 0; i < TIMES; i++) {
		must(clRetainMemObject(mem));
		must(clRetainKernel(kernel));
		must(clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(size), &size,
					NULL));
		must(clReleaseKernel(kernel));
		must(clReleaseMemObject(mem));
	}
	must(clReleaseKernel(kernel));
	must(clReleaseMemObject(mem));
	return nothing;
}

static bool is_oclgrind(const struct setup *cl)
{
	char version[128] = "";

	must(clGetDeviceInfo(cl->device, CL_DEVICE_VERSION, sizeof(version),
			     version, NULL));
	return strstr(version, "Oclgrind") != NULL;
}

int main(void)
{
	struct setup cl = open_device();
	pthread_t threads[THREADS];

	need(!is_oclgrind(&cl), "references that threads may share");
	mem = new_ints(&cl);
	kernel = add_one(&cl);
	for (int i = 0; i < THREADS; i++) {
		must(clRetainMemObject(mem));
		must(clRetainKernel(kernel));
		expect(pthread_create(&threads[i], NULL, work, NULL), 0);
	}
	must(clReleaseKernel(kernel));
	must(clReleaseMemObject(mem));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	close_device(&cl);
	return 0;
}
