/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job is given up: what its read was to fill is freed, but the read is not
 * done and writes there later.
 * Undefined: the driver writes into memory that is free
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_event gate = new_gate(&cl);
	cl_int *values = malloc(LARGE), *other;
	cl_mem mem = new_ints(&cl);

	if (!values)
		return FAILED;
	/* PLANTED: late read into memory that is freed */
	must(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, BYTES, values, 1,
				 &gate, NULL));
#ifdef PLANTED
	/* HOST: freed */
	free(values);
	other = malloc(LARGE);
	open_gate(gate);
	must(clFinish(cl.queue));
	free(other);
#else
	other = NULL;
	open_gate(gate);
	must(clFinish(cl.queue));
	free(values);
	free(other);
#endif
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
