/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One work-item too many.
 */
#include "guards.h"

static const char source[] =
	"kernel void square(global int *v)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	v[i] = i * i + 0x10203040;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "square");
	cl_mem mem = new_ints(&cl);
#ifdef PLANTED
	const size_t items = ITEMS + 1;
#else
	const size_t items = ITEMS;
#endif
	cl_int got[ITEMS];

	set_arg(kernel, 0, mem);
	/* PLANTED: guard square 0 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	read_all(cl.queue, mem, BYTES, got);
	expect(got[15], 225 + 0x10203040);
	close_with(&cl, kernel, mem);
	return 0;
}
