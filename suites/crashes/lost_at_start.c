/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device is there when it is asked for, and gone when it is used.
 *
 * Options: --fault clCreateContext:device-lost:when=2
 * Kind: device-lost
 * Code: clw-device-lost
 * Cause: device.*(lost|gone|away)
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device(), second;

	work(&cl, USUAL);
	second = open_device();
	close_device(&second);
	close_device(&cl);
	return 0;
}
