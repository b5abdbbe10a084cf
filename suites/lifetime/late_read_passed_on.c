/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one queue reads, another uploads, and the upload does not wait for the
 * read: host memory between two devices is a race like any other. Wrong only
 * when the first device is slow.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue second = new_queue(&cl);
	cl_mem from = new_ints(&cl), to = new_ints(&cl);
	cl_int values[ITEMS] = { 0 };
	cl_event gate = new_gate(&cl), done;

	/* SECOND: the read */
	must(clEnqueueReadBuffer(cl.queue, from, CL_FALSE, 0, BYTES, values, 1,
				 &gate, &done));
#ifndef PLANTED
	open_gate(gate);
	must(clWaitForEvents(1, &done));
#endif
	/* PLANTED: late wait for a read */
	must(clEnqueueWriteBuffer(second, to, CL_TRUE, 0, BYTES, values, 0,
				  NULL, NULL));
#ifdef PLANTED
	open_gate(gate);
	must(clWaitForEvents(1, &done));
#endif
	must(clReleaseEvent(done));
	must(clReleaseMemObject(from));
	must(clReleaseMemObject(to));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
