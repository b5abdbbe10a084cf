/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel that uses none of its buffers, and one that only reads: nothing is
 * changed, and a kernel's answers about itself are its own.
 */
#include "guards.h"

static const char source[] =
	"kernel void idle(global int *a, global const int *b, int c) {}\n"
	"kernel void peek(global const int *a, global int *out)\n"
	"{\n"
	"	if (get_global_id(0) == 0)\n"
	"		out[0] = a[255];\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel idle = kernel_of(&cl, source, "idle");
	cl_kernel peek = kernel_of(&cl, source, "peek");
	cl_mem mem = new_ints(&cl), other = new_ints(&cl);
	const cl_int number = 7;
	cl_int got[ITEMS];
	cl_uint count = 0;
	char name[64] = "";

	must(clGetKernelInfo(idle, CL_KERNEL_NUM_ARGS, sizeof(count), &count,
			     NULL));
	expect((cl_int)count, 3);
	must(clGetKernelInfo(idle, CL_KERNEL_FUNCTION_NAME, sizeof(name), name,
			     NULL));
	expect(strcmp(name, "idle"), 0);
	set_arg(idle, 0, mem);
	set_arg(idle, 1, other);
	set_arg(idle, 2, number);
	run(cl.queue, idle, ITEMS);
	set_arg(peek, 0, mem);
	set_arg(peek, 1, other);
	run(cl.queue, peek, ITEMS);
	read_all(cl.queue, mem, BYTES, got);
	for (int i = 0; i < ITEMS; i++)
		expect(got[i], 0);
	must(clReleaseKernel(peek));
	must(clReleaseMemObject(other));
	close_with(&cl, idle, mem);
	return 0;
}
