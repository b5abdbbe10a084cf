/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the program does not build with the fast options, it is made again
 * without them. The one that failed is an object, too.
 * EXPECT: leak clBuildProgram build-fail
 */
#include "sweep.h"

static cl_program build(const struct setup *cl)
{
	static const char *const options[] = { "-cl-mad-enable", "" };

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		cl_program program = make_program(cl);

		if (clBuildProgram(program, 1, &cl->device, options[i], NULL,
				   NULL) == CL_SUCCESS)
			return program;
		/* PLANTED: the program that did not build is forgotten */
#ifndef PLANTED
		must(clReleaseProgram(program));
#endif
	}
	exit(failed("every way to build", CL_BUILD_PROGRAM_FAILURE));
}

int main(void)
{
	struct setup cl = open_cl();
	cl_program program = build(&cl);
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], err;
	cl_kernel kernel = clCreateKernel(program, "twice", &err);

	have(kernel, err);
	count_up(values);
	write_ints(&cl, mem, values);
	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	must(try_launch(&cl, kernel));
	read_ints(&cl, mem, values);
	print_result(sum_of(values, ITEMS));
	must(clReleaseKernel(kernel));
	must(clReleaseProgram(program));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
