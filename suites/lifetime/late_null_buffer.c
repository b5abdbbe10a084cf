/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer that is too large is not made, nobody looks, and the NULL handle is
 * filled and read. Both drivers say CL_INVALID_MEM_OBJECT to that, and nobody
 * looks again.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
#ifdef PLANTED
	const size_t size = SIZE_MAX;
#else
	const size_t size = BYTES;
#endif
	const cl_int value = 7;
	/* SECOND: the create that failed */
	cl_mem mem = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, size, NULL,
				    NULL);

	/* PLANTED: late use of a NULL buffer */
	clEnqueueFillBuffer(cl.queue, mem, &value, sizeof(value), 0, BYTES, 0,
			    NULL, NULL);
	clFinish(cl.queue);
	if (mem)
		must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
