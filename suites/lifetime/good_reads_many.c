/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many reads into one place, and one wait for all of them, as a program does
 * that measures how fast they are: the last one counts. A user event holds all
 * of them until they are enqueued.
 * Options: --early-loads
 */
#include "lifetime.h"

enum { READS = 400 };

int main(void)
{
	struct setup cl = open_device();
	cl_mem first = new_large(&cl, 1), last = new_large(&cl, 2);
	cl_event gate = new_gate(&cl);
	cl_int *values = (cl_int *)malloc(LARGE);

	need(values != NULL, "memory");
	for (int i = 0; i < READS; i++)
		must(clEnqueueReadBuffer(cl.queue, first, CL_FALSE, 0, LARGE,
					 values, i ? 0 : 1, i ? NULL : &gate,
					 NULL));
	must(clEnqueueReadBuffer(cl.queue, last, CL_FALSE, 0, LARGE, values, 0,
				 NULL, NULL));
	open_gate(gate);
	must(clFinish(cl.queue));
	for (size_t i = 0; i < LARGE / sizeof(*values); i++)
		expect(values[i], 2);
	free(values);
	must(clReleaseMemObject(first));
	must(clReleaseMemObject(last));
	close_device(&cl);
	return 0;
}
