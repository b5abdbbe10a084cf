/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pipeline keeps the event of its last read in one variable: each read
 * overwrites the handle of the one before, and only the last is released. On
 * every driver the host's memory grows by an event a frame.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	cl_int values[ITEMS];
	cl_event event = NULL;

	for (int frame = 0; frame < ROUNDS; frame++) {
#ifndef PLANTED
		if (event)
			must(clReleaseEvent(event));
#endif
		/* PLANTED: leak event */
		must(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, BYTES,
					 values, 0, NULL, &event));
	}
	must(clWaitForEvents(1, &event));
	must(clReleaseEvent(event));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
