/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A marker is to tell the second queue that the first one has written, but it
 * stands before the write.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue second = new_queue(&cl);
	cl_mem mem = new_ints(&cl);
	const cl_int one = 1;
	cl_event marker;
	cl_int got = 0;

#ifdef PLANTED
	must(clEnqueueMarkerWithWaitList(cl.queue, 0, NULL, &marker));
#endif
	/* SECOND: the write */
	must(clEnqueueFillBuffer(cl.queue, mem, &one, sizeof(one), 0, BYTES, 0,
				 NULL, NULL));
#ifndef PLANTED
	must(clEnqueueMarkerWithWaitList(cl.queue, 0, NULL, &marker));
#endif
	must(clFlush(cl.queue));
	must(clEnqueueBarrierWithWaitList(second, 1, &marker, NULL));
	/* PLANTED: late write, read behind a marker before it */
	must(clEnqueueReadBuffer(second, mem, CL_TRUE, 0, sizeof(got), &got, 0,
				 NULL, NULL));
#ifndef PLANTED
	expect(got, one);
#endif
	must(clFinish(cl.queue));
	must(clReleaseEvent(marker));
	must(clReleaseMemObject(mem));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
