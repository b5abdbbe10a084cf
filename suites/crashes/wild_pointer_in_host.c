/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pointer of the program's own goes wrong, far from any OpenCL call.
 *
 * Kind: signal
 * Code: none
 * Cause: (program|host).*own|not.*OpenCL|outside
 * Host: the pointer is the program's
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	volatile int *volatile nowhere = NULL;

	work(&cl, USUAL);
	*nowhere = 7;
	close_device(&cl);
	return 0;
}
