/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer made with what it holds; the histogram has one bin less than there
 * are values.
 */
#include "guards.h"

static const char source[] =
	"kernel void histogram(global const uchar *in, global uint *bins)\n"
	"{\n"
	"	atomic_add(&bins[in[get_global_id(0)]], 0x11u);\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "histogram");
	const size_t items = ITEMS;
	cl_uint bins[ITEMS] = { 0 };
	cl_uchar values[ITEMS];
	cl_mem in, out;
#ifdef PLANTED
	const size_t bin_count = 255;
#else
	const size_t bin_count = 256;
#endif

	for (int i = 0; i < ITEMS; i++)
		values[i] = (cl_uchar)i;
	in = buffer_of(&cl, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
		       sizeof(values), values);
	out = buffer_of(&cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
			bin_count * sizeof(bins[0]), bins);
	set_arg(kernel, 0, in);
	set_arg(kernel, 1, out);
	/* PLANTED: guard histogram 1 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	read_all(cl.queue, out, bin_count * sizeof(bins[0]), bins);
	holds(bins[0] == 0x11 && bins[254] == 0x11);
	must(clReleaseMemObject(in));
	close_with(&cl, kernel, out);
	return 0;
}
