/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything is released in the order in which it was made, the context
 * first. That is right: what still needs an object holds it.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_program program = new_program(&cl);
	cl_kernel kernel = new_kernel(program, "add_one");
	cl_mem mem = new_ints(&cl);
	const size_t items = ITEMS;
	cl_event event;

	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL,
				    0, NULL, &event));
	must(clReleaseContext(cl.context));
	must(clFinish(cl.queue));
	must(clReleaseCommandQueue(cl.queue));
	must(clReleaseProgram(program));
	must(clReleaseKernel(kernel));
	must(clReleaseMemObject(mem));
	must(clReleaseEvent(event));
	return 0;
}
