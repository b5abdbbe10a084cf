/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "Take the queue's reference before the work, give it back after it": the
 * work has two ways out and one of them forgets. A queue that stays keeps its
 * context and, on most drivers, a thread.
 */
#include "lifetime.h"

static bool work(cl_command_queue queue, cl_mem mem, bool dry_run)
{
	cl_int value = 0;

	/* PLANTED: leak queue retained */
	must(clRetainCommandQueue(queue));
	if (dry_run) {
#ifndef PLANTED
		must(clReleaseCommandQueue(queue));
#endif
		return false;
	}
	must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(value),
				 &value, 0, NULL, NULL));
	must(clReleaseCommandQueue(queue));
	return true;
}

int main(void)
{
	struct setup cl;
	cl_mem mem;
	cl_int err;

	cl.device = find_device();
	cl.context = new_context(cl.device);
	/* SECOND: made */
	cl.queue = clCreateCommandQueue(cl.context, cl.device, 0, &err);
	must(err);
	mem = new_ints(&cl);
	expect(work(cl.queue, mem, false), true);
	expect(work(cl.queue, mem, true), false);
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
