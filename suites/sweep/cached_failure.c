/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs are kept once they are built. One that did not build is kept, too,
 * and who asks the second time is not told.
 * EXPECT: swallowed clBuildProgram build-fail
 */
#include "sweep.h"

static cl_program cached;

/* NULL: it does not build. */
static cl_program get_program(const struct setup *cl)
{
	cl_int err;

	if (cached)
		return cached;
	cached = make_program(cl);
	err = clBuildProgram(cached, 1, &cl->device, "", NULL, NULL);
	if (err == CL_SUCCESS)
		return cached;
	/* PLANTED: what failed stays in the cache */
#ifndef PLANTED
	must(clReleaseProgram(cached));
	cached = NULL;
#endif
	return NULL;
}

static bool apply(const struct setup *cl, const char *name, cl_mem mem)
{
	cl_program program = get_program(cl);
	cl_kernel kernel;
	cl_int err;

	if (!program)
		program = get_program(cl);	/* the compiler was busy? */
	if (!program)
		return false;
	kernel = clCreateKernel(program, name, &err);
	if (err == CL_INVALID_PROGRAM_EXECUTABLE)
		return true;		/* not for this device */
	have(kernel, err);
	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	must(try_launch(cl, kernel));
	must(clReleaseKernel(kernel));
	return true;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS];

	count_up(values);
	write_ints(&cl, mem, values);
	if (!apply(&cl, "twice", mem) || !apply(&cl, "add_one", mem))
		return failed("the build", CL_BUILD_PROGRAM_FAILURE);
	read_ints(&cl, mem, values);
	print_result(sum_of(values, ITEMS));
	must(clReleaseProgram(cached));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
