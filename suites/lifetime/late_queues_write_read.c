/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One queue computes, another reads the result back, without an event between
 * them: the overlap of copy and computation that every tutorial shows, with
 * the one argument missing. Old values now and then, on every driver.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue copies = new_queue(&cl);
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);
	const size_t items = ITEMS;
	cl_event computed;
	cl_int got = 0;

	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	/* SECOND: the write */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL,
				    0, NULL, &computed));
	must(clFlush(cl.queue));
#ifdef PLANTED
	/* PLANTED: late write, read without an order */
	must(clEnqueueReadBuffer(copies, mem, CL_TRUE, 0, sizeof(got), &got, 0,
				 NULL, NULL));
#else
	must(clEnqueueReadBuffer(copies, mem, CL_TRUE, 0, sizeof(got), &got, 1,
				 &computed, NULL));
	expect(got, 1);
#endif
	must(clFinish(cl.queue));
	must(clReleaseEvent(computed));
	must(clReleaseMemObject(mem));
	must(clReleaseKernel(kernel));
	must(clReleaseCommandQueue(copies));
	close_device(&cl);
	return 0;
}
