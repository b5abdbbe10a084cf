/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel's name is misspelt, nobody looks, and the NULL kernel is launched.
 * Undefined: both drivers crash (pocl 3.1, oclgrind 21.10)
 */
#include "lifetime.h"

#ifdef PLANTED
#define NAME "add_won"
#else
#define NAME "add_one"
#endif

int main(void)
{
	struct setup cl = open_device();
	cl_program program = new_program(&cl);
	cl_mem mem = new_ints(&cl);
	const size_t items = ITEMS;
	/* SECOND: the create that failed */
	cl_kernel kernel = clCreateKernel(program, NAME, NULL);

	if (kernel)
		must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	/* PLANTED: late use of a NULL kernel */
	clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0,
			       NULL, NULL);
	must(clFinish(cl.queue));
	if (kernel)
		must(clReleaseKernel(kernel));
	must(clReleaseMemObject(mem));
	must(clReleaseProgram(program));
	close_device(&cl);
	return 0;
}
