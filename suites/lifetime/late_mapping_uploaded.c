/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pointer of a mapping is used as the source of an upload after its unmap.
 * Works on pocl, where a mapping is the buffer itself.
 * Undefined: a driver may have unmapped the memory
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem from = new_ints(&cl), to = new_ints(&cl);
	cl_int err, *p;

	p = (cl_int *)clEnqueueMapBuffer(cl.queue, from, CL_TRUE, CL_MAP_READ,
					 0, BYTES, 0, NULL, NULL, &err);
	must(err);
#ifdef PLANTED
	/* SECOND: the unmap */
	must(clEnqueueUnmapMemObject(cl.queue, from, p, 0, NULL, NULL));
	must(clFinish(cl.queue));
#endif
	/* PLANTED: late use of a mapping */
	must(clEnqueueWriteBuffer(cl.queue, to, CL_TRUE, 0, BYTES, p, 0, NULL,
				  NULL));
#ifndef PLANTED
	must(clEnqueueUnmapMemObject(cl.queue, from, p, 0, NULL, NULL));
#endif
	must(clFinish(cl.queue));
	must(clReleaseMemObject(from));
	must(clReleaseMemObject(to));
	close_device(&cl);
	return 0;
}
