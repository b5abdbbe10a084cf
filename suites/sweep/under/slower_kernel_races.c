/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a kernel cannot be made, a simpler one takes its place, in which all
 * work-items note their number in one element; who looks at that is lucky.
 * EXPECT: oclgrind race clCreateKernel oom-host
 */
#include "under.h"

static const char source[] =
	"kernel void count(global int *to, int items)\n"
	"{\n"
	"	if (get_global_id(0) == 0)\n"
	"		to[0] = items;\n"
	"}\n"
	"kernel void count_simply(global int *to, int items)\n"
	"{\n"
	"	to[1] = get_global_id(0);\n"
	"	if (to[1] < items)\n"
	"		to[0] = items;\n"
	"}\n"
	"kernel void count_alone(global int *to, int items)\n"
	"{\n"
	"	if (get_global_id(0) == 0)\n"
	"		to[0] = items;\n"
	"}\n";

#ifdef PLANTED
/* PLANTED: each work-item writes */
#define SIMPLER "count_simply"
#else
#define SIMPLER "count_alone"
#endif

static cl_kernel choose_kernel(const struct setup *cl)
{
	const char *text = source;
	cl_program program;
	cl_kernel kernel;
	cl_int err;

	program = clCreateProgramWithSource(cl->context, 1, &text, NULL, &err);
	have(program, err);
	must(clBuildProgram(program, 1, &cl->device, "", NULL, NULL));
	kernel = clCreateKernel(program, "count", &err);
	if (!kernel || err != CL_SUCCESS)
		kernel = clCreateKernel(program, SIMPLER, &err);
	have(kernel, err);
	must(clReleaseProgram(program));
	return kernel;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_kernel kernel = choose_kernel(&cl);
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS] = { 0 }, items = ITEMS;

	write_ints(&cl, mem, values);
	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	must(clSetKernelArg(kernel, 1, sizeof(items), &items));
	must(launch_items(&cl, kernel, ITEMS, 8));
	read_ints(&cl, mem, values);
	print_result(values[0]);
	must(clReleaseMemObject(mem));
	must(clReleaseKernel(kernel));
	close_cl(&cl);
	return 0;
}
