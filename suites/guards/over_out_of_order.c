/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An out-of-order queue; events order what has to be. The second of three
 * launches writes too far.
 * Needs: an out-of-order queue
 */
#include "guards.h"

static const char source[] =
	"kernel void add(global int *v, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	v[i] = i < n ? v[i] + 1 : 0x41424344;\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "add");
	cl_int err, got[ITEMS];
	cl_command_queue loose = clCreateCommandQueue(cl.context, cl.device,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err);
	const size_t right = ITEMS;
#ifdef PLANTED
	const size_t items = ITEMS + 2;
#else
	const size_t items = ITEMS;
#endif
	const cl_int count = ITEMS;
	cl_mem mem = new_ints(&cl);
	cl_event done[3];

	need(err == CL_SUCCESS, "an out-of-order queue");
	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, count);
	must(clEnqueueNDRangeKernel(loose, kernel, 1, NULL, &right, NULL, 0, NULL, &done[0]));
	/* PLANTED: guard add 0 +0 */
	must(clEnqueueNDRangeKernel(loose, kernel, 1, NULL, &items, NULL, 1, &done[0], &done[1]));
	must(clEnqueueNDRangeKernel(loose, kernel, 1, NULL, &right, NULL, 1, &done[1], &done[2]));
	must(clEnqueueReadBuffer(loose, mem, CL_TRUE, 0, BYTES, got, 1,
				 &done[2], NULL));
	expect(got[0], 3);
	expect(got[ITEMS - 1], 3);
	for (int i = 0; i < 3; i++)
		must(clReleaseEvent(done[i]));
	must(clReleaseCommandQueue(loose));
	close_with(&cl, kernel, mem);
	return 0;
}
