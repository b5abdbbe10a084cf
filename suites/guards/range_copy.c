/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A copy whose destination ends before it.
 */
#include "guards.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem from = new_ints(&cl);
	cl_mem to = buffer_of(&cl, CL_MEM_READ_WRITE, BYTES, NULL);
#ifdef PLANTED
	const size_t offset = 512;
#else
	const size_t offset = 256;
#endif

	/* PLANTED: range 512 768 1024 */
	clEnqueueCopyBuffer(cl.queue, from, to, 0, offset, 768, 0, NULL, NULL);
	must(clFinish(cl.queue));
	must(clReleaseMemObject(from));
	must(clReleaseMemObject(to));
	close_device(&cl);
	return 0;
}
