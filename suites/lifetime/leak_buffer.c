/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scratch buffer of each step is never released. Shows when the device is
 * full: on NVIDIA as CL_MEM_OBJECT_ALLOCATION_FAILURE at the first use, on
 * pocl and oclgrind as a process that grows.
 */
#include "lifetime.h"

static void step(const struct setup *cl, cl_mem values)
{
	cl_int err;
	/* PLANTED: leak buffer */
	cl_mem scratch = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, BYTES,
					NULL, &err);

	must(err);
	must(clEnqueueCopyBuffer(cl->queue, values, scratch, 0, 0, BYTES, 0,
				 NULL, NULL));
	must(clFinish(cl->queue));
#ifndef PLANTED
	must(clReleaseMemObject(scratch));
#endif
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem values = new_ints(&cl);

	for (int i = 0; i < ROUNDS; i++)
		step(&cl, values);
	must(clReleaseMemObject(values));
	close_device(&cl);
	return 0;
}
