/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer is mapped twice, unmapped once, and the pointer that is left is the
 * source of an upload; then it is mapped again, on most drivers at the same
 * address as ever.
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

static void unmap(const struct setup *cl, cl_mem mem, cl_int *p)
{
	must(clEnqueueUnmapMemObject(cl->queue, mem, p, 0, NULL, NULL));
	must(clFinish(cl->queue));
}

static void upload(const struct setup *cl, cl_mem mem, const cl_int *from)
{
	must(clEnqueueWriteBuffer(cl->queue, mem, CL_TRUE, 0, BYTES, from, 0,
				  NULL, NULL));
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem from = new_ints(&cl), to = new_ints(&cl);
	cl_int *a = map(&cl, from), *b = map(&cl, from);

	unmap(&cl, from, a);
	upload(&cl, to, b);
	unmap(&cl, from, b);
	a = map(&cl, from);
	upload(&cl, to, a);
	unmap(&cl, from, a);
	must(clReleaseMemObject(from));
	must(clReleaseMemObject(to));
	close_device(&cl);
	return 0;
}
