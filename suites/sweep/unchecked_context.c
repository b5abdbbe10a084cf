/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The context is taken for granted; the queue's check comes too late, for the
 * driver has been given NULL by then.
 * EXPECT: misuse clCreateContext oom
 */
#include "sweep.h"

int main(void)
{
	struct setup cl = { .device = find_device() };
	cl_int values[ITEMS], back[ITEMS] = { 0 }, err;
	cl_mem mem;

	/* PLANTED: the next call's check is to do for both */
	cl.context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &err);
#ifndef PLANTED
	have(cl.context, err);
#endif
	cl.queue = clCreateCommandQueue(cl.context, cl.device, 0, &err);
	have(cl.queue, err);
	mem = make_buffer(&cl, BYTES);
	count_up(values);
	write_ints(&cl, mem, values);
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
