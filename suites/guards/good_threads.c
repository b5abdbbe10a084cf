/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Four threads on one context: buffers come and go, kernels run, all at once.
 * Needs: launches of several threads, which oclgrind 21.10 asserts are none
 * Parts: a kernel is given a sub-buffer that ends inside its buffer
 */
#include <pthread.h>

#include "guards.h"

enum { THREADS = 4, TIMES = 60 };

static struct setup shared;
static cl_program program;

static void *work(void *unused)
{
	cl_command_queue queue = new_queue(&shared);
	cl_kernel kernel = new_kernel(program, "add_one");

	(void)unused;
	for (int i = 0; i < TIMES; i++) {
		cl_mem mem = new_ints(&shared);
		cl_mem part = part_of(mem, 512, 512);
		cl_int got[ITEMS];

		set_arg(kernel, 0, mem);
		run(queue, kernel, ITEMS);
		set_arg(kernel, 0, part);
		run(queue, kernel, ITEMS / 2);
		must(clReleaseMemObject(part));
		read_all(queue, mem, BYTES, got);
		expect(got[0], 1);
		expect(got[ITEMS - 1], 2);
		must(clReleaseMemObject(mem));
	}
	must(clReleaseKernel(kernel));
	must(clReleaseCommandQueue(queue));
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	char name[256] = "";

	shared = open_device();
	must(clGetDeviceInfo(shared.device, CL_DEVICE_NAME, sizeof(name), name,
			     NULL));
	need(!strstr(name, "Oclgrind"), "launches of several threads");
	program = new_program(&shared);
	for (int i = 0; i < THREADS; i++)
		expect(pthread_create(&threads[i], NULL, work, NULL), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	must(clReleaseProgram(program));
	close_device(&shared);
	return 0;
}
