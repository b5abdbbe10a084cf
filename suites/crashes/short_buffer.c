/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ND-range grew with the input; the buffer did not.
 *
 * Kind: gpu-crash
 * Code: clw-gpu-crash
 * Cause: (buffer|bytes).*(ND-range|work-items)
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = crash_kernel(&cl, "store");
	cl_mem mem = new_ints(&cl);

	work(&cl, USUAL);
	set_mem(kernel, 0, mem);
	set_int(kernel, 1, 0);
	launch_over(&cl, kernel, ITEMS);
	launch_over(&cl, kernel, MANY);
	close_device(&cl);
	return 0;
}
