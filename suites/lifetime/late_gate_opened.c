/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command of one queue stands behind a user event, one of another queue
 * writes the same buffer. The program waits for the other one before it lets
 * the first go, and so they are in order; or it does not.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue second = new_queue(&cl);
	cl_event gate = new_gate(&cl);
	cl_mem mem = new_ints(&cl);
	const cl_int one = 1, two = 2;
	cl_int got = 0;

	/* SECOND: the write behind the gate */
	must(clEnqueueFillBuffer(cl.queue, mem, &one, sizeof(one), 0, BYTES, 1,
				 &gate, NULL));
	/* PLANTED: late write, under way when the gate opens */
	must(clEnqueueFillBuffer(second, mem, &two, sizeof(two), 0, BYTES, 0,
				 NULL, NULL));
#ifdef PLANTED
	must(clFlush(second));
#else
	must(clFinish(second));
#endif
	open_gate(gate);
	must(clFinish(second));
	must(clFinish(cl.queue));
	must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof(got), &got,
				 0, NULL, NULL));
#ifndef PLANTED
	expect(got, one);
#endif
	must(clReleaseMemObject(mem));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
