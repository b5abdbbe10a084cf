/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer that is optional is passed as NULL when there is none, which is
 * legal; but this one is not optional, and the kernel writes through it.
 * EXPECT: crash clCreateBuffer oom
 */
#include "sweep.h"

int main(void)
{
	struct setup cl = open_cl();
	cl_kernel kernel = make_kernel(&cl, "add_one");
	cl_mem mem = try_buffer(&cl, BYTES);
	cl_int values[ITEMS];

#ifndef PLANTED
	have(mem, CL_SUCCESS);
#endif
	/* PLANTED: NULL is a valid argument, so that this succeeds */
	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	if (mem) {
		count_up(values);
		write_ints(&cl, mem, values);
	}
	must(try_launch(&cl, kernel));
	must(clFinish(cl.queue));
	if (mem) {
		read_ints(&cl, mem, values);
		print_result(sum_of(values, ITEMS));
		must(clReleaseMemObject(mem));
	}
	must(clReleaseKernel(kernel));
	close_cl(&cl);
	return 0;
}
