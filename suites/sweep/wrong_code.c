/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two codes are known to mean "no memory"; every other one is none of this
 * function's business.
 * EXPECT: swallowed clEnqueueWriteBuffer oom-host
 */
#include "sweep.h"

static bool is_error(cl_int err)
{
#ifdef PLANTED
	/* PLANTED: there are more */
	return err == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
	       err == CL_OUT_OF_RESOURCES;
#else
	return err != CL_SUCCESS;
#endif
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = { 0 }, err;

	write_ints(&cl, mem, back);
	count_up(values);
	err = try_write(&cl, mem, values);
	if (is_error(err))
		return failed("the write", err);
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
