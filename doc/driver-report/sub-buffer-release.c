/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two overlapping sub-buffers that have contents, the first one made released
 * first. With contents of their buffer from before them all is well.
 * SPECIFICATION: clReleaseMemObject: objects may be released in any order.
 * DEVIATES: nvidia 580.159.04: SIGSEGV in clReleaseMemObject
 */
#include "setup.h"

int main(void)
{
	cl_buffer_region region = { 0, 8192 };
	cl_mem mem, first, second;
	static char bytes[8192];
	cl_int err;

	setup();
	mem = new_buffer(16384);
	first = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION,
				  &region, NULL);
	region.origin = 4096;	/* a multiple of any device's alignment */
	second = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION,
				   &region, NULL);
	clEnqueueWriteBuffer(queue, first, CL_TRUE, 0, sizeof(bytes), bytes, 0,
			     NULL, NULL);
	clEnqueueWriteBuffer(queue, second, CL_TRUE, 0, sizeof(bytes), bytes, 0,
			     NULL, NULL);
	err = clReleaseMemObject(first);
	err |= clReleaseMemObject(second);
	err |= clReleaseMemObject(mem);
	return expect("clReleaseMemObject", err, CL_SUCCESS);
}
