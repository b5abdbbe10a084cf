/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each user of a program retains it and releases it, but the one that stops
 * early because a kernel is missing does not. The program stays with all its
 * code, on every driver.
 */
#include "lifetime.h"

static bool has_kernel(cl_program program, const char *name)
{
	cl_kernel kernel;
	cl_int err;

	/* PLANTED: leak program retained */
	must(clRetainProgram(program));
	kernel = clCreateKernel(program, name, &err);
	if (err != CL_SUCCESS) {
#ifndef PLANTED
		must(clReleaseProgram(program));
#endif
		return false;
	}
	must(clReleaseKernel(kernel));
	must(clReleaseProgram(program));
	return true;
}

int main(void)
{
	struct setup cl = open_device();
	const char *source = SOURCE;
	cl_int err;
	/* SECOND: made */
	cl_program program = clCreateProgramWithSource(cl.context, 1, &source,
						       NULL, &err);

	must(err);
	must(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	expect(has_kernel(program, "twice"), true);
	expect(has_kernel(program, "thrice"), false);
	must(clReleaseProgram(program));
	close_device(&cl);
	return 0;
}
