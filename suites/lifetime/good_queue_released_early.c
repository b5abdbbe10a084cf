/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A queue is released right behind its last command, and the program waits for
 * the command's event: the release flushes, and the event holds what it needs.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue queue = new_queue(&cl);
	cl_mem mem = new_ints(&cl);
	cl_int values[ITEMS];
	cl_event done;

	must(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, BYTES, values, 0,
				 NULL, &done));
	must(clReleaseCommandQueue(queue));
	must(clWaitForEvents(1, &done));
	must(clReleaseEvent(done));
	expect(values[0], 0);
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
