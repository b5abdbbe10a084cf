/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "The buffer has been made from it, so it can go": the memory behind
 * CL_MEM_USE_HOST_PTR is freed while the buffer lives, and a copy writes to
 * it. With CL_MEM_COPY_HOST_PTR it would be right.
 * Undefined: the copy writes into memory that is free
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem from = new_ints(&cl), mem;
	cl_int err, *host = aligned_alloc(4096, LARGE);

	if (!host)
		return FAILED;
	memset(host, 0, LARGE);
	/* SECOND: the buffer that is made of it */
	mem = clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, LARGE, host,
			     &err);
	must(err);
#ifdef PLANTED
	/* HOST: freed */
	free(host);
#endif
	/* PLANTED: late use of memory that is freed */
	must(clEnqueueCopyBuffer(cl.queue, from, mem, 0, 0, BYTES, 0, NULL,
				 NULL));
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	must(clReleaseMemObject(from));
#ifndef PLANTED
	free(host);
#endif
	close_device(&cl);
	return 0;
}
