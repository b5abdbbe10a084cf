/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver crashes in a wait, for a reason of its own.
 *
 * Options: --fault clFinish:driver-crash
 * Kind: driver-crash
 * Code: clw-driver-crash
 * Cause: injected.*driver.*clFinish
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();

	work(&cl, USUAL);
	close_device(&cl);
	return 0;
}
