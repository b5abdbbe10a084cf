/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No error code is asked for, which is legal, and so the handle is all there
 * is to look at.
 * EXPECT: misuse clCreateSubBuffer oom
 */
#include "sweep.h"

static cl_mem second_half(cl_mem whole)
{
	cl_buffer_region region = { BYTES, BYTES };
	/* PLANTED: neither the code nor the handle is looked at */
	cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE,
					CL_BUFFER_CREATE_TYPE_REGION, &region,
					NULL);

#ifndef PLANTED
	have(part, CL_SUCCESS);
#endif
	return part;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem whole = make_buffer(&cl, 2 * BYTES), part = second_half(whole);
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	count_up(values);
	write_ints(&cl, part, values);
	must(clEnqueueReadBuffer(cl.queue, whole, CL_TRUE, BYTES, BYTES, back,
				 0, NULL, NULL));
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(part));
	must(clReleaseMemObject(whole));
	close_cl(&cl);
	return 0;
}
