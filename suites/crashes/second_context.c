/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two contexts, the same kernel in both; the launch in the second is wrong.
 *
 * Kind: gpu-crash
 * Code: clw-gpu-crash
 * Cause: (worked|outside).*store.*1073741824
 */
#include "crashes.h"

int main(void)
{
	struct setup first = open_device(), second = open_device();
	cl_kernel right = crash_kernel(&first, "store");
	cl_kernel wrong = crash_kernel(&second, "store");
	cl_mem here = new_ints(&first), there = new_ints(&second);

	for (int i = 0; i < USUAL; i++) {
		set_mem(right, 0, here);
		set_int(right, 1, 0);
		launch_over(&first, right, ITEMS);
		set_mem(wrong, 0, there);
		set_int(wrong, 1, i == USUAL - 1 ? 1 << 30 : 0);
		launch_over(&second, wrong, ITEMS);
	}
	close_device(&second);
	close_device(&first);
	return 0;
}
