/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mapping is written through at once.
 * EXPECT: crash clEnqueueMapBuffer oom
 */
#include "sweep.h"

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int back[ITEMS] = { 0 }, err;
	cl_int *values = clEnqueueMapBuffer(cl.queue, mem, CL_TRUE,
					    CL_MAP_WRITE, 0, BYTES, 0, NULL,
					    NULL, &err);

#ifndef PLANTED
	have(values, err);
#endif
	/* PLANTED: through NULL, if it was not mapped */
	count_up(values);
	must(clEnqueueUnmapMemObject(cl.queue, mem, values, 0, NULL, NULL));
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
