/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel is launched after its program's release, and says which program it
 * is of: it holds the program.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_program program = new_program(&cl), of_kernel = NULL;
	cl_kernel kernel = new_kernel(program, "twice");
	cl_mem mem = new_ints(&cl);

	must(clReleaseProgram(program));
	launch(cl.queue, kernel, mem, NULL);
	must(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(of_kernel),
			     &of_kernel, NULL));
	expect(of_kernel == program, true);
	must(clRetainProgram(of_kernel));
	must(clReleaseKernel(kernel));
	must(clReleaseProgram(of_kernel));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
