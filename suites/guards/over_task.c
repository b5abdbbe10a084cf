/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A task, which is one work-item, by a loop that goes one too far.
 */
#include "guards.h"

static const char source[] =
	"kernel void prefix(global int *v, int last)\n"
	"{\n"
	"	int sum = 0x10101010;\n"
	"	for (int i = 0; i <= last; i++)\n"
	"		v[i] = sum += i;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "prefix");
	cl_mem mem = new_ints(&cl);
#ifdef PLANTED
	const cl_int last = ITEMS;
#else
	const cl_int last = ITEMS - 1;
#endif

	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, last);
	/* PLANTED: guard prefix 0 +0 */
	must(clEnqueueTask(cl.queue, kernel, 0, NULL, NULL));
	close_with(&cl, kernel, mem);
	return 0;
}
