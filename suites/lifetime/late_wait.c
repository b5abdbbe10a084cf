/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All events are released "because the driver keeps them until they are
 * complete", and then waited for.
 * Undefined: both drivers crash (pocl 3.1, oclgrind 21.10)
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_event events[2];

	for (int i = 0; i < 2; i++)
		must(clEnqueueMarkerWithWaitList(cl.queue, 0, NULL,
						 &events[i]));
	must(clFinish(cl.queue));
#ifdef PLANTED
	for (int i = 0; i < 2; i++)
		/* SECOND: the release */
		must(clReleaseEvent(events[i]));
#endif
	/* PLANTED: late use of a released event */
	clWaitForEvents(2, events);
#ifndef PLANTED
	for (int i = 0; i < 2; i++)
		must(clReleaseEvent(events[i]));
#endif
	close_device(&cl);
	return 0;
}
