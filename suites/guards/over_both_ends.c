/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A blur of five taps that writes its border on both sides.
 * Undefined: on pocl the bytes before are the C library's
 */
#include "guards.h"

static const char source[] =
	"kernel void spread(global int *v, int radius)\n"
	"{\n"
	"	int i = get_global_id(0) - radius;\n"
	"	v[i] = 0x2a2b2c2d;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "spread");
	cl_mem mem = new_ints(&cl);
#ifdef PLANTED
	const cl_int radius = 2;
	const size_t items = ITEMS + 4;
#else
	const cl_int radius = 0;
	const size_t items = ITEMS;
#endif

	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, radius);
	/* PLANTED: guard spread 0 -8 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	close_with(&cl, kernel, mem);
	return 0;
}
