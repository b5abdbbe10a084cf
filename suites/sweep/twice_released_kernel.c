/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel is released where its argument is refused, and at the end of the
 * function as every kernel is.
 * EXPECT: crash|misuse clSetKernelArg oom-host
 */
#include "sweep.h"

static cl_int add_one_to(const struct setup *cl, cl_mem mem)
{
	cl_kernel kernel = make_kernel(cl, "add_one");
	cl_int err = clSetKernelArg(kernel, 0, sizeof(mem), &mem);

#ifdef PLANTED
	/* PLANTED: it is released below in any case */
	if (err != CL_SUCCESS)
		must(clReleaseKernel(kernel));
#endif
	if (err == CL_SUCCESS)
		err = try_launch(cl, kernel);
	must(clReleaseKernel(kernel));
	return err;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], err;

	count_up(values);
	write_ints(&cl, mem, values);
	err = add_one_to(&cl, mem);
	if (err != CL_SUCCESS)
		return failed("add_one", err);
	read_ints(&cl, mem, values);
	print_result(sum_of(values, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
