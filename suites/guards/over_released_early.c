/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The buffer and the kernel are released while the launch is pending, which is
 * right.
 */
#include "guards.h"

static const char source[] =
	"kernel void orphan(global int *v)\n"
	"{\n"
	"	v[get_global_id(0)] = 0x56575859;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "orphan");
	cl_mem mem = new_ints(&cl);
	cl_event gate = new_gate(&cl);
#ifdef PLANTED
	const size_t items = ITEMS + 1;
#else
	const size_t items = ITEMS;
#endif

	set_arg(kernel, 0, mem);
	/* PLANTED: guard orphan 0 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 1, &gate, NULL));
	must(clReleaseMemObject(mem));
	must(clReleaseKernel(kernel));
	open_gate(gate);
	close_device(&cl);
	return 0;
}
