/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a buffer cannot be filled, a kernel has to do it; of the last item it
 * writes what was never set. Nobody reads that one.
 * EXPECT: oclgrind uninitialized-read clEnqueueFillBuffer oom
 */
#include "under.h"

static const char source[] =
	"kernel void fill(global int *to, int items)\n"
	"{\n"
	"	int i = get_global_id(0), value;\n"
	"	if (i < items)\n"
	"		value = 5;\n"
	"	to[i] = value;\n"
	"}\n";

static void fill(const struct setup *cl, cl_mem mem)
{
	cl_kernel kernel = kernel_of(cl, source, "fill");
	cl_int items = ITEMS;

#ifdef PLANTED
	/* PLANTED: the last item is none of them */
	items = ITEMS - 1;
#endif
	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	must(clSetKernelArg(kernel, 1, sizeof(items), &items));
	must(launch_items(cl, kernel, ITEMS, 0));
	must(clReleaseKernel(kernel));
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS] = { 0 }, five = 5;

	if (clEnqueueFillBuffer(cl.queue, mem, &five, sizeof(five), 0, BYTES,
				0, NULL, NULL) != CL_SUCCESS)
		fill(&cl, mem);
	read_ints(&cl, mem, values);
	print_result(sum_of(values, ITEMS - 1));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
