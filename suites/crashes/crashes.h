/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the programs of this folder share. Each goes about its work for a
 * while, as programs do, and then fails in one way, which stands in
 * its first comment for suites/self/slow/crashes.test to read:
 *
 *	Options: WORDS	for openclaw capture: the fault, the model
 *	Kind: WORD	what claw_crash_kind_name() calls it
 *	Code: clw-WORD	of faults/shared/diagnosis.def, or none
 *	Cause: REGEXP	what the first of the likely causes says, whatever the case,
 *			but for "injected", unless it begins with that word
 *	Host: WHY	it fails outside OpenCL: a dump cannot bring
 *			that about again
 *	Needs: WHAT	it is skipped on a device without (status 77)
 *
 * All end by themselves, with a signal or a status that is not 0, within a
 * second or when their time is over.
 */
#ifndef CRASHES_H
#define CRASHES_H

#include "../sweep/sweep.h"

enum {
	USUAL = 24,		/* rounds of work before the end */
	MANY = 1 << 26,		/* work-items, or a long way past a buffer's end */
};

#define CRASH_SOURCE							\
	"kernel void store(global int *v, int at)\n"			\
	"{\n"								\
	"	v[at + get_global_id(0)] = 7;\n"			\
	"}\n"								\
	"kernel void load(global int *to, global const int *from)\n"	\
	"{\n"								\
	"	to[0] = from[get_global_id(0)];\n"			\
	"}\n"								\
	"kernel void divide(global int *v, int by)\n"			\
	"{\n"								\
	"	v[get_global_id(0)] = 100 / by;\n"			\
	"}\n"								\
	"kernel void never_ends(global volatile int *v)\n"		\
	"{\n"								\
	"	while (v[0] == 0)\n"					\
	"		v[1]++;\n"					\
	"}\n"								\
	"kernel void sum(global int *v, local int *part)\n"		\
	"{\n"								\
	"	part[get_local_id(0)] = v[get_global_id(0)];\n"		\
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"			\
	"	if (get_local_id(0) == 0)\n"				\
	"		v[0] = part[0];\n"				\
	"}\n"

static inline cl_program crash_program(const struct setup *cl)
{
	const char *source = CRASH_SOURCE;
	cl_int err;
	cl_program program = clCreateProgramWithSource(cl->context, 1, &source,
						       NULL, &err);

	must(err);
	must(clBuildProgram(program, 1, &cl->device, "", NULL, NULL));
	return program;
}

static inline cl_kernel crash_kernel(const struct setup *cl, const char *name)
{
	cl_program program = crash_program(cl);
	cl_kernel kernel = new_kernel(program, name);

	must(clReleaseProgram(program));
	return kernel;
}

/* Rounds of what is right: a buffer, a write, two launches, a read. */
static inline void work(const struct setup *cl, int rounds)
{
	cl_int values[ITEMS];
	cl_kernel kernel = add_one(cl);

	for (int round = 0; round < rounds; round++) {
		cl_mem mem = new_ints(cl);

		count_up(values);
		must(clEnqueueWriteBuffer(cl->queue, mem, CL_TRUE, 0, BYTES,
					  values, 0, NULL, NULL));
		launch(cl->queue, kernel, mem, NULL);
		launch(cl->queue, kernel, mem, NULL);
		must(clEnqueueReadBuffer(cl->queue, mem, CL_TRUE, 0, BYTES,
					 values, 0, NULL, NULL));
		expect(values[ITEMS - 1], ITEMS + 2);
		must(clReleaseMemObject(mem));
	}
	must(clReleaseKernel(kernel));
}

/* One argument after the other: a memory object, a number. */
static inline void set_mem(cl_kernel kernel, cl_uint index, cl_mem mem)
{
	must(clSetKernelArg(kernel, index, sizeof(mem), &mem));
}

static inline void set_int(cl_kernel kernel, cl_uint index, cl_int value)
{
	must(clSetKernelArg(kernel, index, sizeof(value), &value));
}

static inline void launch_over(const struct setup *cl, cl_kernel kernel,
			       size_t items)
{
	must(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &items, NULL, 0,
				    NULL, NULL));
	must(clFinish(cl->queue));
}

#endif
