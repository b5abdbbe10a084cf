/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small machine polls an event: waiting, done, and a state for what it does
 * not understand, from which there is no way out.
 * EXPECT: hang clGetEventInfo oom-host
 */
#include <time.h>

#include "sweep.h"

enum state { WAITING, DONE, UNKNOWN };

static enum state next_state(cl_event event)
{
	cl_int status = CL_QUEUED;

	if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
			   sizeof(status), &status, NULL) != CL_SUCCESS)
		return UNKNOWN;
	return status > CL_COMPLETE ? WAITING : DONE;
}

int main(void)
{
	struct setup cl = open_cl();
	const struct timespec pause = { .tv_nsec = 20000 };
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int back[ITEMS] = { 0 };
	enum state state = WAITING;
	const cl_int three = 3;
	cl_event done;

	must(clEnqueueFillBuffer(cl.queue, mem, &three, sizeof(three), 0,
				 BYTES, 0, NULL, &done));
	must(clFlush(cl.queue));
	while (state != DONE) {
		nanosleep(&pause, NULL);
		/* PLANTED: nothing is done about UNKNOWN */
		if (state == WAITING)
			state = next_state(done);
#ifndef PLANTED
		if (state == UNKNOWN)
			return failed("the poll", CL_OUT_OF_HOST_MEMORY);
#endif
	}
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseEvent(done));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
