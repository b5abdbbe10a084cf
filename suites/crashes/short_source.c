/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same for what is read: the second buffer is smaller than the first.
 *
 * Kind: gpu-crash
 * Code: clw-gpu-crash
 * Cause: (buffer|bytes).*(ND-range|work-items)
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = crash_kernel(&cl, "load");
	cl_mem to = new_ints(&cl), from = new_ints(&cl);

	work(&cl, USUAL);
	set_mem(kernel, 0, to);
	set_mem(kernel, 1, from);
	launch_over(&cl, kernel, MANY);
	close_device(&cl);
	return 0;
}
