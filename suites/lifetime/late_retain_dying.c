/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The destructor callback of a buffer thinks it can keep it: it retains the
 * buffer that is being destroyed. The driver frees it all the same, and what
 * was kept is a handle of nothing.
 * Undefined: pocl aborts, oclgrind does nothing
 */
#include <semaphore.h>

#include "lifetime.h"

static sem_t called;

static void CL_CALLBACK keep(cl_mem mem, void *nothing)
{
	(void)nothing;
#ifdef PLANTED
	/* PLANTED: late retain of a buffer that dies */
	clRetainMemObject(mem);
#else
	(void)mem;
#endif
	sem_post(&called);
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);

	sem_init(&called, 0, 0);
	must(clSetMemObjectDestructorCallback(mem, keep, NULL));
	/* SECOND: the release */
	must(clReleaseMemObject(mem));
	must(clFinish(cl.queue));
	sem_wait(&called);
	close_device(&cl);
	return 0;
}
