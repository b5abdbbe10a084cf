/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wait_for() waits and releases; one of its callers releases, too.
 * Undefined: both drivers crash (pocl 3.1, oclgrind 21.10)
 */
#include "lifetime.h"

static void wait_for(cl_event event)
{
	must(clWaitForEvents(1, &event));
	/* SECOND: the release */
	must(clReleaseEvent(event));
}

int main(void)
{
	struct setup cl = open_device();
	cl_event event;

	must(clEnqueueMarkerWithWaitList(cl.queue, 0, NULL, &event));
#ifndef PLANTED
	must(clRetainEvent(event));
#endif
	wait_for(event);
	/* PLANTED: late release of a released event */
	clReleaseEvent(event);
	close_device(&cl);
	return 0;
}
