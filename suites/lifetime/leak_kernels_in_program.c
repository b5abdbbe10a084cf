/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clCreateKernelsInProgram makes all kernels of a program; this one releases
 * the one that it wanted. The others stay and keep the program, on every
 * driver.
 */
#include "lifetime.h"

enum { KERNELS = 2 };

int main(void)
{
	struct setup cl = open_device();
	cl_program program = new_program(&cl);
	cl_kernel kernels[KERNELS];

	/* PLANTED: leak kernel */
	must(clCreateKernelsInProgram(program, KERNELS, kernels, NULL));
	must(clReleaseProgram(program));
	must(clReleaseKernel(kernels[0]));
#ifndef PLANTED
	must(clReleaseKernel(kernels[1]));
#endif
	close_device(&cl);
	return 0;
}
