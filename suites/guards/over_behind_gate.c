/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The launch waits for a user event, and is made long before it runs.
 */
#include "guards.h"

static const char source[] =
	"kernel void later(global int *v)\n"
	"{\n"
	"	v[get_global_id(0)] = 0x46474849;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "later");
	cl_mem mem = new_ints(&cl), other = new_ints(&cl);
	cl_event gate = new_gate(&cl);
#ifdef PLANTED
	const size_t items = ITEMS + 1;
#else
	const size_t items = ITEMS;
#endif
	cl_int got[ITEMS];

	set_arg(kernel, 0, mem);
	/* PLANTED: guard later 0 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 1, &gate, NULL));
	set_arg(kernel, 0, other);
	run(cl.queue, kernel, ITEMS);
	open_gate(gate);
	read_all(cl.queue, mem, BYTES, got);
	expect(got[0], 0x46474849);
	must(clReleaseMemObject(other));
	close_with(&cl, kernel, mem);
	return 0;
}
