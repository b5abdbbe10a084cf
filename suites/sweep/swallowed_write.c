/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings are changed by small writes, and small writes do not fail.
 * EXPECT: swallowed clEnqueueWriteBuffer oom
 */
#include "sweep.h"

static void set_value(const struct setup *cl, cl_mem mem, size_t index,
		      cl_int value)
{
	/* PLANTED: not looked at */
	cl_int err = clEnqueueWriteBuffer(cl->queue, mem, CL_TRUE,
					  index * sizeof(value), sizeof(value),
					  &value, 0, NULL, NULL);

#ifndef PLANTED
	must(err);
#endif
	(void)err;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS] = { 0 };

	write_ints(&cl, mem, values);
	set_value(&cl, mem, 0, 17);
	set_value(&cl, mem, 5, 25);
	read_ints(&cl, mem, values);
	print_result(sum_of(values, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
