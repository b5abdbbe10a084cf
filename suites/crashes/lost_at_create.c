/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device goes away between two frames: a buffer cannot be had for the next.
 *
 * Options: --fault clCreateBuffer:device-lost:when=12
 * Kind: device-lost
 * Code: clw-device-lost
 * Cause: device went away.*clCreateBuffer
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();

	work(&cl, USUAL);
	close_device(&cl);
	return 0;
}
