/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer in the program's own memory: what is written past its end is in the
 * variable behind it, or gets lost.
 */
#include "guards.h"

static const char source[] =
	"kernel void label(global int *v)\n"
	"{\n"
	"	v[get_global_id(0)] = get_global_id(0) + 0x19181716;\n"
	"}\n";

static struct {
	cl_int values[ITEMS];
	cl_int behind[ITEMS];
} memory __attribute__((aligned(4096)));

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "label");
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
			       BYTES, memory.values);
#ifdef PLANTED
	const size_t items = ITEMS + 2;
#else
	const size_t items = ITEMS;
#endif
	cl_int err;
	cl_int *map;

	set_arg(kernel, 0, mem);
	/* PLANTED: guard label 0 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	map = clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_READ, 0,
				 BYTES, 0, NULL, NULL, &err);
	must(err);
	holds(map == memory.values);
	expect(memory.values[ITEMS - 1], ITEMS - 1 + 0x19181716);
	must(clEnqueueUnmapMemObject(cl.queue, mem, map, 0, NULL, NULL));
	close_with(&cl, kernel, mem);
	return 0;
}
