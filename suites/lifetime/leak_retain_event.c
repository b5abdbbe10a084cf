/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of what is in flight retains the events that it is given. The caller
 * releases its own reference, the list clears itself without releasing: all
 * events stay, on every driver.
 */
#include "lifetime.h"

static cl_event in_flight[ROUNDS];
static cl_uint in_flight_count;

static void add(cl_event event)
{
	/* PLANTED: leak event retained */
	must(clRetainEvent(event));
	in_flight[in_flight_count++] = event;
}

static void drain(void)
{
	must(clWaitForEvents(in_flight_count, in_flight));
#ifndef PLANTED
	for (cl_uint i = 0; i < in_flight_count; i++)
		must(clReleaseEvent(in_flight[i]));
#endif
	in_flight_count = 0;
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	cl_int values[ITEMS] = { 0 };

	for (int i = 0; i < ROUNDS; i++) {
		cl_event event;

		/* SECOND: made */
		must(clEnqueueWriteBuffer(cl.queue, mem, CL_FALSE, 0, BYTES,
					  values, 0, NULL, &event));
		add(event);
		must(clReleaseEvent(event));
	}
	drain();
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
