/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One buffer a frame that nobody gives back, on a small device.
 *
 * Options: --always --model gtx-1050,memory=256MiB
 * Kind: out-of-memory
 * Code: clw-out-of-memory
 * Cause: memory
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();

	work(&cl, USUAL);
	for (int i = 0; i < 100; i++) {
		const cl_int value = i;
		cl_int err;
		cl_mem mem = clCreateBuffer(cl.context, CL_MEM_READ_WRITE,
					    4 << 20, NULL, &err);

		must(err);
		must(clEnqueueFillBuffer(cl.queue, mem, &value, sizeof(value),
					 0, 4 << 20, 0, NULL, NULL));
	}
	close_device(&cl);
	return 0;
}
