/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer in the program's own memory, and one byte before its start is
 * written, by a kernel that gets a part of it.
 * Parts: a kernel is given a sub-buffer that ends inside its buffer
 */
#include "guards.h"

static const char source[] =
	"kernel void dot_at(global uchar *v, int at)\n"
	"{\n"
	"	v[at] = 0x2e;\n"
	"}\n";

static struct {
	cl_uchar before[4096];
	cl_uchar values[4096];
} memory __attribute__((aligned(4096)));

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "dot_at");
	cl_mem mem = buffer_of(&cl, CL_MEM_USE_HOST_PTR, 4096, memory.values);
	cl_mem part = part_of(mem, 0, 1024);
#ifdef PLANTED
	cl_int at = -1;
#else
	cl_int at = 0;
#endif
	size_t one = 1;
	cl_int err;
	char *map;

	set_arg(kernel, 0, part);
	set_arg(kernel, 1, at);
	/* PLANTED: guard dot_at 0 -1 0x2e */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
	at = 4095;
	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, at);
	run(cl.queue, kernel, 1);
	map = clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_READ, 4095, 1,
				 0, NULL, NULL, &err);
	must(err);
	expect(*map, 0x2e);
	must(clEnqueueUnmapMemObject(cl.queue, mem, map, 0, NULL, NULL));
	must(clReleaseMemObject(part));
	close_with(&cl, kernel, mem);
	return 0;
}
