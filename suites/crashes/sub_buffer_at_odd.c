/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sub-buffer that begins where no device lets one begin; its NULL goes into
 * a launch.
 *
 * Kind: gpu-crash
 * Code: clw-gpu-crash
 * Cause: clCreateSubBuffer
 */
#include "crashes.h"

int main(void)
{
	const cl_buffer_region region = { 2 * BYTES, 4 };
	struct setup cl = open_device();
	cl_kernel kernel = crash_kernel(&cl, "store");
	cl_mem mem = new_ints(&cl), part;

	work(&cl, USUAL);
	part = clCreateSubBuffer(mem, CL_MEM_READ_WRITE,
				 CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
	clSetKernelArg(kernel, 0, sizeof(part), &part);
	set_int(kernel, 1, 0);
	launch_over(&cl, kernel, ITEMS);
	close_device(&cl);
	return 0;
}
