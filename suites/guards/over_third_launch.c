/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments are set once; every round goes on where the last one ended, and
 * the third passes the end.
 */
#include "guards.h"

enum { CHUNK = 100 };

static const char source[] =
	"kernel void chunk(global int *v)\n"
	"{\n"
	"	v[get_global_id(0)] = 0x71727374;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "chunk");
	cl_mem mem = new_ints(&cl);

	set_arg(kernel, 0, mem);
	for (size_t from = 0; from < ITEMS; from += CHUNK) {
		size_t items = CHUNK;

#ifndef PLANTED
		if (from + items > ITEMS)
			items = ITEMS - from;
#else
		if (from + items > ITEMS)
			items = ITEMS + 1 - from;
#endif
		/* PLANTED: guard chunk 0 +0 */
		must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, &from, &items, NULL, 0, NULL, NULL));
	}
	close_with(&cl, kernel, mem);
	return 0;
}
