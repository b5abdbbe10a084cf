/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One launch, one event, and all is released but that event, the context
 * included: the shape of oclkit's check-leak. The event keeps the queue and
 * with it the context, on NVIDIA the buffer's memory, too.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);
	const size_t items = ITEMS;
	cl_event event;

	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	/* PLANTED: leak event */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL,
				    0, NULL, &event));
	must(clWaitForEvents(1, &event));
#ifndef PLANTED
	must(clReleaseEvent(event));
#endif
	must(clReleaseMemObject(mem));
	must(clReleaseKernel(kernel));
	close_device(&cl);
	return 0;
}
