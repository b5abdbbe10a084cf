/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sub-buffer is used after its parent's release: it holds the parent.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_buffer_region right = { LARGE / 2, LARGE / 2 };
	const cl_int seven = 7;
	cl_int err, got = 0;
	cl_mem whole, half;

	whole = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, LARGE, NULL,
			       &err);
	must(err);
	half = clCreateSubBuffer(whole, CL_MEM_READ_WRITE,
				 CL_BUFFER_CREATE_TYPE_REGION, &right, &err);
	must(err);
	must(clReleaseMemObject(whole));
	must(clEnqueueFillBuffer(cl.queue, half, &seven, sizeof(seven), 0,
				 BYTES, 0, NULL, NULL));
	must(clEnqueueReadBuffer(cl.queue, half, CL_TRUE, 0, sizeof(got), &got,
				 0, NULL, NULL));
	expect(got, seven);
	must(clReleaseMemObject(half));
	close_device(&cl);
	return 0;
}
