/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mapping that is longer than what is left.
 */
#include "guards.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
#ifdef PLANTED
	const size_t size = 513;
#else
	const size_t size = 512;
#endif
	cl_int err;
	/* PLANTED: range 512 513 1024 */
	void *map = clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_READ, 512, size, 0, NULL, NULL, &err);

	if (map)
		must(clEnqueueUnmapMemObject(cl.queue, mem, map, 0, NULL,
					     NULL));
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
