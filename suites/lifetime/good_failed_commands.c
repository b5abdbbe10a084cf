/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Enqueues, retains and sub-objects that fail for their arguments: none of them
 * makes an event, takes a reference or makes an object.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_buffer_region outside = { 0, 2 * BYTES };
	cl_mem mem = new_ints(&cl), part;
	cl_event event = NULL;
	cl_int value = 0, err;

	expect(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, BYTES,
				   sizeof(value), &value, 0, NULL, &event) !=
	       CL_SUCCESS, true);
	expect(event == NULL, true);
	part = clCreateSubBuffer(mem, CL_MEM_READ_WRITE,
				 CL_BUFFER_CREATE_TYPE_REGION, &outside, &err);
	expect(part == NULL, true);
	expect(clRetainMemObject(NULL), CL_INVALID_MEM_OBJECT);
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
