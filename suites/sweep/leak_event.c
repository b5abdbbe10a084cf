/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the event cannot be waited for, the whole queue can, and the function
 * returns early.
 * EXPECT: leak clWaitForEvents oom
 */
#include "sweep.h"

static void fill(const struct setup *cl, cl_mem mem, cl_int value)
{
	cl_event done;

	must(clEnqueueFillBuffer(cl->queue, mem, &value, sizeof(value), 0,
				 BYTES, 0, NULL, &done));
	if (clWaitForEvents(1, &done) != CL_SUCCESS) {
		must(clFinish(cl->queue));
		/* PLANTED: without giving back the event */
#ifdef PLANTED
		return;
#endif
	}
	must(clReleaseEvent(done));
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int back[ITEMS] = { 0 };

	for (cl_int i = 1; i <= 3; i++)
		fill(&cl, mem, i);
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
