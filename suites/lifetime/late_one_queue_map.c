/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A copy waits for the fill before it, and the map for nobody: the queue is out
 * of order. The fixed version waits for a marker, which waits for all.
 *
 * Needs: queues that are out of order
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue queue = new_out_of_order(&cl);
	cl_mem from = new_ints(&cl), to = new_ints(&cl);
	const cl_int three = 3;
	cl_event filled, all;
	cl_int err, *mapped;

	must(clEnqueueFillBuffer(queue, from, &three, sizeof(three), 0, BYTES,
				 0, NULL, &filled));
	/* SECOND: the copy */
	must(clEnqueueCopyBuffer(queue, from, to, 0, 0, BYTES, 1, &filled,
				 NULL));
	must(clEnqueueMarkerWithWaitList(queue, 0, NULL, &all));
#ifdef PLANTED
	/* PLANTED: late copy, map without an order */
	mapped = (cl_int *)clEnqueueMapBuffer(queue, to, CL_TRUE, CL_MAP_READ,
					      0, BYTES, 0, NULL, NULL, &err);
	must(err);
#else
	mapped = (cl_int *)clEnqueueMapBuffer(queue, to, CL_TRUE, CL_MAP_READ,
					      0, BYTES, 1, &all, NULL, &err);
	must(err);
	expect(mapped[ITEMS - 1], three);
#endif
	must(clEnqueueUnmapMemObject(queue, to, mapped, 0, NULL, NULL));
	must(clFinish(queue));
	must(clReleaseEvent(filled));
	must(clReleaseEvent(all));
	must(clReleaseMemObject(from));
	must(clReleaseMemObject(to));
	must(clReleaseCommandQueue(queue));
	close_device(&cl);
	return 0;
}
