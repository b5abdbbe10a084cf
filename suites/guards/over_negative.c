/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A filter of radius 3 writes before the start.
 * Undefined: on pocl those bytes are the C library's
 */
#include "guards.h"

static const char source[] =
	"kernel void mark(global int *out, int low)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	for (int k = -3; k <= 3; k++)\n"
	"		if (i + k >= low && i + k < 256)\n"
	"			out[i + k] = 0x31323334;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "mark");
	cl_mem mem = new_ints(&cl);
	const size_t items = ITEMS;
#ifdef PLANTED
	const cl_int low = -3;
#else
	const cl_int low = 0;
#endif
	cl_int got[ITEMS];

	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, low);
	/* PLANTED: guard mark 0 -12 0x34 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	read_all(cl.queue, mem, BYTES, got);
	expect(got[ITEMS - 1], 0x31323334);
	close_with(&cl, kernel, mem);
	return 0;
}
