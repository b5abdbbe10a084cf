/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job's input cannot be had, so the job is given up: its user event is
 * released and never completed, and the command that waits for it waits for
 * ever. A clFinish would hang on every driver; this program just ends.
 */
#include <unistd.h>

#include "lifetime.h"

static bool load_input(cl_int *value)
{
#ifdef PLANTED
	(void)value;
	return false;
#else
	*value = 7;
	return true;
#endif
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	cl_event loaded = new_gate(&cl);
	cl_int value = 0;

	/* SECOND: waits for it */
	must(clEnqueueWriteBuffer(cl.queue, mem, CL_FALSE, 0, sizeof(value),
				  &value, 1, &loaded, NULL));
	if (!load_input(&value)) {
		/* PLANTED: late completion of what is released */
		must(clReleaseEvent(loaded));
		_exit(0);
	}
	must(clSetUserEventStatus(loaded, CL_COMPLETE));
	must(clReleaseEvent(loaded));
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
