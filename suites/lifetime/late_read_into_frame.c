/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function starts a read into an array of its own and returns. The read
 * writes into whatever has that part of the stack then.
 * Undefined: both drivers write into main's frame, which crashes
 */
#include "lifetime.h"

static __attribute__((noinline)) void read_row(const struct setup *cl,
					       cl_mem mem, cl_event gate)
{
	cl_int row[ITEMS];

	/* PLANTED: late read into a frame that is gone */
	must(clEnqueueReadBuffer(cl->queue, mem, CL_FALSE, 0, BYTES, row, 1,
				 &gate, NULL));
#ifndef PLANTED
	open_gate(gate);
	must(clFinish(cl->queue));
	expect(row[0], 0);
#endif
	/* HOST: the frame ends */
}

int main(void)
{
	struct setup cl = open_device();
	cl_event gate = new_gate(&cl);
	cl_mem mem = new_ints(&cl);

	read_row(&cl, mem, gate);
#ifdef PLANTED
	open_gate(gate);
	must(clFinish(cl.queue));
#endif
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
