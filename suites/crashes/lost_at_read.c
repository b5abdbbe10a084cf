/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device goes away before its results are read.
 *
 * Options: --fault clEnqueueReadBuffer:device-lost:when=12
 * Kind: device-lost
 * Code: clw-device-lost
 * Cause: device went away.*clEnqueueReadBuffer
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();

	work(&cl, USUAL);
	close_device(&cl);
	return 0;
}
