/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two uploads into one buffer, out of order. The second waits for a command,
 * but not for the first; and the program has waited for a third, which tells
 * nothing of the other two either.
 *
 * Needs: queues that are out of order
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue queue = new_out_of_order(&cl);
	cl_mem mem = new_ints(&cl), other = new_ints(&cl);
	const cl_int one = 1, two = 2;
	cl_event first, aside;
	cl_int got = 0;

	/* SECOND: the first fill */
	must(clEnqueueFillBuffer(queue, mem, &one, sizeof(one), 0, BYTES, 0,
				 NULL, &first));
	must(clEnqueueFillBuffer(queue, other, &one, sizeof(one), 0, BYTES, 0,
				 NULL, &aside));
	must(clEnqueueReadBuffer(queue, other, CL_TRUE, 0, sizeof(got), &got, 1,
				 &aside, NULL));
	expect(got, one);
#ifdef PLANTED
	/* PLANTED: late fill, another without an order */
	must(clEnqueueFillBuffer(queue, mem, &two, sizeof(two), 0, BYTES, 1,
				 &aside, NULL));
#else
	must(clEnqueueFillBuffer(queue, mem, &two, sizeof(two), 0, BYTES, 1,
				 &first, NULL));
#endif
	must(clFinish(queue));
	must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(got), &got, 0,
				 NULL, NULL));
#ifndef PLANTED
	expect(got, two);
#endif
	must(clReleaseEvent(first));
	must(clReleaseEvent(aside));
	must(clReleaseMemObject(mem));
	must(clReleaseMemObject(other));
	must(clReleaseCommandQueue(queue));
	close_device(&cl);
	return 0;
}
