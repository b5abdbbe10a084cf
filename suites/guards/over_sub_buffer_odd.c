/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A part that begins at an odd multiple of the alignment, of a buffer of an odd
 * size.
 * Parts: a kernel is given a sub-buffer that ends inside its buffer
 */
#include "guards.h"

static const char source[] =
	"kernel void count_up(global uchar *v, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < n)\n"
	"		v[i] = 'A' + i % 26;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "count_up");
	size_t origin = 3 * alignment_of(&cl);
	cl_mem whole = buffer_of(&cl, CL_MEM_READ_WRITE, origin + 77, NULL);
	cl_mem part = part_of(whole, origin, 77);
	const size_t items = 96;
#ifdef PLANTED
	const cl_int count = 80;
#else
	const cl_int count = 77;
#endif

	set_arg(kernel, 0, part);
	set_arg(kernel, 1, count);
	/* PLANTED: guard count_up 0 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	must(clFinish(cl.queue));
	must(clReleaseMemObject(part));
	close_with(&cl, kernel, whole);
	return 0;
}
