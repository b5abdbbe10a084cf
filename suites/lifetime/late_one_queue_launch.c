/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An upload and the kernel that uses it, in one queue that is out of order. The
 * marker between them is complete when the upload is, but holds up nothing that
 * comes behind it; a barrier does.
 *
 * Needs: queues that are out of order
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue queue = new_out_of_order(&cl);
	static cl_int values[ITEMS];
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);
	const size_t items = ITEMS;
	cl_int got = 0;

	values[0] = 5;
	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	/* SECOND: the upload */
	must(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, BYTES, values, 0,
				  NULL, NULL));
#ifdef PLANTED
	must(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
#else
	must(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
#endif
	/* PLANTED: late upload, launch without an order */
	must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				    NULL, NULL));
	must(clFinish(queue));
	must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(got), &got, 0,
				 NULL, NULL));
#ifndef PLANTED
	expect(got, 6);
#endif
	must(clReleaseMemObject(mem));
	must(clReleaseKernel(kernel));
	must(clReleaseCommandQueue(queue));
	close_device(&cl);
	return 0;
}
