/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An argument is set and its buffer released before the launch. A kernel does
 * not hold its arguments (clSetKernelArg says so): the launch uses memory that
 * is free on pocl, and works on the drivers that hold them all the same.
 * Undefined: pocl crashes, oclgrind runs it
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);
	const size_t items = ITEMS;

	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
#ifdef PLANTED
	/* SECOND: the release */
	must(clReleaseMemObject(mem));
#endif
	/* PLANTED: late use of a released buffer */
	clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0,
			       NULL, NULL);
	must(clFinish(cl.queue));
#ifndef PLANTED
	must(clReleaseMemObject(mem));
#endif
	must(clReleaseKernel(kernel));
	close_device(&cl);
	return 0;
}
