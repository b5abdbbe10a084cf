/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A gate holds a read until the host is ready. When the read is not taken,
 * a plain one does the same, and the gate is left standing.
 * EXPECT: leak clEnqueueReadBuffer oom
 */
#include "sweep.h"

static void read_gated(const struct setup *cl, cl_mem mem, cl_int *values)
{
	cl_event done;
	cl_int err;
	cl_event gate = clCreateUserEvent(cl->context, &err);

	have(gate, err);
	if (clEnqueueReadBuffer(cl->queue, mem, CL_FALSE, 0, BYTES, values, 1,
				&gate, &done) != CL_SUCCESS) {
		read_ints(cl, mem, values);
		/* PLANTED: the gate that nobody waits for is forgotten */
#ifndef PLANTED
		must(clReleaseEvent(gate));
#endif
		return;
	}
	/* What waits for it keeps the program from its end. */
	err = clSetUserEventStatus(gate, CL_COMPLETE);
	if (err != CL_SUCCESS)
		_Exit(failed("the gate", err));
	must(clWaitForEvents(1, &done));
	must(clReleaseEvent(done));
	must(clReleaseEvent(gate));
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	count_up(values);
	write_ints(&cl, mem, values);
	read_gated(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
