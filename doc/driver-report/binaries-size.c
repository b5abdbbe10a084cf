/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The binaries of a program, by a list with room for one more: param_value_size
 * must be at least as large as the value (CL_INVALID_VALUE "if the size in bytes
 * specified by param_value_size is < size of return type").
 * SPECIFICATION: clGetProgramInfo, CL_PROGRAM_BINARIES
 * DEVIATES: rusticl 22.3.6: aborts
 */
#include "setup.h"

int main(void)
{
	unsigned char *list[2] = { NULL };
	cl_program program;
	size_t bytes = 0;

	setup();
	clGetKernelInfo(new_kernel("kernel void k(global int *p) { *p = 1; }", "k"),
			CL_KERNEL_PROGRAM, sizeof(program), &program, NULL);
	clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes,
			 NULL);
	list[0] = malloc(bytes);
	return expect("clGetProgramInfo",
		      clGetProgramInfo(program, CL_PROGRAM_BINARIES,
				       sizeof(list), list, NULL),
		      CL_SUCCESS);
}
