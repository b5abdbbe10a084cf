/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host steps in for the device, with a loop that was written for a table
 * of another size.
 * EXPECT: swallowed clEnqueueCopyBuffer oom
 */
#include "sweep.h"

static void copy_by_fours(const cl_int *from, cl_int *to, size_t count)
{
	for (size_t i = 0; i + 4 < count; i += 4)
		memcpy(to + i, from + i, 4 * sizeof(*to));
	/* PLANTED: the last four are not copied */
#ifndef PLANTED
	memcpy(to + count - 4, from + count - 4, 4 * sizeof(*to));
#endif
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem in = make_buffer(&cl, BYTES), out = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	count_up(values);
	write_ints(&cl, in, values);
	if (clEnqueueCopyBuffer(cl.queue, in, out, 0, 0, BYTES, 0, NULL,
				NULL) == CL_SUCCESS)
		read_ints(&cl, out, back);
	else
		copy_by_fours(values, back, ITEMS);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(in));
	must(clReleaseMemObject(out));
	close_cl(&cl);
	return 0;
}
