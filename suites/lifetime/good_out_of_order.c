/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A queue that is out of order, with events and a barrier where it needs them,
 * and a second queue behind its last event.
 *
 * Needs: queues that are out of order
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem a = new_ints(&cl), b = new_ints(&cl);
	const cl_int one = 1, two = 2;
	cl_event written[2], copied;
	cl_command_queue queue = new_out_of_order(&cl);
	cl_int got = 0;

	must(clEnqueueFillBuffer(queue, a, &one, sizeof(one), 0, BYTES, 0, NULL,
				 &written[0]));
	must(clEnqueueFillBuffer(queue, b, &two, sizeof(two), 0, BYTES, 0, NULL,
				 &written[1]));
	must(clEnqueueCopyBuffer(queue, a, b, 0, 0, BYTES / 2, 2, written,
				 NULL));
	must(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
	must(clEnqueueCopyBuffer(queue, b, a, 0, BYTES / 2, BYTES / 2, 0, NULL,
				 &copied));
	must(clFlush(queue));
	must(clEnqueueReadBuffer(cl.queue, a, CL_TRUE, BYTES / 2, sizeof(got),
				 &got, 1, &copied, NULL));
	expect(got, one);
	must(clFinish(queue));
	must(clReleaseEvent(written[0]));
	must(clReleaseEvent(written[1]));
	must(clReleaseEvent(copied));
	must(clReleaseMemObject(a));
	must(clReleaseMemObject(b));
	must(clReleaseCommandQueue(queue));
	close_device(&cl);
	return 0;
}
