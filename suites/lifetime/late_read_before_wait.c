/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of a non-blocking read is used before anything has waited for it.
 * Right on a fast day, wrong on a slow one, on every driver; here the read is
 * held back, so it is always wrong.
 * Options: --early-loads
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_event gate = new_gate(&cl);
	cl_mem mem = new_large(&cl, 1);
	cl_int *values = (cl_int *)calloc(1, LARGE), first;

	need(values != NULL, "memory");
	/* SECOND: reads it */
	must(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, LARGE, values, 1,
				 &gate, NULL));
#ifdef PLANTED
	/* PLANTED: late wait for a read */
	first = *(volatile cl_int *)&values[LARGE / 8];
	open_gate(gate);
	must(clFinish(cl.queue));
#else
	open_gate(gate);
	must(clFinish(cl.queue));
	first = values[LARGE / 8];
	expect(first, 1);
#endif
	printf("%d\n", first);
	must(clReleaseMemObject(mem));
	free(values);
	close_device(&cl);
	return 0;
}
