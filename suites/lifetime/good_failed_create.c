/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer that is too large is asked for, the error is seen, and a smaller
 * one is made. What was never made cannot leak.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	size_t size = SIZE_MAX;
	cl_mem mem = NULL;
	cl_int err = CL_OUT_OF_RESOURCES;

	for (int i = 0; i < ROUNDS && err != CL_SUCCESS; i++) {
		mem = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, size, NULL,
				     &err);
		size = BYTES;
	}
	must(err);
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
