/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameters of a job are uploaded from an array of the function that
 * starts it, without waiting. What arrives on the device is what the stack
 * holds later: no error, wrong results, on every driver.
 */
#include "lifetime.h"

static __attribute__((noinline)) void upload(const struct setup *cl, cl_mem mem,
					     cl_event gate)
{
	cl_int row[ITEMS] = { 1, 2, 3 };

	/* PLANTED: late write from a frame that is gone */
	must(clEnqueueWriteBuffer(cl->queue, mem, CL_FALSE, 0, BYTES, row, 1,
				  &gate, NULL));
#ifndef PLANTED
	open_gate(gate);
	must(clFinish(cl->queue));
#endif
	/* HOST: the frame ends */
}

int main(void)
{
	struct setup cl = open_device();
	cl_event gate = new_gate(&cl);
	cl_mem mem = new_ints(&cl);

	upload(&cl, mem, gate);
#ifdef PLANTED
	open_gate(gate);
	must(clFinish(cl.queue));
#endif
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
