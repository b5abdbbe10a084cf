/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No value for an argument that is an int.
 * SPECIFICATION: clSetKernelArg, Errors: CL_INVALID_ARG_VALUE
 * DEVIATES: oclgrind 21.10: SIGSEGV
 */
#include "setup.h"

int main(void)
{
	cl_kernel kernel;

	setup();
	kernel = new_kernel("kernel void f(int a, global int *o) { *o = a; }",
			    "f");
	return expect("clSetKernelArg",
		      clSetKernelArg(kernel, 0, sizeof(cl_int), NULL),
		      CL_INVALID_ARG_VALUE);
}
