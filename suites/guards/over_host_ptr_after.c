/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer in the program's own memory, of an odd size at an odd address: one
 * byte past its end is written.
 */
#include "guards.h"

enum { SIZE = 1021 };

static const char source[] =
	"kernel void letters(global const uchar *from, global uchar *to)\n"
	"{\n"
	"	to[get_global_id(0)] = from[get_global_id(0) % 26] ^ 0x20;\n"
	"}\n";

static cl_uchar memory[SIZE + 64];

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "letters");
	char alphabet[] = "abcdefghijklmnopqrstuvwxyz";
	cl_mem from = buffer_of(&cl, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR,
				26, alphabet);
	cl_mem to = buffer_of(&cl, CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR,
			      SIZE, memory + 7);
#ifdef PLANTED
	const size_t items = SIZE + 1;
#else
	const size_t items = SIZE;
#endif
	cl_uchar got[SIZE];

	set_arg(kernel, 0, from);
	set_arg(kernel, 1, to);
	/* PLANTED: guard letters 1 +0 0x48 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	read_all(cl.queue, to, SIZE, got);
	expect(got[SIZE - 1], 'A' + (SIZE - 1) % 26);
	expect(alphabet[0], 'a');
	must(clReleaseMemObject(from));
	close_with(&cl, kernel, to);
	return 0;
}
