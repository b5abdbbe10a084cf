/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A released buffer is set as an argument. Most drivers look at the handle
 * then, some only at the launch.
 * Undefined: pocl and oclgrind look into memory that is free
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);

#ifdef PLANTED
	/* SECOND: the release */
	must(clReleaseMemObject(mem));
#endif
	/* PLANTED: late use of a released buffer */
	clSetKernelArg(kernel, 0, sizeof(mem), &mem);
#ifndef PLANTED
	must(clReleaseMemObject(mem));
#endif
	must(clReleaseKernel(kernel));
	close_device(&cl);
	return 0;
}
