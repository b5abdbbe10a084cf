/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader unmaps when it is done, and so does its caller. pocl and oclgrind
 * say CL_INVALID_VALUE to the second one; a driver that counts mappings takes
 * it for the end of another one.
 */
#include "lifetime.h"

static cl_int read_first(const struct setup *cl, cl_mem mem, cl_int *p)
{
	cl_int value = p[0];

#ifdef PLANTED
	/* SECOND: the unmap */
	must(clEnqueueUnmapMemObject(cl->queue, mem, p, 0, NULL, NULL));
#else
	(void)cl, (void)mem;
#endif
	return value;
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	cl_int err, *p;

	p = (cl_int *)clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_READ,
					 0, BYTES, 0, NULL, NULL, &err);
	must(err);
	expect(read_first(&cl, mem, p), 0);
	must(clFinish(cl.queue));
	/* PLANTED: late unmap of what is unmapped */
	clEnqueueUnmapMemObject(cl.queue, mem, p, 0, NULL, NULL);
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
