/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An autotuner builds the same source with other options and keeps the best;
 * the programs that lost are forgotten. Compiled code stays for each of them,
 * on every driver.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	const char *source = "kernel void k(global int *v) { v[0] = WIDTH; }";
	const char *const options[] = { "-DWIDTH=1", "-DWIDTH=2" };
	cl_program best = NULL;

	for (int i = 0; i < 2; i++) {
		cl_int err;
		/* PLANTED: leak program */
		cl_program program = clCreateProgramWithSource(
			cl.context, 1, &source, NULL, &err);

		must(err);
		must(clBuildProgram(program, 1, &cl.device, options[i], NULL,
				    NULL));
#ifndef PLANTED
		if (best)
			must(clReleaseProgram(best));
#endif
		best = program;
	}
	must(clReleaseProgram(best));
	close_device(&cl);
	return 0;
}
