/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A large buffer: a copy of the whole would be felt. The last byte is one too
 * far.
 */
#include "guards.h"

enum { SIZE = 64 << 20, STRIDE = 4096 };

static const char source[] =
	"kernel void touch(global uchar *v, int stride)\n"
	"{\n"
	"	v[get_global_id(0) * stride] = 't';\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "touch");
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE, SIZE, NULL);
	const cl_int stride = STRIDE;
#ifdef PLANTED
	const size_t items = SIZE / STRIDE + 1;
#else
	const size_t items = SIZE / STRIDE;
#endif

	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, stride);
	/* PLANTED: guard touch 0 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	close_with(&cl, kernel, mem);
	return 0;
}
