/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result is read back as the last thing, when all that could fail is
 * thought to be over.
 * EXPECT: swallowed clEnqueueReadBuffer oom
 */
#include "sweep.h"

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = { 0 }, err;

	count_up(values);
	write_ints(&cl, mem, values);
	/* PLANTED: not looked at */
	err = try_read(&cl, mem, back);
#ifndef PLANTED
	must(err);
#endif
	(void)err;
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
