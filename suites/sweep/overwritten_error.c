/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One variable for all codes, looked at once, at the end: a later success
 * hides an earlier failure.
 * EXPECT: swallowed clEnqueueWriteBuffer oom
 */
#include "sweep.h"

static cl_int round_trip(const struct setup *cl, cl_mem mem,
			 const cl_int *values, cl_int *back)
{
	const cl_int zero = 0;
	cl_int err = clEnqueueFillBuffer(cl->queue, mem, &zero, sizeof(zero),
					 0, BYTES, 0, NULL, NULL);

	if (err != CL_SUCCESS)
		return err;
	err = try_write(cl, mem, values);
	/* PLANTED: the next call's code takes its place */
#ifndef PLANTED
	if (err != CL_SUCCESS)
		return err;
#endif
	err = try_read(cl, mem, back);
	return err;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	count_up(values);
	must(round_trip(&cl, mem, values, back));
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
