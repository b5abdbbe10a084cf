/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three dimensions, and one slice too many.
 */
#include "guards.h"

enum { X = 6, Y = 5, Z = 3 };

static const char source[] =
	"kernel void voxels(global uchar *v, int width, int height)\n"
	"{\n"
	"	int x = get_global_id(0), y = get_global_id(1);\n"
	"	int z = get_global_id(2);\n"
	"	if (z == 3 && y > 0)\n"
	"		return;\n"
	"	v[(z * height + y) * width + x] = 'a' + x;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "voxels");
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE, X * Y * Z, NULL);
	const cl_int width = X, height = Y;
#ifdef PLANTED
	const size_t items[3] = { X, Y, Z + 1 };
#else
	const size_t items[3] = { X, Y, Z };
#endif
	cl_uchar got[X * Y * Z];

	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, width);
	set_arg(kernel, 2, height);
	/* PLANTED: guard voxels 0 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 3, NULL, items, NULL, 0, NULL, NULL));
	read_all(cl.queue, mem, sizeof(got), got);
	holds(got[sizeof(got) - 1] == 'a' + X - 1);
	close_with(&cl, kernel, mem);
	return 0;
}
