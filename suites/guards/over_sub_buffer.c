/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last part of a pool: what is written past its end is past the pool's.
 * Parts: a kernel is given a sub-buffer that ends inside its buffer
 */
#include "guards.h"

enum { PARTS = 4 };

static const char source[] =
	"kernel void stamp(global int *v)\n"
	"{\n"
	"	v[get_global_id(0)] = 0x61626364;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "stamp");
	cl_mem pool = buffer_of(&cl, CL_MEM_READ_WRITE, PARTS * BYTES, NULL);
	cl_mem part = part_of(pool, (PARTS - 1) * BYTES, BYTES);
#ifdef PLANTED
	const size_t items = ITEMS + 2;
#else
	const size_t items = ITEMS;
#endif

	set_arg(kernel, 0, part);
	/* PLANTED: guard stamp 0 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	must(clFinish(cl.queue));
	must(clReleaseMemObject(part));
	close_with(&cl, kernel, pool);
	return 0;
}
