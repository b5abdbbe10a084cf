/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two halves are read and added up one by one; after a failure all is done
 * again, on top of what has been added so far.
 * EXPECT: swallowed clEnqueueReadBuffer oom
 */
#include "sweep.h"

enum { HALF = ITEMS / 2, TRIES = 3 };

static cl_int add_up(const struct setup *cl, cl_mem mem, int *sum)
{
	cl_int half[HALF];
	cl_int err = clEnqueueReadBuffer(cl->queue, mem, CL_TRUE, 0,
					 sizeof(half), half, 0, NULL, NULL);

	if (err != CL_SUCCESS)
		return err;
	*sum += sum_of(half, HALF);
	err = clEnqueueReadBuffer(cl->queue, mem, CL_TRUE, sizeof(half),
				  sizeof(half), half, 0, NULL, NULL);
	if (err != CL_SUCCESS)
		return err;
	*sum += sum_of(half, HALF);
	return CL_SUCCESS;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], err = CL_SUCCESS;
	int sum = 0;

	count_up(values);
	write_ints(&cl, mem, values);
	for (int i = 0; i < TRIES; i++) {
#ifndef PLANTED
		sum = 0;
#endif
		/* PLANTED: sum is not 0 any more, the second time */
		err = add_up(&cl, mem, &sum);
		if (err == CL_SUCCESS)
			break;
	}
	if (err != CL_SUCCESS)
		return failed("every try", err);
	print_result(sum);
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
