/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mapping of a CL_MEM_USE_HOST_PTR buffer is the program's own memory:
 * after the unmap and after the buffer's release it is the source of uploads,
 * and then it is freed.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_int err, *host = aligned_alloc(4096, LARGE), *p;
	cl_mem mem, to = new_ints(&cl);

	if (!host)
		return FAILED;
	memset(host, 0, LARGE);
	mem = clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, LARGE, host,
			     &err);
	must(err);
	p = (cl_int *)clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_WRITE,
					 0, BYTES, 0, NULL, NULL, &err);
	must(err);
	p[0] = 5;
	must(clEnqueueUnmapMemObject(cl.queue, mem, p, 0, NULL, NULL));
	must(clFinish(cl.queue));
	must(clEnqueueWriteBuffer(cl.queue, to, CL_TRUE, 0, BYTES, host, 0,
				  NULL, NULL));
	must(clReleaseMemObject(mem));
	must(clEnqueueWriteBuffer(cl.queue, to, CL_FALSE, 0, BYTES, host, 0,
				  NULL, NULL));
	must(clFinish(cl.queue));
	free(host);
	must(clReleaseMemObject(to));
	close_device(&cl);
	return 0;
}
