/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the kernel stores is what another kernel computed from what the host
 * wrote: the launch that crashes has no wrong argument.
 *
 * Kind: gpu-crash
 * Code: clw-gpu-crash
 * Cause: accesses memory outside its buffers.*scatter
 */
#include "crashes.h"

#define SCATTER								\
	"kernel void grow(global int *at)\n"				\
	"{\n"								\
	"	at[get_global_id(0)] *= 1 << 20;\n"			\
	"}\n"								\
	"kernel void scatter(global int *v, global const int *at)\n"	\
	"{\n"								\
	"	v[at[get_global_id(0)]] = 7;\n"				\
	"}\n"

int main(void)
{
	const char *source = SCATTER;
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl), at = new_ints(&cl);
	cl_int values[ITEMS], err;
	cl_program program;
	cl_kernel grow, scatter;

	work(&cl, USUAL);
	program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &err);
	must(err);
	must(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	grow = new_kernel(program, "grow");
	scatter = new_kernel(program, "scatter");
	count_up(values);
	write_ints(&cl, at, values);
	set_mem(grow, 0, at);
	launch_over(&cl, grow, ITEMS);
	set_mem(scatter, 0, mem);
	set_mem(scatter, 1, at);
	launch_over(&cl, scatter, ITEMS);
	close_device(&cl);
	return 0;
}
