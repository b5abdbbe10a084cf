/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Half as much is tried until an allocation succeeds; half of nothing can be
 * tried for ever.
 * EXPECT: hang clCreateBuffer oom from-here
 */
#include <time.h>

#include "sweep.h"

static size_t largest_chunk(const struct setup *cl, cl_mem *ret_mem)
{
	const struct timespec pause = { .tv_nsec = 100000 };
	size_t items = ITEMS;
	cl_mem mem;

	while (!(mem = try_buffer(cl, items * sizeof(cl_int)))) {
		items /= 2;
		/* PLANTED: down to 0 and on */
#ifndef PLANTED
		if (items == 0)
			exit(failed("every size", CL_OUT_OF_RESOURCES));
#endif
		nanosleep(&pause, NULL);
	}
	*ret_mem = mem;
	return items;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_int values[ITEMS], back[ITEMS] = { 0 };
	cl_mem mem;
	size_t items = largest_chunk(&cl, &mem);

	count_up(values);
	for (size_t i = 0; i < ITEMS; i += items) {
		must(clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0,
					  items * sizeof(cl_int), values + i,
					  0, NULL, NULL));
		must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0,
					 items * sizeof(cl_int), back + i, 0,
					 NULL, NULL));
	}
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
