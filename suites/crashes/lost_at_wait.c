/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device goes away while the program waits for what it was given.
 *
 * Options: --fault clFinish:device-lost
 * Kind: device-lost
 * Code: clw-device-lost
 * Cause: device went away.*clFinish
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();

	work(&cl, USUAL);
	close_device(&cl);
	return 0;
}
