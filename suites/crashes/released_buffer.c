/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer is given back in one place and written in another; the error is
 * taken for the end of the world.
 *
 * Kind: signal|driver-crash
 * Code: clw-invalid-handle|clw-driver-crash
 * Cause: released
 */
#include "crashes.h"

#include <assert.h>

int main(void)
{
	struct setup cl = open_device();
	const cl_int value = 7;
	cl_mem mem = new_ints(&cl);

	work(&cl, USUAL);
	must(clReleaseMemObject(mem));
	assert(clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0, sizeof(value),
				    &value, 0, NULL, NULL) == CL_SUCCESS);
	close_device(&cl);
	return 0;
}
