/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that write right up to both ends, and read what they wrote: nothing
 * is outside, also through parts that touch each other.
 * Parts: a kernel is given a sub-buffer that ends inside its buffer
 */
#include "guards.h"

static const char source[] =
	"kernel void ends(global uchar *v, uint n)\n"
	"{\n"
	"	v[0] = 0xfe;\n"
	"	v[n - 1] = 0xef;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "ends");
	size_t step = alignment_of(&cl);

	for (cl_uint size = 1; size < 70; size += 3) {
		cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE, size, NULL);
		cl_uchar got[70];

		set_arg(kernel, 0, mem);
		set_arg(kernel, 1, size);
		run(cl.queue, kernel, 1);
		read_all(cl.queue, mem, size, got);
		expect(got[size - 1], 0xef);
		holds(size == 1 || got[0] == 0xfe);
		must(clReleaseMemObject(mem));
	}

	cl_mem whole = buffer_of(&cl, CL_MEM_READ_WRITE, 4 * step, NULL);

	for (size_t i = 0; i < 4; i++) {
		cl_mem part = part_of(whole, i * step, step);
		cl_uint size = (cl_uint)step;

		set_arg(kernel, 0, part);
		set_arg(kernel, 1, size);
		run(cl.queue, kernel, 1);
		must(clReleaseMemObject(part));
	}
	close_with(&cl, kernel, whole);
	return 0;
}
