/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The global size is rounded up to whole work-groups, and the kernel does not
 * know how many items there are.
 */
#include "guards.h"

enum { COUNT = 1022, GROUP = 64 };

static const char source[] =
	"kernel void fill(global int *v, int count)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < count)\n"
	"		v[i] = i | 0x11000000;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "fill");
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE, COUNT * sizeof(cl_int),
			       NULL);
	const size_t local = GROUP, items = (COUNT + GROUP - 1) / GROUP * GROUP;
#ifdef PLANTED
	const cl_int count = (cl_int)items;
#else
	const cl_int count = COUNT;
#endif
	cl_int got[COUNT];

	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, count);
	/* PLANTED: guard fill 0 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
	read_all(cl.queue, mem, sizeof(got), got);
	expect(got[COUNT - 1], (COUNT - 1) | 0x11000000);
	close_with(&cl, kernel, mem);
	return 0;
}
