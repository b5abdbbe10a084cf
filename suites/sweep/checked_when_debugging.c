/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checks are a macro, and the macro is there for developers only.
 * EXPECT: misuse clCreateBuffer oom
 */
#include "sweep.h"

#ifdef PLANTED
/* PLANTED: nothing is left of the checks in the version that is shipped */
#define CHECK(object_, err_) ((void)(err_))
#else
#define CHECK(object_, err_) have(object_, err_)
#endif

int main(void)
{
	struct setup cl = open_cl();
	cl_int values[ITEMS], back[ITEMS] = { 0 }, err;
	cl_mem in = make_buffer(&cl, BYTES), out;

	out = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, BYTES, NULL, &err);
	CHECK(out, err);
	count_up(values);
	write_ints(&cl, in, values);
	must(clEnqueueCopyBuffer(cl.queue, in, out, 0, 0, BYTES, 0, NULL,
				 NULL));
	read_ints(&cl, out, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(in));
	must(clReleaseMemObject(out));
	close_cl(&cl);
	return 0;
}
