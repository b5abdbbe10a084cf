/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel and the read of its result are in one queue, which is out of order:
 * without an event the read may come first. Drivers that run such queues in
 * order all the same hide it.
 *
 * Needs: queues that are out of order
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue queue = new_out_of_order(&cl);
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);
	const size_t items = ITEMS;
	cl_event computed;
	cl_int got = 0;

	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	/* SECOND: the write */
	must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				    NULL, &computed));
#ifdef PLANTED
	/* PLANTED: late write, read without an order */
	must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(got), &got, 0,
				 NULL, NULL));
#else
	must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(got), &got, 1,
				 &computed, NULL));
	expect(got, 1);
#endif
	must(clFinish(queue));
	must(clReleaseEvent(computed));
	must(clReleaseMemObject(mem));
	must(clReleaseKernel(kernel));
	must(clReleaseCommandQueue(queue));
	close_device(&cl);
	return 0;
}
