/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last launch before the end: nobody waits for it, nothing is given back.
 */
#include "guards.h"

static const char source[] =
	"kernel void farewell(global int *v)\n"
	"{\n"
	"	v[get_global_id(0)] = 0x36373839;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "farewell");
	cl_mem mem = new_ints(&cl);
	/* pocl compiles for a work-group's size; at exit that aborts it. */
	const size_t first = ITEMS, alone = 1;
#ifdef PLANTED
	const size_t items = ITEMS + 1;
#else
	const size_t items = ITEMS;
#endif

	set_arg(kernel, 0, mem);
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &first, &alone, 0, NULL, NULL));
	must(clFinish(cl.queue));
	/* PLANTED: guard farewell 0 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, &alone, 0, NULL, NULL));
	must(clFlush(cl.queue));
	return 0;
}
