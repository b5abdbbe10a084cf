/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The event of a launch is returned to two owners, each with a reference of
 * its own, and released twice. Neither of them is one too many.
 */
#include "lifetime.h"

struct owner {
	cl_event event;
};

static void take(struct owner *owner, cl_event event)
{
	must(clRetainEvent(event));
	owner->event = event;
}

int main(void)
{
	struct setup cl = open_device();

	for (int i = 0; i < ROUNDS; i++) {
		struct owner a, b;
		cl_event event;

		must(clEnqueueMarkerWithWaitList(cl.queue, 0, NULL, &event));
		take(&a, event);
		take(&b, event);
		must(clReleaseEvent(event));
		must(clWaitForEvents(1, &a.event));
		must(clReleaseEvent(a.event));
		must(clWaitForEvents(1, &b.event));
		must(clReleaseEvent(b.event));
	}
	close_device(&cl);
	return 0;
}
