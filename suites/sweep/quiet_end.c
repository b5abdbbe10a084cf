/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where something fails the program ends, in order and with the status of
 * success.
 * EXPECT: swallowed clEnqueueFillBuffer oom
 */
#include "sweep.h"

static bool run(const struct setup *cl, cl_int *back)
{
	cl_mem mem = make_buffer(cl, BYTES);
	const cl_int value = 3;
	cl_int err = clEnqueueFillBuffer(cl->queue, mem, &value, sizeof(value),
					 0, BYTES, 0, NULL, NULL);

	if (err == CL_SUCCESS)
		read_ints(cl, mem, back);
	must(clReleaseMemObject(mem));
	return err == CL_SUCCESS;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_int back[ITEMS] = { 0 };
	bool done = run(&cl, back);

	if (done)
		print_result(sum_of(back, ITEMS));
	close_cl(&cl);
#ifdef PLANTED
	/* PLANTED: whether it was done or not */
	return 0;
#else
	return done ? 0 : failed("the run", CL_OUT_OF_RESOURCES);
#endif
}
