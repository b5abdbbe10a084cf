/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A queue of work takes its reference when the work is run, not when it is
 * handed in; by then the buffer is gone.
 * Undefined: both drivers crash (pocl 3.1, oclgrind 21.10)
 */
#include "lifetime.h"

static void run(cl_mem mem)
{
	/* PLANTED: late retain of a released buffer */
	if (clRetainMemObject(mem) == CL_SUCCESS)
		clReleaseMemObject(mem);
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);

#ifdef PLANTED
	/* SECOND: the release */
	must(clReleaseMemObject(mem));
	run(mem);
#else
	run(mem);
	must(clReleaseMemObject(mem));
#endif
	close_device(&cl);
	return 0;
}
