/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Offset and size of 64 bits whose sum is small again.
 */
#include "guards.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	cl_int value = 1;
#ifdef PLANTED
	const size_t offset = SIZE_MAX - 1;
#else
	const size_t offset = 0;
#endif

	/* PLANTED: range 18446744073709551614 4 1024 */
	clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, offset, 4, &value, 0, NULL, NULL);
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
