/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The buffer's error code is asked for and never looked at.
 * EXPECT: misuse clCreateBuffer oom
 */
#include "sweep.h"

int main(void)
{
	struct setup cl = open_cl();
	cl_int values[ITEMS], back[ITEMS] = { 0 }, err;
	cl_mem mem;

	count_up(values);
	/* PLANTED: used whether or not there is one */
	mem = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, BYTES, NULL, &err);
#ifndef PLANTED
	have(mem, err);
#endif
	write_ints(&cl, mem, values);
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
