/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A handle that a query gives comes without a reference. This program releases
 * the queue that it asked an event for, and later its own.
 * Undefined: both drivers crash (pocl 3.1, oclgrind 21.10)
 */
#include "lifetime.h"

static void finish_queue_of(cl_event event)
{
	cl_command_queue queue = NULL;

	must(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue),
			    &queue, NULL));
	must(clFinish(queue));
#ifdef PLANTED
	/* SECOND: the release */
	must(clReleaseCommandQueue(queue));
#endif
}

int main(void)
{
	struct setup cl = open_device();
	cl_event event;

	must(clEnqueueMarkerWithWaitList(cl.queue, 0, NULL, &event));
	finish_queue_of(event);
	must(clReleaseEvent(event));
	/* PLANTED: late release of a released queue */
	clReleaseCommandQueue(cl.queue);
	clReleaseContext(cl.context);
	return 0;
}
