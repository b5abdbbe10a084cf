/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server forks its workers before it touches OpenCL; a worker forgets the
 * buffers of its requests, the parent is clean. The worker's memory grows, on
 * every driver.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "lifetime.h"

static void answer(const struct setup *cl)
{
	cl_int err;
	/* PLANTED: leak buffer */
	cl_mem mem = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, BYTES,
				    NULL, &err);

	must(err);
#ifdef PLANTED
	(void)mem;
#else
	must(clReleaseMemObject(mem));
#endif
}

static void serve(int requests)
{
	struct setup cl = open_device();

	for (int i = 0; i < requests; i++)
		answer(&cl);
	close_device(&cl);
}

int main(void)
{
	int status = FAILED;
	pid_t child = fork();

	if (child == 0) {
		serve(ROUNDS);
		exit(0);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED)
		need(false, "an OpenCL device");
	expect(status, 0);
	serve(0);
	return 0;
}
