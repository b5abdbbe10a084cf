/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a whole buffer cannot be had a smaller one has to do, and the launch
 * goes on over all items: only "openclaw sweep --guards" gets there. What is printed
 * is the same.
 */
#include "guards.h"

static const char source[] =
	"kernel void square(global int *out)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	out[i] = i * i;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "square");
	size_t items = ITEMS;
	cl_int values[2], err;
	cl_mem mem = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, BYTES, NULL,
				    &err);

	if (!mem) {
		mem = buffer_of(&cl, CL_MEM_READ_WRITE, BYTES - 4, NULL);
#ifndef PLANTED
		items -= 1;
#endif
	}
	set_arg(kernel, 0, mem);
	/* PLANTED: after clCreateBuffer oom */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	read_all(cl.queue, mem, sizeof(values), values);
	printf("%d %d\n", values[0], values[1]);
	close_with(&cl, kernel, mem);
	return 0;
}
