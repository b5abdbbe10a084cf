/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of a non-blocking read is used before anything has waited for it.
 * Right on a fast day, wrong on a slow one, on every driver; here the read is
 * held back, so it is always wrong.
 * Unseen: a plain load of the program is no call
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_event gate = new_gate(&cl);
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);
	cl_int values[ITEMS] = { 0 }, first;

	launch(cl.queue, kernel, mem, gate);
	/* PLANTED: late wait for a read */
	must(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, BYTES, values, 0,
				 NULL, NULL));
#ifdef PLANTED
	/* HOST: used */
	first = values[0];
	open_gate(gate);
	must(clFinish(cl.queue));
#else
	open_gate(gate);
	must(clFinish(cl.queue));
	first = values[0];
	expect(first, 1);
#endif
	printf("%d\n", first);
	must(clReleaseMemObject(mem));
	must(clReleaseKernel(kernel));
	close_device(&cl);
	return 0;
}
