/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A work-group of a size that no device has.
 *
 * Options: --always
 * Kind: error
 * Code: none|clw-invalid-handle
 * Cause: CL_INVALID_WORK_GROUP_SIZE|work-group
 */
#include "crashes.h"

int main(void)
{
	const size_t items = MANY, local = MANY;
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);

	work(&cl, USUAL);
	set_mem(kernel, 0, mem);
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, &local,
				    0, NULL, NULL));
	close_device(&cl);
	return 0;
}
