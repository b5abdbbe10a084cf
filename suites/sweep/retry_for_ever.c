/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory is short only for a moment, so one only has to ask again.
 * EXPECT: hang clCreateBuffer oom from-here
 */
#include <time.h>

#include "sweep.h"

enum { TRIES = 5 };

static cl_mem wait_for_buffer(const struct setup *cl)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0;; i++) {
		cl_mem mem = try_buffer(cl, BYTES);

		if (mem)
			return mem;
		/* PLANTED: for ever */
#ifndef PLANTED
		if (i == TRIES)
			exit(failed("every try", CL_OUT_OF_RESOURCES));
#endif
		nanosleep(&pause, NULL);
	}
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = wait_for_buffer(&cl);
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	count_up(values);
	write_ints(&cl, mem, values);
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
