/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code of the mapping is looked at, the pointer is not.
 * EXPECT: crash clEnqueueMapBuffer null
 */
#include "sweep.h"

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], err;
	const cl_int *mapped;
	int result;

	count_up(values);
	write_ints(&cl, mem, values);
	mapped = clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_READ, 0,
				    BYTES, 0, NULL, NULL, &err);
	must(err);
#ifndef PLANTED
	have(mapped, err);
#endif
	/* PLANTED: mapped with success is not mapped somewhere */
	result = sum_of(mapped, ITEMS);
	must(clEnqueueUnmapMemObject(cl.queue, mem, (void *)mapped, 0, NULL,
				     NULL));
	must(clFinish(cl.queue));
	print_result(result);
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
