/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel is told where to store, and the number is far past the buffer.
 *
 * Kind: gpu-crash
 * Code: clw-gpu-crash
 * Cause: outside.*store.*1073741824
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = crash_kernel(&cl, "store");
	cl_mem mem = new_ints(&cl);

	work(&cl, USUAL);
	set_mem(kernel, 0, mem);
	set_int(kernel, 1, 1 << 30);
	launch_over(&cl, kernel, ITEMS);
	close_device(&cl);
	return 0;
}
