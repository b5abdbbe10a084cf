/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program is released, one of its two kernels is not: the program and all
 * its code stay for that kernel's sake, on every driver.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_program program = new_program(&cl);
	cl_kernel forwards, backwards;
	cl_int err;

	forwards = clCreateKernel(program, "add_one", &err);
	must(err);
	/* PLANTED: leak kernel */
	backwards = clCreateKernel(program, "twice", &err);
	must(err);
	must(clReleaseProgram(program));
	must(clReleaseKernel(forwards));
#ifdef PLANTED
	(void)backwards;
#else
	must(clReleaseKernel(backwards));
#endif
	close_device(&cl);
	return 0;
}
