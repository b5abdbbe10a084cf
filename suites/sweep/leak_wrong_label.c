/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One exit, many labels, and a goto to the wrong one.
 * EXPECT: leak clEnqueueCopyBuffer oom
 */
#include "sweep.h"

static bool copy_there(const struct setup *cl, const cl_int *from, cl_int *to)
{
	bool done = false;
	cl_mem in, out;

	in = try_buffer(cl, BYTES);
	if (!in)
		goto out_nothing;
	out = try_buffer(cl, BYTES);
	if (!out)
		goto out_in;
	if (try_write(cl, in, from) != CL_SUCCESS)
		goto out_both;
	if (clEnqueueCopyBuffer(cl->queue, in, out, 0, 0, BYTES, 0, NULL,
				NULL) != CL_SUCCESS)
#ifdef PLANTED
		/* PLANTED: out was made by then */
		goto out_in;
#else
		goto out_both;
#endif
	done = try_read(cl, out, to) == CL_SUCCESS;
out_both:
	must(clReleaseMemObject(out));
out_in:
	must(clReleaseMemObject(in));
out_nothing:
	return done;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	count_up(values);
	if (!copy_there(&cl, values, back))
		memcpy(back, values, BYTES);	/* the host can do it */
	print_result(sum_of(back, ITEMS));
	close_cl(&cl);
	return 0;
}
