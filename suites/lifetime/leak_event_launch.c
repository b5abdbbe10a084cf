/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The event of every launch is waited for and forgotten. On every driver the
 * host's memory grows; on NVIDIA each event also keeps the buffers of its
 * launch, so that the device is full in the morning.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	const size_t items = ITEMS;

	for (int i = 0; i < ROUNDS; i++) {
		cl_mem mem = new_ints(&cl);
		cl_event event;

		must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
		/* PLANTED: leak event */
		must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items,
					    NULL, 0, NULL, &event));
		must(clWaitForEvents(1, &event));
#ifndef PLANTED
		must(clReleaseEvent(event));
#endif
		must(clReleaseMemObject(mem));
	}
	must(clReleaseKernel(kernel));
	close_device(&cl);
	return 0;
}
