/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch hangs, and the watchdog ends it.
 *
 * Options: --model nvidia-h200 --fault clEnqueueNDRangeKernel:hang=100ms:when=20
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
