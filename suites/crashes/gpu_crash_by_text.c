/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same on a device that follows the specification.
 *
 * Options: --model generic --fault clEnqueueNDRangeKernel:gpu-crash:when=30
 * Kind: gpu-crash
 * Code: clw-gpu-crash
 * Cause: add_one
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();

	work(&cl, USUAL);
	close_device(&cl);
	return 0;
}
