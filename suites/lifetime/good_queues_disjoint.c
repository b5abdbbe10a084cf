/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two queues write one buffer at the same time, each its own half.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue second = new_queue(&cl);
	cl_mem mem = new_ints(&cl);
	const cl_int one = 1, two = 2;
	cl_int got[ITEMS];

	must(clEnqueueFillBuffer(cl.queue, mem, &one, sizeof(one), 0,
				 BYTES / 2, 0, NULL, NULL));
	must(clEnqueueFillBuffer(second, mem, &two, sizeof(two), BYTES / 2,
				 BYTES / 2, 0, NULL, NULL));
	must(clFinish(second));
	must(clFinish(cl.queue));
	must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, BYTES, got, 0,
				 NULL, NULL));
	expect(got[0], one);
	expect(got[ITEMS - 1], two);
	must(clReleaseMemObject(mem));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
