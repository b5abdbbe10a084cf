/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch faults on an NVIDIA device; the program notices at the next read
 * and gives up.
 *
 * Options: --model nvidia-h200 --fault clEnqueueNDRangeKernel:gpu-crash:when=30
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
