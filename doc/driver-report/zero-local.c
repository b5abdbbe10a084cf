/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 0 bytes of local memory for an argument.
 * SPECIFICATION: clSetKernelArg, Errors: CL_INVALID_ARG_SIZE
 * DEVIATES: oclgrind 21.10: takes it
 * DEVIATES: nvidia 580.159.04: takes it
 */
#include "setup.h"

int main(void)
{
	cl_kernel kernel;

	setup();
	kernel = new_kernel("kernel void f(local int *l, global int *o)\n"
			    "{ l[0] = 1; *o = l[0]; }", "f");
	return expect("clSetKernelArg", clSetKernelArg(kernel, 0, 0, NULL),
		      CL_INVALID_ARG_SIZE);
}
