/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host has no memory for a kernel object; its NULL is given an argument, and
 * that is refused.
 *
 * Options: --always --fault clCreateKernel:oom-host:when=2
 * Kind: out-of-memory|error
 * Code: clw-out-of-memory|clw-invalid-handle
 * Cause: clCreateKernel
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_program program = crash_program(&cl);
	cl_mem mem = new_ints(&cl);
	cl_kernel kernel;

	work(&cl, USUAL);
	kernel = clCreateKernel(program, "store", NULL);
	set_mem(kernel, 0, mem);
	close_device(&cl);
	return 0;
}
