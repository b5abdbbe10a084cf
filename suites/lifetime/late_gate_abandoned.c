/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job's input cannot be had, so the job is given up: its user event is
 * released and never completed, and the command that waits for it waits for
 * ever. A clFinish would hang on every driver; this program just ends.
 */
#include <unistd.h>

#include "lifetime.h"

/* By a queue of its own: the other one waits. */
static bool load_input(const struct setup *cl, cl_mem input)
{
#ifdef PLANTED
	(void)cl;
	(void)input;
	return false;
#else
	cl_command_queue queue = new_queue(cl);
	const cl_int value = 7;

	must(clEnqueueWriteBuffer(queue, input, CL_TRUE, 0, sizeof(value),
				  &value, 0, NULL, NULL));
	must(clReleaseCommandQueue(queue));
	return true;
#endif
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem input = new_ints(&cl), mem = new_ints(&cl);
	cl_event loaded = new_gate(&cl);

	/* SECOND: waits for it */
	must(clEnqueueCopyBuffer(cl.queue, input, mem, 0, 0, BYTES, 1, &loaded,
				 NULL));
	if (!load_input(&cl, input)) {
		/* PLANTED: late completion of what is released */
		must(clReleaseEvent(loaded));
		_exit(0);
	}
	must(clSetUserEventStatus(loaded, CL_COMPLETE));
	must(clReleaseEvent(loaded));
	must(clFinish(cl.queue));
	must(clReleaseMemObject(input));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
