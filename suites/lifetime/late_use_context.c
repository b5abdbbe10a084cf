/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer is made in a context that has just been released, with its queue.
 * Undefined: both drivers crash (pocl 3.1, oclgrind 21.10)
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem;

#ifdef PLANTED
	must(clReleaseCommandQueue(cl.queue));
	/* SECOND: the release */
	must(clReleaseContext(cl.context));
#endif
	/* PLANTED: late use of a released context */
	mem = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, BYTES, NULL, NULL);
	if (mem)
		clReleaseMemObject(mem);
#ifndef PLANTED
	close_device(&cl);
#endif
	return 0;
}
