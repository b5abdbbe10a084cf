/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What programs of this folder share that launch kernels. The mistakes here
 * are as those of ../sweep.h, and do nothing that the program itself or its
 * result would show, on most drivers: only a tool sees them. What a file says
 * of it, for suites/self/slow/sweep_under.test:
 *
 *	EXPECT: TOOL KIND FUNCTION FAULT
 *			in the first comment: when that fault meets a call of
 *			that function, the tool reports that kind of finding
 *			(harness/records/finding_kinds.def), and nothing else does
 */
#ifndef UNDER_H
#define UNDER_H

#include "../sweep.h"

static inline cl_kernel kernel_of(const struct setup *cl, const char *source,
				  const char *name)
{
	cl_program program;
	cl_kernel kernel;
	cl_int err;

	program = clCreateProgramWithSource(cl->context, 1, &source, NULL,
					    &err);
	have(program, err);
	must(clBuildProgram(program, 1, &cl->device, "", NULL, NULL));
	kernel = clCreateKernel(program, name, &err);
	have(kernel, err);
	must(clReleaseProgram(program));
	return kernel;
}

static inline cl_int launch_items(const struct setup *cl, cl_kernel kernel,
				  size_t items, size_t group)
{
	return clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &items,
				      group ? &group : NULL, 0, NULL, NULL);
}

#endif
