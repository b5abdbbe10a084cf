/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A build option of another vendor's compiler.
 *
 * Options: --always
 * Kind: build-failure
 * Code: clw-kernel-build-failure
 * Cause: option|CL_INVALID_BUILD_OPTIONS|CL_BUILD_PROGRAM_FAILURE
 */
#include "crashes.h"

int main(void)
{
	const char *source = SOURCE;
	struct setup cl = open_device();
	cl_program program;
	cl_int err;

	work(&cl, USUAL);
	program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &err);
	must(err);
	must(clBuildProgram(program, 1, &cl.device, "-no-such-option-at-all",
			    NULL, NULL));
	close_device(&cl);
	return 0;
}
