/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver's own host memory, filled through a mapping; a matrix that is not
 * square is transposed with the wrong width.
 * Undefined: on pocl some of those bytes are the C library's
 */
#include "guards.h"

enum { WIDTH = 8, HEIGHT = 10 };

static const char source[] =
	"kernel void transpose(global const int *in, global int *out,\n"
	"		      int width, int pitch)\n"
	"{\n"
	"	int x = get_global_id(0), y = get_global_id(1);\n"
	"	out[x * pitch + y] = in[y * width + x];\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "transpose");
	const size_t items[2] = { WIDTH, HEIGHT };
	const size_t size = WIDTH * HEIGHT * sizeof(cl_int);
	cl_mem in = buffer_of(&cl, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR,
			      size, NULL);
	cl_mem out = buffer_of(&cl, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
			       size, NULL);
#ifdef PLANTED
	const cl_int pitch = HEIGHT + 1;
#else
	const cl_int pitch = HEIGHT;
#endif
	const cl_int width = WIDTH;
	cl_int err;
	cl_int *map = clEnqueueMapBuffer(cl.queue, in, CL_TRUE, CL_MAP_WRITE,
					 0, size, 0, NULL, NULL, &err);

	must(err);
	for (cl_int i = 0; i < WIDTH * HEIGHT; i++)
		map[i] = 0x11223300 + i;
	must(clEnqueueUnmapMemObject(cl.queue, in, map, 0, NULL, NULL));
	set_arg(kernel, 0, in);
	set_arg(kernel, 1, out);
	set_arg(kernel, 2, width);
	set_arg(kernel, 3, pitch);
	/* PLANTED: guard transpose 1 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
	map = clEnqueueMapBuffer(cl.queue, out, CL_TRUE, CL_MAP_READ, 0, size,
				 0, NULL, NULL, &err);
	must(err);
	expect(map[1], 0x11223300 + WIDTH);
	must(clEnqueueUnmapMemObject(cl.queue, out, map, 0, NULL, NULL));
	must(clFinish(cl.queue));
	must(clReleaseMemObject(in));
	close_with(&cl, kernel, out);
	return 0;
}
