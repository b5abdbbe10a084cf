/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three queues pass one buffer on; only neighbours have an event between them.
 * The third comes after the first because it comes after the second.
 */
#include "lifetime.h"

enum { QUEUES = 3 };

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue queues[QUEUES];
	cl_event done[QUEUES];
	cl_mem mem = new_ints(&cl);
	cl_int got = -1;

	for (cl_int i = 0; i < QUEUES; i++) {
		queues[i] = new_queue(&cl);
		must(clEnqueueFillBuffer(queues[i], mem, &i, sizeof(i), 0,
					 BYTES, i ? 1 : 0,
					 i ? &done[i - 1] : NULL, &done[i]));
		must(clFlush(queues[i]));
	}
	must(clWaitForEvents(1, &done[QUEUES - 1]));
	must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof(got), &got,
				 0, NULL, NULL));
	expect(got, QUEUES - 1);
	for (int i = 0; i < QUEUES; i++) {
		must(clReleaseEvent(done[i]));
		must(clReleaseCommandQueue(queues[i]));
	}
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
