/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Four buffers, and only the third is too small.
 */
#include "guards.h"

static const char source[] =
	"kernel void blend(global const int *a, global const int *b,\n"
	"		  global int *out, global int *count)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	out[i] = a[i] * 3 + b[i] * 5;\n"
	"	if (i == 0)\n"
	"		count[0] = get_global_size(0);\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "blend");
	const size_t items = ITEMS;
	cl_int ones[ITEMS];
	cl_mem mems[4];
#ifdef PLANTED
	const size_t size = BYTES - 4;
#else
	const size_t size = BYTES;
#endif

	for (int i = 0; i < ITEMS; i++)
		ones[i] = 0x01010101;
	for (cl_uint i = 0; i < 4; i++) {
		mems[i] = buffer_of(&cl, CL_MEM_READ_WRITE |
				    CL_MEM_COPY_HOST_PTR,
				    i == 2 ? size : BYTES, ones);
		set_arg(kernel, i, mems[i]);
	}
	/* PLANTED: guard blend 2 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	read_all(cl.queue, mems[2], BYTES - 4, ones);
	expect(ones[7], 0x08080808);
	read_all(cl.queue, mems[3], sizeof(ones[0]), ones);
	expect(ones[0], ITEMS);
	for (int i = 0; i < 3; i++)
		must(clReleaseMemObject(mems[i]));
	close_with(&cl, kernel, mems[3]);
	return 0;
}
