/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fill of one pattern more than there is room for.
 */
#include "guards.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	const cl_int pattern = 7;
#ifdef PLANTED
	const size_t size = BYTES;
#else
	const size_t size = BYTES - 4;
#endif

	/* PLANTED: range 4 1024 1024 */
	clEnqueueFillBuffer(cl.queue, mem, &pattern, sizeof(pattern), 4, size, 0, NULL, NULL);
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
