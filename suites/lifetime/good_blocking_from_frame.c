/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transfers to and from arrays of a function that returns: blocking ones, ones
 * that are waited for, and patterns and buffers' first contents, which are
 * copied at once.
 */
#include "lifetime.h"

static __attribute__((noinline)) cl_int round_trip(const struct setup *cl,
						   cl_mem mem, cl_int value)
{
	cl_int row[ITEMS] = { value }, back[ITEMS] = { 0 };

	must(clEnqueueFillBuffer(cl->queue, mem, &value, sizeof(value), 0,
				 BYTES, 0, NULL, NULL));
	must(clEnqueueWriteBuffer(cl->queue, mem, CL_FALSE, 0, BYTES, row, 0,
				  NULL, NULL));
	must(clEnqueueReadBuffer(cl->queue, mem, CL_FALSE, 0, BYTES, back, 0,
				 NULL, NULL));
	must(clFinish(cl->queue));
	return back[0];
}

static __attribute__((noinline)) cl_mem filled(const struct setup *cl,
					       cl_int value)
{
	cl_mem mem = new_ints(cl);

	must(clEnqueueFillBuffer(cl->queue, mem, &value, sizeof(value), 0,
				 BYTES, 0, NULL, NULL));
	return mem;
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = filled(&cl, 5);

	for (cl_int i = 1; i <= ROUNDS; i++)
		expect(round_trip(&cl, mem, i), i);
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
