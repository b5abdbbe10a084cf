/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program waits for a command that waits for a user event that nobody
 * sets.
 *
 * Options: --timeout 2s
 * Kind: timeout
 * Code: clw-device-timeout
 * Cause: user event
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);

	work(&cl, USUAL);
	launch(cl.queue, kernel, mem, new_gate(&cl));
	close_device(&cl);
	return 0;
}
