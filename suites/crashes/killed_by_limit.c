/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system kills the program in a kernel, for it has used up what it may. Here
 * that is the processor; memory ends the same way.
 *
 * Kind: killed
 * Code: none
 * Cause: SIGKILL.*clFinish
 * Host: the limit is the process's
 */
#include "crashes.h"

#include <sys/resource.h>

int main(void)
{
	const struct rlimit second = { .rlim_cur = 1, .rlim_max = 1 };
	struct setup cl = open_device();
	cl_kernel kernel = crash_kernel(&cl, "never_ends");

	work(&cl, USUAL);
	set_mem(kernel, 0, new_ints(&cl));
	if (setrlimit(RLIMIT_CPU, &second) != 0)
		return FAILED;
	launch_over(&cl, kernel, 1);
	close_device(&cl);
	return 0;
}
