/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The destructor callback frees the memory behind a CL_MEM_USE_HOST_PTR buffer:
 * the way that the specification proposes. The release comes while a launch
 * is pending, the callback when it is done.
 */
#include <semaphore.h>

#include "lifetime.h"

static sem_t freed;

static void CL_CALLBACK free_host(cl_mem mem, void *host)
{
	(void)mem;
	free(host);
	sem_post(&freed);
}

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_event gate = new_gate(&cl);
	cl_int err, *host = aligned_alloc(4096, LARGE);
	cl_mem mem;

	if (!host)
		return FAILED;
	memset(host, 0, LARGE);
	sem_init(&freed, 0, 0);
	mem = clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, LARGE, host,
			     &err);
	must(err);
	must(clSetMemObjectDestructorCallback(mem, free_host, host));
	launch(cl.queue, kernel, mem, gate);
	must(clReleaseMemObject(mem));
	open_gate(gate);
	must(clFinish(cl.queue));
	must(clReleaseKernel(kernel));
	close_device(&cl);
	sem_wait(&freed);
	return 0;
}
