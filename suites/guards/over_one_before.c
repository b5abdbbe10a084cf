/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the left neighbour of every byte, also of the first one.
 * Undefined: on pocl that byte is the C library's
 */
#include "guards.h"

enum { COUNT = 300 };

static const char source[] =
	"kernel void shift(global uchar *out, int first)\n"
	"{\n"
	"	int i = get_global_id(0) + first;\n"
	"	out[i - 1] = 'a' + i % 26;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "shift");
	cl_mem out = buffer_of(&cl, CL_MEM_READ_WRITE, COUNT, NULL);
	const size_t items = COUNT;
#ifdef PLANTED
	const cl_int first = 0;
#else
	const cl_int first = 1;
#endif
	cl_uchar got[COUNT];

	set_arg(kernel, 0, out);
	set_arg(kernel, 1, first);
	/* PLANTED: guard shift 0 -1 0x61 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	read_all(cl.queue, out, COUNT - 1, got);
	holds(got[0] == 'b');
	close_with(&cl, kernel, out);
	return 0;
}
