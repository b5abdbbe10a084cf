/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where there is no buffer for the whole, the halves are done one after the
 * other; the second half has one work-item too many, which writes behind the
 * end, into what drivers leave free there.
 * EXPECT: oclgrind invalid-write clCreateBuffer oom
 */
#include "under.h"

enum { HALF = ITEMS / 2 };

static const char source[] =
	"kernel void number(global int *to, int from)\n"
	"{\n"
	"	size_t i = get_global_id(0);\n"
	"	to[i] = from + i + 1;\n"
	"}\n";

static void fill(const struct setup *cl, cl_kernel kernel, cl_mem mem,
		 cl_int *values, cl_int from, size_t items)
{
	size_t count = items > HALF && from > 0 ? HALF : items;

	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	must(clSetKernelArg(kernel, 1, sizeof(from), &from));
	must(launch_items(cl, kernel, items, 0));
	must(clEnqueueReadBuffer(cl->queue, mem, CL_TRUE, 0,
				 count * sizeof(cl_int), values + from, 0,
				 NULL, NULL));
}

static void fill_halves(const struct setup *cl, cl_kernel kernel,
			cl_int *values)
{
	cl_mem mem = make_buffer(cl, HALF * sizeof(cl_int));
	size_t last = HALF;

#ifdef PLANTED
	/* PLANTED: 128 .. 256, both of them */
	last = HALF + 1;
#endif
	fill(cl, kernel, mem, values, 0, HALF);
	fill(cl, kernel, mem, values, HALF, last);
	must(clReleaseMemObject(mem));
}

/* With an argument halves are all that is tried. */
int main(int argc, char **argv)
{
	struct setup cl = open_cl();
	cl_kernel kernel = kernel_of(&cl, source, "number");
	cl_int values[ITEMS] = { 0 };
	cl_mem whole = argc > 1 ? NULL : try_buffer(&cl, BYTES);

	(void)argv;
	if (whole) {
		fill(&cl, kernel, whole, values, 0, ITEMS);
		must(clReleaseMemObject(whole));
	} else {
		fill_halves(&cl, kernel, values);
	}
	print_result(sum_of(values, ITEMS));
	must(clReleaseKernel(kernel));
	close_cl(&cl);
	return 0;
}
