/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Only the code is looked at: a driver that answers CL_SUCCESS and gives NULL
 * is not met often, but it is met.
 * EXPECT: misuse clCreateBuffer null
 */
#include "sweep.h"

static cl_mem new_buffer(const struct setup *cl)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, BYTES, NULL,
				    &err);

#ifdef PLANTED
	/* PLANTED: the handle itself is not looked at */
	must(err);
#else
	have(mem, err);
#endif
	return mem;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = new_buffer(&cl);
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	count_up(values);
	write_ints(&cl, mem, values);
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
