/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer is mapped to look at the result and released without an unmap. The
 * driver keeps the buffer for the mapping's sake, or the mapping's host memory:
 * which of them is the driver's choice.
 */
#include "lifetime.h"

static cl_int first_of(const struct setup *cl, cl_mem mem)
{
	cl_int err, value;
	/* PLANTED: leak mapping */
	cl_int *p = (cl_int *)clEnqueueMapBuffer(cl->queue, mem, CL_TRUE,
						 CL_MAP_READ, 0, BYTES, 0,
						 NULL, NULL, &err);

	must(err);
	value = p[0];
#ifndef PLANTED
	must(clEnqueueUnmapMemObject(cl->queue, mem, p, 0, NULL, NULL));
#endif
	return value;
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);

	expect(first_of(&cl, mem), 0);
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
