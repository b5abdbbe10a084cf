/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A struct that owns a kernel is copied like any other, and both copies are
 * released.
 * Undefined: both drivers crash (pocl 3.1, oclgrind 21.10)
 */
#include "lifetime.h"

struct operation {
	cl_kernel kernel;
};

static struct operation copy_of(const struct operation *from)
{
#ifndef PLANTED
	must(clRetainKernel(from->kernel));
#endif
	return *from;
}

int main(void)
{
	struct setup cl = open_device();
	struct operation first = { add_one(&cl) }, second = copy_of(&first);

	/* SECOND: the release */
	must(clReleaseKernel(first.kernel));
	/* PLANTED: late release of a released kernel */
	clReleaseKernel(second.kernel);
	close_device(&cl);
	return 0;
}
