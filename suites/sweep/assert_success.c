/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An assertion is no error handling: it is for what cannot happen.
 * EXPECT: crash clEnqueueWriteBuffer oom
 */
#undef NDEBUG
#include <assert.h>

#include "sweep.h"

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = { 0 }, err;

	count_up(values);
	err = try_write(&cl, mem, values);
#ifndef PLANTED
	must(err);
#endif
	/* PLANTED: it can happen */
	assert(err == CL_SUCCESS);
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
