/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process with live objects forks a child that only ends. The objects are
 * the parent's, in the child's memory or not.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem mems[ROUNDS];
	int status = FAILED;
	pid_t child;

	for (int i = 0; i < ROUNDS; i++)
		mems[i] = new_ints(&cl);
	child = fork();
	if (child == 0)
		_exit(0);
	waitpid(child, &status, 0);
	expect(status, 0);
	for (int i = 0; i < ROUNDS; i++)
		must(clReleaseMemObject(mems[i]));
	close_device(&cl);
	return 0;
}
