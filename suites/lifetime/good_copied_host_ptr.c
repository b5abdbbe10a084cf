/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory that CL_MEM_COPY_HOST_PTR copied from is freed at once. It looks
 * like CL_MEM_USE_HOST_PTR's, and is not.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_int err, got = 0, *host = malloc(LARGE);
	cl_mem mem;

	if (!host)
		return FAILED;
	memset(host, 0, LARGE);
	host[0] = 7;
	mem = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, LARGE, host,
			     &err);
	must(err);
	free(host);
	must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof(got), &got,
				 0, NULL, NULL));
	expect(got, 7);
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
