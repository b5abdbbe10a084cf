/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A non-blocking map gives its pointer at once, and its contents when the
 * event is complete. Read before that, it shows what was there before the
 * launch, mostly: the launch waits here, so it always does.
 * Unseen: the pages of a map are the driver's, too: they cannot be closed
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);
	cl_event gate = new_gate(&cl), mapped;
	const size_t items = ITEMS;
	cl_int err, first, *p;

	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	/* SECOND: writes it */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 1,
				    &gate, NULL));
	/* PLANTED: late wait for a mapping */
	p = (cl_int *)clEnqueueMapBuffer(cl.queue, mem, CL_FALSE, CL_MAP_READ,
					 0, BYTES, 0, NULL, &mapped, &err);
	must(err);
#ifdef PLANTED
	/* HOST: read */
	first = *(volatile cl_int *)p;
	open_gate(gate);
	must(clWaitForEvents(1, &mapped));
#else
	open_gate(gate);
	must(clWaitForEvents(1, &mapped));
	first = *(volatile cl_int *)p;
	expect(first, 1);
#endif
	printf("%d\n", first);
	must(clReleaseEvent(mapped));
	must(clEnqueueUnmapMemObject(cl.queue, mem, p, 0, NULL, NULL));
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	must(clReleaseKernel(kernel));
	close_device(&cl);
	return 0;
}
