/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device goes away while a program is built.
 *
 * Options: --fault clBuildProgram:device-lost:when=2
 * Kind: device-lost
 * Code: clw-device-lost
 * Cause: device.*(lost|gone|away)
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();

	work(&cl, USUAL);
	work(&cl, USUAL);
	close_device(&cl);
	return 0;
}
