/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that have queues, buffers and events of their own: transparent.test
 * builds it with ThreadSanitizer, which is to find nothing in it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

enum { THREADS = 3, ROUNDS = 20, BYTES = 65536 };

static cl_context context;
static cl_device_id device;

static void *work(void *none)
{
	char *bytes = calloc(1, BYTES);
	cl_int err;
	cl_command_queue queue = clCreateCommandQueue(context, device, 0,
						      &err);

	for (int i = 0; i < ROUNDS && bytes && !err; i++) {
		cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR,
					    BYTES, bytes, &err);
		cl_event event = NULL;

		if (err)
			break;
		clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, BYTES, bytes, 0,
				     NULL, NULL);
		clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, BYTES, bytes, 0,
				    NULL, &event);
		clReleaseEvent(event);
		clFinish(queue);
		clReleaseMemObject(mem);
	}
	clReleaseCommandQueue(queue);
	free(bytes);
	return none;
}

int main(void)
{
	cl_platform_id platform;
	pthread_t threads[THREADS];
	cl_int err = clGetPlatformIDs(1, &platform, NULL);

	if (err || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device,
				  NULL))
		return 2;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, NULL))
			return 2;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	clReleaseContext(context);
	puts("done");
	return 0;
}
