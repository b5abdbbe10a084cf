/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch of no kernel.
 * SPECIFICATION: clEnqueueNDRangeKernel, Errors: CL_INVALID_KERNEL
 * DEVIATES: pocl 3.1: SIGSEGV
 * DEVIATES: oclgrind 21.10: SIGSEGV
 */
#include "setup.h"

int main(void)
{
	size_t items = 1;

	setup();
	return expect("clEnqueueNDRangeKernel",
		      clEnqueueNDRangeKernel(queue, NULL, 1, NULL, &items,
					     NULL, 0, NULL, NULL),
		      CL_INVALID_KERNEL);
}
