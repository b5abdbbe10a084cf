/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A marker a frame tells how far the device is; the ring of the last two
 * forgets the one that falls out. On every driver the host's memory grows.
 */
#include "lifetime.h"

enum { RING = 2 };

int main(void)
{
	struct setup cl = open_device();
	cl_event ring[RING] = { NULL };

	for (int frame = 0; frame < ROUNDS; frame++) {
		cl_event *slot = &ring[frame % RING];

		if (*slot) {
			must(clWaitForEvents(1, slot));
#ifndef PLANTED
			must(clReleaseEvent(*slot));
#endif
		}
		/* PLANTED: leak event */
		must(clEnqueueMarkerWithWaitList(cl.queue, 0, NULL, slot));
	}
	for (int i = 0; i < RING; i++)
		must(clReleaseEvent(ring[i]));
	close_device(&cl);
	return 0;
}
