/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast way needs two buffers. Without the second the host does it, and
 * nobody thinks of the first.
 * EXPECT: leak clCreateBuffer oom
 */
#include "sweep.h"

static bool make_two(const struct setup *cl, cl_mem *ret_in, cl_mem *ret_out)
{
	cl_mem in = try_buffer(cl, BYTES), out;

	if (!in)
		return false;
	out = try_buffer(cl, BYTES);
	if (!out) {
		/* PLANTED: the first is forgotten */
#ifndef PLANTED
		must(clReleaseMemObject(in));
#endif
		return false;
	}
	*ret_in = in;
	*ret_out = out;
	return true;
}

static void copy_there(const struct setup *cl, const cl_int *from, cl_int *to)
{
	cl_mem in, out;

	if (!make_two(cl, &in, &out)) {
		memcpy(to, from, BYTES);
		return;
	}
	write_ints(cl, in, from);
	must(clEnqueueCopyBuffer(cl->queue, in, out, 0, 0, BYTES, 0, NULL,
				 NULL));
	read_ints(cl, out, to);
	must(clReleaseMemObject(in));
	must(clReleaseMemObject(out));
}

int main(void)
{
	struct setup cl = open_cl();
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	count_up(values);
	copy_there(&cl, values, back);
	print_result(sum_of(back, ITEMS));
	close_cl(&cl);
	return 0;
}
