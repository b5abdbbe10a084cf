/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program is released once its first kernel is made, and released again by
 * that kernel's end; the second kernel is made from what is left.
 * Undefined: both drivers crash (pocl 3.1, oclgrind 21.10)
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_program program = new_program(&cl);
	cl_kernel first = new_kernel(program, "add_one"), second;

#ifdef PLANTED
	/* SECOND: the release */
	must(clReleaseProgram(program));
	must(clReleaseKernel(first));
#endif
	/* PLANTED: late use of a released program */
	second = clCreateKernel(program, "twice", NULL);
	if (second)
		clReleaseKernel(second);
#ifndef PLANTED
	must(clReleaseKernel(first));
	must(clReleaseProgram(program));
#endif
	close_device(&cl);
	return 0;
}
