/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All handles are kept as void * in one list and released as memory objects.
 * Undefined: pocl aborts, oclgrind does nothing
 */
#include "lifetime.h"

enum { HANDLES = 2 };

int main(void)
{
	struct setup cl = open_device();
	void *handles[HANDLES];

	handles[0] = new_ints(&cl);
	handles[1] = add_one(&cl);
	must(clReleaseMemObject((cl_mem)handles[0]));
#ifdef PLANTED
	/* PLANTED: late release of a kernel as a buffer */
	clReleaseMemObject((cl_mem)handles[1]);
#else
	must(clReleaseKernel((cl_kernel)handles[1]));
	close_device(&cl);
#endif
	return 0;
}
