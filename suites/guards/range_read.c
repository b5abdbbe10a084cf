/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A read of as many bytes as there are items of the other buffer.
 */
#include "guards.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	cl_int values[2 * ITEMS] = { 1 };
#ifdef PLANTED
	const size_t size = BYTES + 1;
#else
	const size_t size = BYTES;
#endif

	/* PLANTED: range 0 1025 1024 */
	clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, size, values, 0, NULL, NULL);
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
