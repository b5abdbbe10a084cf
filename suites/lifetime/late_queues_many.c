/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool of more queues than are followed at a time, each of which has been
 * waited for; then two of further ones write one buffer and nothing says which
 * comes first.
 */
#include "lifetime.h"

enum { QUEUES = 100 };

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue pool[QUEUES], second = new_queue(&cl);
	cl_mem mem = new_ints(&cl);
	const cl_int one = 1, two = 2;
	cl_int got = 0;
	cl_event first_done;

	for (int i = 0; i < QUEUES; i++) {
		pool[i] = new_queue(&cl);
		must(clEnqueueFillBuffer(pool[i], mem, &one, sizeof(one), 0,
					 BYTES, 0, NULL, NULL));
		must(clFinish(pool[i]));
	}
	/* SECOND: the other write */
	must(clEnqueueFillBuffer(cl.queue, mem, &one, sizeof(one), 0, BYTES, 0,
				 NULL, &first_done));
	must(clFlush(cl.queue));
#ifdef PLANTED
	/* PLANTED: late write, ordered by nothing */
	must(clEnqueueFillBuffer(second, mem, &two, sizeof(two), 0, BYTES, 0,
				 NULL, NULL));
#else
	must(clEnqueueFillBuffer(second, mem, &two, sizeof(two), 0, BYTES, 1,
				 &first_done, NULL));
#endif
	must(clFinish(second));
	must(clFinish(cl.queue));
	must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof(got), &got,
				 0, NULL, NULL));
#ifndef PLANTED
	expect(got, two);
#endif
	must(clReleaseEvent(first_done));
	must(clReleaseMemObject(mem));
	for (int i = 0; i < QUEUES; i++)
		must(clReleaseCommandQueue(pool[i]));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
