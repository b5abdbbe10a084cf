/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A step that changes its data in place is repeated as a whole when its
 * second half fails: the first half is done twice.
 * EXPECT: swallowed clEnqueueReadBuffer oom
 */
#include "sweep.h"

int main(void)
{
	struct setup cl = open_cl();
	cl_kernel kernel = make_kernel(&cl, "add_one");
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], err = CL_SUCCESS;

	count_up(values);
	write_ints(&cl, mem, values);
	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	for (int i = 0; i < 3; i++) {
#ifndef PLANTED
		write_ints(&cl, mem, values);
#endif
		/* PLANTED: the data are not what they were before */
		must(try_launch(&cl, kernel));
		must(clFinish(cl.queue));
		err = try_read(&cl, mem, values);
		if (err == CL_SUCCESS)
			break;
	}
	if (err != CL_SUCCESS)
		return failed("every try", err);
	print_result(sum_of(values, ITEMS));
	must(clReleaseKernel(kernel));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
