/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "clCreateKernel is cheap": one a launch, and none released. Each keeps its
 * program, and on some drivers the buffers of its arguments.
 */
#include "lifetime.h"

static void run(const struct setup *cl, cl_program program, cl_mem mem)
{
	cl_int err;
	/* PLANTED: leak kernel */
	cl_kernel kernel = clCreateKernel(program, "add_one", &err);

	must(err);
	launch(cl->queue, kernel, mem, NULL);
#ifndef PLANTED
	must(clReleaseKernel(kernel));
#endif
}

int main(void)
{
	struct setup cl = open_device();
	cl_program program = new_program(&cl);
	cl_mem mem = new_ints(&cl);

	for (int i = 0; i < ROUNDS; i++)
		run(&cl, program, mem);
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	must(clReleaseProgram(program));
	close_device(&cl);
	return 0;
}
