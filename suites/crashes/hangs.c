/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch hangs on a device that nothing watches.
 *
 * Options: --timeout 2s --model nvidia-h200 --fault clEnqueueNDRangeKernel:hang:when=20
 * Kind: timeout
 * Code: clw-device-timeout|clw-kernel-timeout
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
