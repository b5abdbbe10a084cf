/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The halves of a buffer are handed out as sub-buffers; the second is not
 * released. The parent is, and looks gone, but the half keeps all of it, on
 * every driver.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_buffer_region left = { 0, LARGE / 2 };
	cl_buffer_region right = { LARGE / 2, LARGE / 2 };
	cl_mem whole, halves[2];
	cl_int err;

	whole = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, LARGE, NULL,
			       &err);
	must(err);
	halves[0] = clCreateSubBuffer(whole, CL_MEM_READ_WRITE,
				      CL_BUFFER_CREATE_TYPE_REGION, &left,
				      &err);
	must(err);
	/* PLANTED: leak sub-buffer */
	halves[1] = clCreateSubBuffer(whole, CL_MEM_READ_WRITE,
				      CL_BUFFER_CREATE_TYPE_REGION, &right,
				      &err);
	must(err);
	must(clReleaseMemObject(halves[0]));
#ifndef PLANTED
	must(clReleaseMemObject(halves[1]));
#endif
	must(clReleaseMemObject(whole));
	close_device(&cl);
	return 0;
}
