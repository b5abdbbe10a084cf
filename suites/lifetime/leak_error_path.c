/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two buffers are wanted; the second cannot be had and the function returns
 * without the first. It happens only when memory is short, and then it makes
 * it shorter, on every driver.
 */
#include "lifetime.h"

static bool allocate(const struct setup *cl, size_t size, cl_mem *ret_in,
		     cl_mem *ret_out)
{
	cl_int err;
	/* PLANTED: leak buffer */
	cl_mem in = clCreateBuffer(cl->context, CL_MEM_READ_ONLY, BYTES, NULL,
				   &err);
	cl_mem out;

	must(err);
	out = clCreateBuffer(cl->context, CL_MEM_WRITE_ONLY, size, NULL, &err);
	if (err != CL_SUCCESS) {
#ifndef PLANTED
		must(clReleaseMemObject(in));
#endif
		return false;
	}
	*ret_in = in;
	*ret_out = out;
	return true;
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem in, out;

	expect(allocate(&cl, SIZE_MAX, &in, &out), false);
	expect(allocate(&cl, BYTES, &in, &out), true);
	must(clReleaseMemObject(in));
	must(clReleaseMemObject(out));
	close_device(&cl);
	return 0;
}
