/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "It is only a copy of the text": the program object is not checked, its
 * build is.
 * EXPECT: misuse clCreateProgramWithSource oom-host
 */
#include "sweep.h"

int main(void)
{
	struct setup cl = open_cl();
	const char *source = SOURCE;
	cl_int values[ITEMS], err;
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_kernel kernel;
	/* PLANTED: built whether or not there is one */
	cl_program program = clCreateProgramWithSource(cl.context, 1, &source,
						       NULL, &err);

#ifndef PLANTED
	have(program, err);
#endif
	must(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	kernel = clCreateKernel(program, "add_one", &err);
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
