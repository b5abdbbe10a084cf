/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer that is too large is not made, and nobody looks.
 *
 * Kind: gpu-crash
 * Code: clw-gpu-crash
 * Cause: clCreateBuffer.*NULL|NULL.*clCreateBuffer
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = crash_kernel(&cl, "store");
	cl_mem mem;

	work(&cl, USUAL);
	mem = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, SIZE_MAX / 2, NULL,
			     NULL);
	clSetKernelArg(kernel, 0, sizeof(mem), &mem);
	set_int(kernel, 1, 0);
	launch_over(&cl, kernel, ITEMS);
	close_device(&cl);
	return 0;
}
