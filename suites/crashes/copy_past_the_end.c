/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A copy of more than there is: refused, and the program gives up.
 *
 * Options: --always
 * Kind: error
 * Code: clw-buffer-overflow
 * Cause: CL_INVALID_VALUE|past the end|larger
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem from = new_ints(&cl), to = new_ints(&cl);

	work(&cl, USUAL);
	must(clEnqueueCopyBuffer(cl.queue, from, to, 0, 0, 2 * BYTES, 0, NULL,
				 NULL));
	close_device(&cl);
	return 0;
}
