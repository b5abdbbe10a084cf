/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer cannot be had in the middle of the work; its NULL goes into a
 * launch.
 *
 * Options: --fault clCreateBuffer:oom:when=20
 * Kind: gpu-crash
 * Code: clw-gpu-crash
 * Cause: clCreateBuffer
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = crash_kernel(&cl, "store");

	work(&cl, 10);
	for (int i = 0; i < USUAL; i++) {
		cl_mem mem = clCreateBuffer(cl.context, CL_MEM_READ_WRITE,
					    BYTES, NULL, NULL);

		clSetKernelArg(kernel, 0, sizeof(mem), &mem);
		set_int(kernel, 1, 0);
		launch_over(&cl, kernel, ITEMS);
		must(clReleaseMemObject(mem));
	}
	close_device(&cl);
	return 0;
}
