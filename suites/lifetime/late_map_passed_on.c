/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pointer of a non-blocking map is given to an upload by another queue
 * before anything has waited for the map.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue second = new_queue(&cl);
	cl_mem from = new_ints(&cl), to = new_ints(&cl);
	cl_event mapped;
	cl_int err, *p;

	/* SECOND: the map */
	p = (cl_int *)clEnqueueMapBuffer(cl.queue, from, CL_FALSE, CL_MAP_READ,
					 0, BYTES, 0, NULL, &mapped, &err);
	must(err);
	must(clFlush(cl.queue));
#ifndef PLANTED
	must(clWaitForEvents(1, &mapped));
#endif
	/* PLANTED: late wait for a map */
	must(clEnqueueWriteBuffer(second, to, CL_TRUE, 0, BYTES, p, 0, NULL,
				  NULL));
	must(clWaitForEvents(1, &mapped));
	must(clReleaseEvent(mapped));
	must(clEnqueueUnmapMemObject(cl.queue, from, p, 0, NULL, NULL));
	must(clFinish(cl.queue));
	must(clReleaseMemObject(from));
	must(clReleaseMemObject(to));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
