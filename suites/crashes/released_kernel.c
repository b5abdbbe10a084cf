/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel is given back on an early way out, and launched all the same.
 *
 * Kind: driver-crash|gpu-crash|signal
 * Code: clw-invalid-handle|clw-driver-crash
 * Cause: used after its release.*clReleaseKernel
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = crash_kernel(&cl, "store");

	work(&cl, USUAL);
	set_mem(kernel, 0, new_ints(&cl));
	set_int(kernel, 1, 0);
	launch_over(&cl, kernel, ITEMS);
	must(clReleaseKernel(kernel));
	launch_over(&cl, kernel, ITEMS);
	close_device(&cl);
	return 0;
}
