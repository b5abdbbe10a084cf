/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host can do the work as well, slowly, and does when the kernel cannot
 * have its argument.
 * EXPECT: leak clSetKernelArg oom-host
 */
#include "sweep.h"

static bool add_on_device(const struct setup *cl, cl_int *values)
{
	cl_kernel kernel = make_kernel(cl, "add_one");
	cl_mem mem = make_buffer(cl, BYTES);
	bool done = false;

	write_ints(cl, mem, values);
	if (clSetKernelArg(kernel, 0, sizeof(mem), &mem) != CL_SUCCESS) {
		must(clReleaseMemObject(mem));
#ifndef PLANTED
		must(clReleaseKernel(kernel));
#endif
		/* PLANTED: the kernel is forgotten */
		return false;
	}
	if (try_launch(cl, kernel) == CL_SUCCESS) {
		read_ints(cl, mem, values);
		done = true;
	}
	must(clReleaseKernel(kernel));
	must(clReleaseMemObject(mem));
	return done;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_int values[ITEMS];

	count_up(values);
	if (!add_on_device(&cl, values))
		for (int i = 0; i < ITEMS; i++)
			values[i]++;
	print_result(sum_of(values, ITEMS));
	close_cl(&cl);
	return 0;
}
