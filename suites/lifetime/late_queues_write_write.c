/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two queues write one buffer and nothing says which comes first. Each order
 * happens on pocl; on a GPU with one engine it is nearly always the same.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue second = new_queue(&cl);
	cl_mem mem = new_ints(&cl);
	const cl_int one = 1, two = 2;
	cl_int got = 0;
	cl_event first_done;

	/* SECOND: the other write */
	must(clEnqueueFillBuffer(cl.queue, mem, &one, sizeof(one), 0, BYTES, 0,
				 NULL, &first_done));
	must(clFlush(cl.queue));
#ifdef PLANTED
	/* PLANTED: late write, ordered by nothing */
	must(clEnqueueFillBuffer(second, mem, &two, sizeof(two), 0, BYTES, 0,
				 NULL, NULL));
#else
	must(clEnqueueFillBuffer(second, mem, &two, sizeof(two), 0, BYTES, 1,
				 &first_done, NULL));
#endif
	must(clFinish(second));
	must(clFinish(cl.queue));
	must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof(got), &got,
				 0, NULL, NULL));
#ifndef PLANTED
	expect(got, two);
#endif
	must(clReleaseEvent(first_done));
	must(clReleaseMemObject(mem));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
