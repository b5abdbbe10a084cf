/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that does not compile: its kernel is asked for all the same.
 *
 * Options: --always
 * Kind: build-failure
 * Code: clw-kernel-build-failure
 * Cause: (build|compile).*(undeclared|CL_BUILD_PROGRAM_FAILURE|log)
 */
#include "crashes.h"

int main(void)
{
	const char *source = "kernel void broken(global int *v)\n"
			     "{\n"
			     "	v[0] = no_such_thing;\n"
			     "}\n";
	struct setup cl = open_device();
	cl_program program;
	cl_kernel kernel;
	cl_int err;

	work(&cl, USUAL);
	program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &err);
	must(err);
	clBuildProgram(program, 1, &cl.device, "", NULL, NULL);
	kernel = clCreateKernel(program, "broken", &err);
	if (!kernel)
		return failed("broken", err);
	close_device(&cl);
	return 0;
}
