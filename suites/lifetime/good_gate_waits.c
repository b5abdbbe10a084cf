/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A write stands behind a user event, after one of another queue, and the
 * program lets it go when the other one is done. Nothing but the program's own
 * order of calls says so.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue second = new_queue(&cl);
	cl_mem mem = new_ints(&cl);
	cl_int got = 0;

	for (cl_int i = 0; i < ROUNDS; i++) {
		cl_event gate = new_gate(&cl), next;
		const cl_int more = i + 1;

		must(clEnqueueFillBuffer(second, mem, &i, sizeof(i), 0, BYTES,
					 0, NULL, NULL));
		must(clEnqueueFillBuffer(cl.queue, mem, &more, sizeof(more), 0,
					 BYTES, 1, &gate, &next));
		must(clFinish(second));
		open_gate(gate);
		must(clWaitForEvents(1, &next));
		must(clReleaseEvent(next));
	}
	must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof(got), &got,
				 0, NULL, NULL));
	expect(got, ROUNDS);
	must(clReleaseMemObject(mem));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
