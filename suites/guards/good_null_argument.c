/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments that are no buffer: NULL, local memory, and values of eight bytes
 * that look like a handle.
 */
#include "guards.h"

static const char source[] =
	"kernel void mixed(global int *out, global const int *maybe,\n"
	"		  local int *tmp, ulong number)\n"
	"{\n"
	"	tmp[get_local_id(0)] = get_global_id(0);\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	out[get_global_id(0)] = tmp[get_local_id(0)] +\n"
	"		(maybe ? maybe[0] : 1000) + (number != 0);\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "mixed");
	cl_mem out = new_ints(&cl), none = NULL;
	const size_t items = ITEMS, local = 16;
	cl_int got[ITEMS];
	cl_ulong number = (cl_ulong)(uintptr_t)out;

	set_arg(kernel, 0, out);
	must(clSetKernelArg(kernel, 1, sizeof(none), &none));
	must(clSetKernelArg(kernel, 2, local * sizeof(cl_int), NULL));
	must(clSetKernelArg(kernel, 3, sizeof(number), &number));
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
	read_all(cl.queue, out, BYTES, got);
	expect(got[5], 1006);
	must(clSetKernelArg(kernel, 1, sizeof(out), NULL));
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
	read_all(cl.queue, out, BYTES, got);
	expect(got[5], 1006);
	set_arg(kernel, 1, out);
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &local, &local, 0, NULL, NULL));
	must(clFinish(cl.queue));
	close_with(&cl, kernel, out);
	return 0;
}
