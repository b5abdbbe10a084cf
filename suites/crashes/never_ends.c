/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel waits for what nobody does.
 *
 * Options: --timeout 2s
 * Kind: timeout
 * Code: clw-kernel-timeout
 * Cause: never_ends
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = crash_kernel(&cl, "never_ends");
	cl_mem mem = new_ints(&cl);

	work(&cl, USUAL);
	set_mem(kernel, 0, mem);
	launch_over(&cl, kernel, 1);
	close_device(&cl);
	return 0;
}
