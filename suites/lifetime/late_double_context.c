/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library releases the context that the program lent it, then the program
 * releases its own. The queue still holds the context, so nothing happens
 * until that goes: the error shows far away from where it was made.
 * Undefined: pocl aborts when the queue goes, oclgrind does nothing
 */
#include "lifetime.h"

static void library_end(cl_context lent)
{
#ifdef PLANTED
	/* SECOND: the release */
	must(clReleaseContext(lent));
#else
	(void)lent;
#endif
}

int main(void)
{
	struct setup cl = open_device();

	library_end(cl.context);
	must(clFinish(cl.queue));
	/* PLANTED: late release of a released context */
	clReleaseContext(cl.context);
	clReleaseCommandQueue(cl.queue);
	return 0;
}
