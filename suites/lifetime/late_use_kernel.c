/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel is released after its first use and launched a second time. It
 * works as long as nobody has taken the memory.
 * Undefined: pocl crashes, oclgrind runs it
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);
	const size_t items = ITEMS;

	launch(cl.queue, kernel, mem, NULL);
	must(clFinish(cl.queue));
#ifdef PLANTED
	/* SECOND: the release */
	must(clReleaseKernel(kernel));
#endif
	/* PLANTED: late use of a released kernel */
	clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0,
			       NULL, NULL);
#ifndef PLANTED
	must(clReleaseKernel(kernel));
#endif
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
