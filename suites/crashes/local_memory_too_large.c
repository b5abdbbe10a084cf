/* SPDX-License-Identifier: Apache-2.0 */
/*
 * More local memory than a work-group can have.
 *
 * Options: --always
 * Kind: error|gpu-crash
 * Code: none|clw-gpu-crash
 * Cause: local|CL_OUT_OF_RESOURCES|CL_INVALID
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = crash_kernel(&cl, "sum");
	cl_mem mem = new_ints(&cl);

	work(&cl, USUAL);
	set_mem(kernel, 0, mem);
	must(clSetKernelArg(kernel, 1, (size_t)1 << 40, NULL));
	launch_over(&cl, kernel, ITEMS);
	close_device(&cl);
	return 0;
}
