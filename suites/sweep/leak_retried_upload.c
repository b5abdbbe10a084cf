/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An upload that fails is tried again from the start, with a buffer of its
 * own each time.
 * EXPECT: leak clEnqueueWriteBuffer oom
 */
#include "sweep.h"

enum { TRIES = 3 };

static cl_mem upload(const struct setup *cl, const cl_int *values)
{
	cl_int err = CL_SUCCESS;

	for (int i = 0; i < TRIES; i++) {
		cl_mem mem = make_buffer(cl, BYTES);

		err = try_write(cl, mem, values);
		if (err == CL_SUCCESS)
			return mem;
		/* PLANTED: each try leaves its buffer */
#ifndef PLANTED
		must(clReleaseMemObject(mem));
#endif
	}
	exit(failed("the upload", err));
}

int main(void)
{
	struct setup cl = open_cl();
	cl_int values[ITEMS], back[ITEMS] = { 0 };
	cl_mem mem;

	count_up(values);
	mem = upload(&cl, values);
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
