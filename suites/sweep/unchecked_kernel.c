/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels are looked up by name from a table; a typing error is all that
 * could go wrong, its author thought.
 * EXPECT: misuse clCreateKernel oom-host
 */
#include "sweep.h"

enum { ADD_ONE, TWICE, KERNELS };

static void make_kernels(cl_program program, cl_kernel kernels[KERNELS])
{
	static const char *const names[KERNELS] = { "add_one", "twice" };

	for (int i = 0; i < KERNELS; i++) {
		cl_int err;

		/* PLANTED: kept whether or not there is one */
		kernels[i] = clCreateKernel(program, names[i], &err);
#ifndef PLANTED
		have(kernels[i], err);
#endif
	}
}

int main(void)
{
	struct setup cl = open_cl();
	cl_program program = make_program(&cl);
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_kernel kernels[KERNELS];
	cl_int values[ITEMS];

	must(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	make_kernels(program, kernels);
	count_up(values);
	write_ints(&cl, mem, values);
	for (int i = 0; i < KERNELS; i++) {
		must(clSetKernelArg(kernels[i], 0, sizeof(mem), &mem));
		must(try_launch(&cl, kernels[i]));
	}
	read_ints(&cl, mem, values);
	print_result(sum_of(values, ITEMS));
	for (int i = 0; i < KERNELS; i++)
		must(clReleaseKernel(kernels[i]));
	must(clReleaseProgram(program));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
