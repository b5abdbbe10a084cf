/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device goes away when a launch is given to it.
 *
 * Options: --fault clEnqueueNDRangeKernel:device-lost:when=12
 * Kind: device-lost
 * Code: clw-device-lost
 * Cause: device went away.*clEnqueueNDRangeKernel|device went away.*launch
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();

	work(&cl, USUAL);
	close_device(&cl);
	return 0;
}
