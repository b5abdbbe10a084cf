/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second argument is never set.
 *
 * Options: --always
 * Kind: error
 * Code: clw-invalid-handle
 * Cause: argument 1.*(not|never) set|CL_INVALID_KERNEL_ARGS
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = crash_kernel(&cl, "store");
	cl_mem mem = new_ints(&cl);

	work(&cl, USUAL);
	set_mem(kernel, 0, mem);
	launch_over(&cl, kernel, ITEMS);
	close_device(&cl);
	return 0;
}
