/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each event is released as soon as the next command has it in its wait list:
 * the command holds it.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_event last = new_gate(&cl), gate = last;
	cl_mem mem = new_ints(&cl);

	must(clRetainEvent(gate));
	for (cl_int i = 0; i < ROUNDS; i++) {
		cl_event next;

		must(clEnqueueFillBuffer(cl.queue, mem, &i, sizeof(i), 0,
					 BYTES, 1, &last, &next));
		must(clReleaseEvent(last));
		last = next;
	}
	open_gate(gate);
	must(clWaitForEvents(1, &last));
	must(clReleaseEvent(last));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
