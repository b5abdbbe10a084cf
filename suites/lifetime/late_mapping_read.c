/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pointer of a mapping is read after its unmap. pocl's is the buffer
 * itself, so it shows what the device writes next; elsewhere it is memory that
 * is free.
 * Undefined: a driver may have unmapped the memory
 * Unseen: the pages of a map are the driver's, too: they cannot be closed
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	cl_int err, first, *p;

	p = (cl_int *)clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_READ,
					 0, BYTES, 0, NULL, NULL, &err);
	must(err);
#ifndef PLANTED
	first = p[0];
#endif
	/* PLANTED: late use of a mapping after this unmap */
	must(clEnqueueUnmapMemObject(cl.queue, mem, p, 0, NULL, NULL));
	must(clFinish(cl.queue));
#ifdef PLANTED
	/* HOST: read */
	first = *(volatile cl_int *)p;
#endif
	printf("%d\n", first);
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
