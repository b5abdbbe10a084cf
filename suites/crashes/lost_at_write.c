/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device goes away in the middle of the work.
 *
 * Options: --fault clEnqueueWriteBuffer:device-lost:when=12
 * Kind: device-lost
 * Code: clw-device-lost
 * Cause: device.*(lost|gone|away)
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();

	work(&cl, USUAL);
	close_device(&cl);
	return 0;
}
