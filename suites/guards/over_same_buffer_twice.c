/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In place: the buffer is two arguments of the kernel, and is too small for
 * one.
 */
#include "guards.h"

static const char source[] =
	"kernel void twice(global const int *in, global int *out, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	out[i] = i < n ? in[i] * 2 : 0x51525354;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "twice");
	cl_mem mem = new_ints(&cl);
	const cl_int count = ITEMS;
#ifdef PLANTED
	const size_t items = ITEMS + 2;
#else
	const size_t items = ITEMS;
#endif

	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, mem);
	set_arg(kernel, 2, count);
	/* PLANTED: guard twice 0|1 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	close_with(&cl, kernel, mem);
	return 0;
}
