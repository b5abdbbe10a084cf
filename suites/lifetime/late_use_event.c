/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The status of an event is asked for after the event's release. The answer is
 * what the memory happens to hold.
 * Undefined: both drivers crash (pocl 3.1, oclgrind 21.10)
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_event event;
	cl_int status = CL_QUEUED;

	must(clEnqueueMarkerWithWaitList(cl.queue, 0, NULL, &event));
	must(clWaitForEvents(1, &event));
#ifdef PLANTED
	/* SECOND: the release */
	must(clReleaseEvent(event));
#endif
	/* PLANTED: late use of a released event */
	clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
		       sizeof(status), &status, NULL);
#ifndef PLANTED
	expect(status, CL_COMPLETE);
	must(clReleaseEvent(event));
#endif
	close_device(&cl);
	return 0;
}
