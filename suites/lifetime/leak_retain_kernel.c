/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache hands out its kernel with a reference for the caller, who thinks the
 * cache owns it. The kernel, its program and the compiled code stay, on every
 * driver.
 */
#include "lifetime.h"

static cl_kernel cached;

static cl_kernel look_up(void)
{
	/* PLANTED: leak kernel retained */
	must(clRetainKernel(cached));
	return cached;
}

int main(void)
{
	struct setup cl = open_device();
	cl_program program = new_program(&cl);
	cl_mem mem = new_ints(&cl);
	cl_int err;

	/* SECOND: made */
	cached = clCreateKernel(program, "add_one", &err);
	must(err);
	must(clReleaseProgram(program));
	for (int i = 0; i < ROUNDS; i++) {
		cl_kernel kernel = look_up();

		launch(cl.queue, kernel, mem, NULL);
#ifndef PLANTED
		must(clReleaseKernel(kernel));
#endif
	}
	must(clFinish(cl.queue));
	must(clReleaseKernel(cached));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
