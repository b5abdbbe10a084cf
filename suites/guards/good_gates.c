/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches behind user events, with each call between them that must not
 * wait: nothing that guard zones do may hold the program up, or it would wait
 * for itself.
 */
#include "guards.h"

static const char source[] =
	"kernel void advance(global int *v, int by)\n"
	"{\n"
	"	v[get_global_id(0)] = v[get_global_id(0)] * 3 + by;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "advance");
	cl_mem mem = new_ints(&cl), part = part_of(mem, 512, 512);
	const size_t items = ITEMS;
	cl_event gates[3], done[3];
	cl_int got[ITEMS], status;

	set_arg(kernel, 0, mem);
	for (cl_int i = 0; i < 3; i++) {
		cl_mem extra = new_ints(&cl);

		gates[i] = new_gate(&cl);
		set_arg(kernel, 1, i);
		must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 1, &gates[i], &done[i]));
		must(clRetainMemObject(mem));
		must(clReleaseMemObject(mem));
		must(clReleaseMemObject(extra));
		must(clGetEventInfo(done[i], CL_EVENT_COMMAND_EXECUTION_STATUS,
				    sizeof(status), &status, NULL));
		holds(status > CL_COMPLETE);
	}
	must(clReleaseMemObject(part));
	for (int i = 2; i >= 0; i--)
		open_gate(gates[i]);
	read_all(cl.queue, mem, BYTES, got);
	expect(got[0], (0 * 3 + 1) * 3 + 2);
	for (int i = 0; i < 3; i++)
		must(clReleaseEvent(done[i]));
	close_with(&cl, kernel, mem);
	return 0;
}
