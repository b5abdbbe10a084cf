/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A queue for the upload, which is finished and forgotten. On many drivers a
 * queue is a thread and some MiB; it also keeps its context.
 */
#include "lifetime.h"

static void upload(const struct setup *cl, cl_mem mem)
{
	const cl_int values[ITEMS] = { 1, 2, 3 };
	cl_int err;
	/* PLANTED: leak queue */
	cl_command_queue queue = clCreateCommandQueue(cl->context, cl->device,
						      0, &err);

	must(err);
	must(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, BYTES, values, 0,
				  NULL, NULL));
	must(clFinish(queue));
#ifndef PLANTED
	must(clReleaseCommandQueue(queue));
#endif
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);

	upload(&cl, mem);
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
