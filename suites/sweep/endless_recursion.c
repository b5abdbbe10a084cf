/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Try again by calling oneself: the stack ends before the shortage does.
 * EXPECT: crash clCreateBuffer oom from-here
 */
#include "sweep.h"

enum { TRIES = 3, NOTES = 32 * 1024 };

static cl_mem find_memory(const struct setup *cl, unsigned int tried)
{
	volatile char note[NOTES];
	cl_mem mem = try_buffer(cl, BYTES);

	if (mem)
		return mem;
	note[tried % NOTES] = 'x';
#ifndef PLANTED
	if (tried == TRIES)
		return NULL;
#endif
	/* PLANTED: without an end */
	mem = find_memory(cl, tried + 1);
	return note[tried % NOTES] == 'x' ? mem : NULL;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = find_memory(&cl, 0);
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	have(mem, CL_SUCCESS);
	count_up(values);
	write_ints(&cl, mem, values);
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
