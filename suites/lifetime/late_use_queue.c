/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queue is released before the last result is read from it. Whatever else
 * has the memory now is taken for a queue.
 * Undefined: both drivers crash (pocl 3.1, oclgrind 21.10)
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	cl_command_queue queue = new_queue(&cl);
	cl_int value = 0;

#ifdef PLANTED
	/* SECOND: the release */
	must(clReleaseCommandQueue(queue));
#endif
	/* PLANTED: late use of a released queue */
	clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(value), &value, 0,
			    NULL, NULL);
#ifndef PLANTED
	must(clReleaseCommandQueue(queue));
#endif
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
