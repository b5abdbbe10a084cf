/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After a launch that failed a new buffer is tried; the kernel still has the
 * old one for its argument.
 * EXPECT: swallowed clEnqueueNDRangeKernel oom
 */
#include "sweep.h"

int main(void)
{
	struct setup cl = open_cl();
	cl_kernel kernel = make_kernel(&cl, "twice");
	cl_mem mem = make_buffer(&cl, BYTES), other = NULL;
	cl_int values[ITEMS];

	count_up(values);
	write_ints(&cl, mem, values);
	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	if (try_launch(&cl, kernel) != CL_SUCCESS) {
		other = mem;
		mem = make_buffer(&cl, BYTES);
		write_ints(&cl, mem, values);
		/* PLANTED: the kernel works on the other one */
#ifndef PLANTED
		must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
#endif
		must(try_launch(&cl, kernel));
	}
	read_ints(&cl, mem, values);
	print_result(sum_of(values, ITEMS));
	must(clReleaseKernel(kernel));
	must(clReleaseMemObject(mem));
	if (other)
		must(clReleaseMemObject(other));
	close_cl(&cl);
	return 0;
}
