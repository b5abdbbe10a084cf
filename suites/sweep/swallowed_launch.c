/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The launch is wrapped by a function that counts launches; that it can fail
 * was forgotten on the way.
 * EXPECT: swallowed clEnqueueNDRangeKernel oom
 */
#include "sweep.h"

static int launches;

static cl_int launch_counted(const struct setup *cl, cl_kernel kernel)
{
	cl_int err = try_launch(cl, kernel);

	launches++;
#ifdef PLANTED
	/* PLANTED: as if there were no err */
	(void)err;
	return CL_SUCCESS;
#else
	return err;
#endif
}

int main(void)
{
	struct setup cl = open_cl();
	cl_kernel kernel = make_kernel(&cl, "twice");
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS];

	count_up(values);
	write_ints(&cl, mem, values);
	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	for (int i = 0; i < 3; i++)
		must(launch_counted(&cl, kernel));
	read_ints(&cl, mem, values);
	print_result(sum_of(values, ITEMS) + launches);
	must(clReleaseKernel(kernel));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
