/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function returns how many items it moved, or a code below 0, and the
 * caller adds up what it returns.
 * EXPECT: swallowed clEnqueueCopyBuffer oom
 */
#include "sweep.h"

enum { PARTS = 4, PART_BYTES = BYTES / PARTS };

static int move_part(const struct setup *cl, cl_mem from, cl_mem to,
		     size_t index)
{
	cl_int err = clEnqueueCopyBuffer(cl->queue, from, to,
					 index * PART_BYTES, index * PART_BYTES,
					 PART_BYTES, 0, NULL, NULL);

	return err == CL_SUCCESS ? ITEMS / PARTS : err;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem from = make_buffer(&cl, BYTES), to = make_buffer(&cl, BYTES);
	int moved = 0;

	for (size_t i = 0; i < PARTS; i++) {
		int count = move_part(&cl, from, to, i);

		/* PLANTED: it may be no count */
#ifndef PLANTED
		if (count < 0)
			must(count);
#endif
		moved += count;
	}
	must(clFinish(cl.queue));
	print_result(moved);
	must(clReleaseMemObject(from));
	must(clReleaseMemObject(to));
	close_cl(&cl);
	return 0;
}
