/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A NULL buffer is a legal argument (the kernel sees a null pointer), and so is
 * releasing only what is not NULL.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem none = NULL, mem = new_ints(&cl);

	must(clSetKernelArg(kernel, 0, sizeof(none), &none));
	must(clSetKernelArg(kernel, 0, sizeof(none), NULL));
	launch(cl.queue, kernel, mem, NULL);
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	must(clReleaseKernel(kernel));
	close_device(&cl);
	return 0;
}
