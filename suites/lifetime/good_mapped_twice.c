/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer is mapped twice for reading and unmapped twice, through pointers
 * that are the same on most drivers.
 */
#include "lifetime.h"

static cl_int *map(const struct setup *cl, cl_mem mem)
{
	cl_int err;
	cl_int *p = (cl_int *)clEnqueueMapBuffer(cl->queue, mem, CL_TRUE,
						 CL_MAP_READ, 0, BYTES, 0,
						 NULL, NULL, &err);

	must(err);
	return p;
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	cl_int *a = map(&cl, mem), *b = map(&cl, mem);

	expect(a[0] + b[0], 0);
	must(clEnqueueUnmapMemObject(cl.queue, mem, a, 0, NULL, NULL));
	must(clFinish(cl.queue));
	expect(b[1], 0);
	must(clEnqueueUnmapMemObject(cl.queue, mem, b, 0, NULL, NULL));
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
