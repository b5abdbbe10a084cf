/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The error path releases what it made, and so does the common end that it
 * falls into.
 * Undefined: both drivers crash (pocl 3.1, oclgrind 21.10)
 */
#include "lifetime.h"

static bool run(const struct setup *cl, cl_mem mem, cl_int offset)
{
	cl_int value;

	if (clEnqueueReadBuffer(cl->queue, mem, CL_TRUE, (size_t)offset,
				sizeof(value), &value, 0, NULL, NULL) !=
	    CL_SUCCESS) {
#ifdef PLANTED
		/* SECOND: the release */
		must(clReleaseMemObject(mem));
#endif
		return false;
	}
	return true;
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);

	expect(run(&cl, mem, 0), true);
	expect(run(&cl, mem, BYTES), false);
	/* PLANTED: late release of a released buffer */
	clReleaseMemObject(mem);
	close_device(&cl);
	return 0;
}
