/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two buffers are mapped, and the pointer of one is given to the unmap of the
 * other, whose status nobody reads. What was written never gets to the device
 * where a mapping is a copy; pocl and oclgrind hide that.
 */
#include "lifetime.h"

static cl_int *map(const struct setup *cl, cl_mem mem)
{
	cl_int err;
	cl_int *p = (cl_int *)clEnqueueMapBuffer(cl->queue, mem, CL_TRUE,
						 CL_MAP_WRITE, 0, BYTES, 0,
						 NULL, NULL, &err);

	must(err);
	p[0] = 7;
	return p;
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem in = new_ints(&cl), out = new_ints(&cl);
	cl_int *in_values = map(&cl, in), *out_values;

#ifdef PLANTED
	/* PLANTED: late unmap of unmapped memory */
	clEnqueueUnmapMemObject(cl.queue, out, in_values, 0, NULL, NULL);
#endif
	out_values = map(&cl, out);
	must(clEnqueueUnmapMemObject(cl.queue, out, out_values, 0, NULL,
				     NULL));
	must(clEnqueueUnmapMemObject(cl.queue, in, in_values, 0, NULL, NULL));
	must(clFinish(cl.queue));
	must(clReleaseMemObject(in));
	must(clReleaseMemObject(out));
	close_device(&cl);
	return 0;
}
