/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An optional argument: the host leaves it out, the kernel does not ask.
 *
 * Kind: gpu-crash
 * Code: clw-gpu-crash
 * Cause: NULL
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = crash_kernel(&cl, "store");

	work(&cl, USUAL);
	set_mem(kernel, 0, NULL);
	set_int(kernel, 1, 0);
	launch_over(&cl, kernel, ITEMS);
	close_device(&cl);
	return 0;
}
