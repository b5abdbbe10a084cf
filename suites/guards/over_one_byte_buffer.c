/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flag of one byte, which the kernel takes for a short.
 */
#include "guards.h"

static const char source[] =
	"kernel void flag(global uchar *found, int size)\n"
	"{\n"
	"	for (int i = 0; i < size; i++)\n"
	"		found[i] = 'f';\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "flag");
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE, 1, NULL);
	const size_t items = 1;
#ifdef PLANTED
	const cl_int size = 2;
#else
	const cl_int size = 1;
#endif
	char got;

	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, size);
	/* PLANTED: guard flag 0 +0 0x66 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	read_all(cl.queue, mem, 1, &got);
	holds(got == 'f');
	close_with(&cl, kernel, mem);
	return 0;
}
