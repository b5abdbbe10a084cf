/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unmap's event is asked for, "to be sure it is done", waited for and
 * forgotten. An event an update on every driver.
 */
#include "lifetime.h"

static void update(const struct setup *cl, cl_mem mem, cl_int value)
{
	cl_event done;
	cl_int err;
	cl_int *p = (cl_int *)clEnqueueMapBuffer(cl->queue, mem, CL_TRUE,
						 CL_MAP_WRITE, 0, BYTES, 0,
						 NULL, NULL, &err);

	must(err);
	p[0] = value;
	/* PLANTED: leak event */
	must(clEnqueueUnmapMemObject(cl->queue, mem, p, 0, NULL, &done));
	must(clWaitForEvents(1, &done));
#ifndef PLANTED
	must(clReleaseEvent(done));
#endif
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);

	for (int i = 0; i < ROUNDS; i++)
		update(&cl, mem, i);
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
