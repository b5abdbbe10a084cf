/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two queues write two parts of one buffer, and the parts overlap: two handles,
 * the same bytes.
 */
#include "lifetime.h"

enum { HALF = LARGE / 2 };

static cl_mem new_part(cl_mem whole, size_t origin, size_t size)
{
	cl_buffer_region region = { origin, size };
	cl_int err;
	cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE,
					CL_BUFFER_CREATE_TYPE_REGION, &region,
					&err);

	must(err);
	return part;
}

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue second = new_queue(&cl);
	const cl_int one = 1, two = 2;
	cl_mem whole, left, right;
	size_t written;
	cl_int err;

	whole = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, LARGE, NULL,
			       &err);
	must(err);
#ifdef PLANTED
	left = new_part(whole, 0, HALF + BYTES);
	written = HALF + BYTES;
#else
	left = new_part(whole, 0, HALF);
	written = HALF;
#endif
	right = new_part(whole, HALF, HALF);
	/* SECOND: the write of the left part */
	must(clEnqueueFillBuffer(cl.queue, left, &one, sizeof(one), 0, written,
				 0, NULL, NULL));
	must(clFlush(cl.queue));
	/* PLANTED: late write of bytes that another part has */
	must(clEnqueueFillBuffer(second, right, &two, sizeof(two), 0, BYTES, 0,
				 NULL, NULL));
	must(clFinish(second));
	must(clFinish(cl.queue));
	must(clReleaseMemObject(left));
	must(clReleaseMemObject(right));
	must(clReleaseMemObject(whole));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
