/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels read and write each byte of buffers of every small size, and where
 * they are: a guard zone begins right behind the last byte, and the first one
 * is as aligned as it was.
 */
#include "guards.h"

static const char source[] =
	"kernel void flip(global uchar *v, uint n, global ulong *seen)\n"
	"{\n"
	"	ulong sum = 0;\n"
	"	for (uint i = 0; i < n; i++) {\n"
	"		sum += v[i];\n"
	"		v[i] = ~v[i];\n"
	"	}\n"
	"	seen[0] = sum;\n"
	"	seen[1] = (ulong)(size_t)v;\n"
	"}\n";

static void flip(const struct setup *cl, cl_kernel kernel, cl_uint size,
		 cl_mem seen)
{
	cl_uchar bytes[600], got[600];
	cl_ulong sum = 0, result[2];
	cl_mem mem;

	for (cl_uint i = 0; i < size; i++)
		sum += bytes[i] = (cl_uchar)(i * 37 + size);
	mem = buffer_of(cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size,
			bytes);
	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, size);
	set_arg(kernel, 2, seen);
	run(cl->queue, kernel, 1);
	read_all(cl->queue, seen, sizeof(result), result);
	holds(result[0] == sum);
	/* Of the largest type, which is what has to be: 16 longs. */
	holds(result[1] % 128 == 0);
	read_all(cl->queue, mem, size, got);
	for (cl_uint i = 0; i < size; i++)
		expect(got[i], (cl_uchar)~bytes[i]);
	must(clReleaseMemObject(mem));
}

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "flip");
	cl_mem seen = buffer_of(&cl, CL_MEM_READ_WRITE, 2 * sizeof(cl_ulong),
				NULL);

	for (cl_uint size = 1; size <= 600; size += size < 140 ? 1 : 23)
		flip(&cl, kernel, size, seen);
	close_with(&cl, kernel, seen);
	return 0;
}
