/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A write that reaches past the end; nobody looks at its error.
 */
#include "guards.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	cl_int values[ITEMS] = { 1 };
#ifdef PLANTED
	const size_t offset = 8;
#else
	const size_t offset = 0;
#endif

	/* PLANTED: range 8 1024 1024 */
	clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, offset, BYTES, values, 0, NULL, NULL);
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
