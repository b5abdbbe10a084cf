/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list grows while a read fills it: realloc() moves it, and the read goes on
 * to where it was.
 * Undefined: the driver writes into memory that is free
 */
#include "lifetime.h"

enum { LARGER = 1 << 20 };

int main(void)
{
	struct setup cl = open_device();
	cl_event gate = new_gate(&cl);
	cl_int *values = malloc(BYTES), *more, *behind = malloc(BYTES);
	cl_mem mem = new_ints(&cl);

	if (!values || !behind)
		return FAILED;
	/* PLANTED: late read into memory that is moved */
	must(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, BYTES, values, 1,
				 &gate, NULL));
#ifndef PLANTED
	open_gate(gate);
	must(clFinish(cl.queue));
#endif
	/* HOST: freed by realloc() */
	more = realloc(values, LARGER);
#ifdef PLANTED
	open_gate(gate);
	must(clFinish(cl.queue));
#endif
	if (!more)
		return FAILED;
	free(more);
	free(behind);
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
