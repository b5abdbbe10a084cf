/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The range of a part, not of the pool that it is a part of: there would be
 * room behind it.
 */
#include "guards.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem pool = buffer_of(&cl, CL_MEM_READ_WRITE, 4 * BYTES, NULL);
	cl_mem part = part_of(pool, BYTES, BYTES);
	cl_int values[ITEMS + 1] = { 1 };
#ifdef PLANTED
	const size_t size = BYTES + 4;
#else
	const size_t size = BYTES;
#endif

	/* PLANTED: range 0 1028 1024 */
	clEnqueueWriteBuffer(cl.queue, part, CL_TRUE, 0, size, values, 0, NULL, NULL);
	must(clFinish(cl.queue));
	must(clReleaseMemObject(part));
	must(clReleaseMemObject(pool));
	close_device(&cl);
	return 0;
}
