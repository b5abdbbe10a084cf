/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When there is no memory for all, half of it is asked for, and the work is
 * done in as many rounds as were planned for the whole.
 * EXPECT: swallowed clCreateBuffer oom
 */
#include "sweep.h"

int main(void)
{
	struct setup cl = open_cl();
	size_t items = ITEMS, rounds = ITEMS / items;
	cl_mem mem = try_buffer(&cl, items * sizeof(cl_int));
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	if (!mem) {
		items /= 2;
		mem = make_buffer(&cl, items * sizeof(cl_int));
		/* PLANTED: it takes more rounds now */
#ifndef PLANTED
		rounds = ITEMS / items;
#endif
	}
	count_up(values);
	for (size_t i = 0; i < rounds; i++) {
		must(clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0,
					  items * sizeof(cl_int),
					  values + i * items, 0, NULL, NULL));
		must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0,
					 items * sizeof(cl_int),
					 back + i * items, 0, NULL, NULL));
	}
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
