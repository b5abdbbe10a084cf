/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two queues, a buffer each; the launch on the second one is wrong.
 */
#include "guards.h"

static const char source[] =
	"kernel void ramp(global int *v)\n"
	"{\n"
	"	v[get_global_id(0)] = get_global_id(0) + 0x21222324;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "ramp");
	cl_command_queue second = new_queue(&cl);
	cl_mem a = new_ints(&cl), b = new_ints(&cl);
#ifdef PLANTED
	const size_t items = ITEMS + 1;
#else
	const size_t items = ITEMS;
#endif

	set_arg(kernel, 0, a);
	run(cl.queue, kernel, ITEMS);
	set_arg(kernel, 0, b);
	/* PLANTED: guard ramp 0 +0 */
	must(clEnqueueNDRangeKernel(second, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	set_arg(kernel, 0, a);
	run(cl.queue, kernel, ITEMS);
	must(clFinish(cl.queue));
	must(clFinish(second));
	must(clReleaseCommandQueue(second));
	must(clReleaseMemObject(a));
	close_with(&cl, kernel, b);
	return 0;
}
