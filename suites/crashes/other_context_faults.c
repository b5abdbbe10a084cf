/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two contexts; a launch in the one faults, and the program gives up at the next
 * call that says so.
 *
 * Options: --model nvidia-h200 --fault clEnqueueNDRangeKernel:gpu-crash:when=30
 * Kind: gpu-crash
 * Code: clw-gpu-crash
 * Cause: add_one
 */
#include "crashes.h"

int main(void)
{
	struct setup first = open_device(), second = open_device();

	for (int i = 0; i < USUAL; i++) {
		work(&first, 1);
		work(&second, 1);
	}
	close_device(&second);
	close_device(&first);
	return 0;
}
