/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two queues read one buffer at the same time. Nobody writes, so no order is
 * needed.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue second = new_queue(&cl);
	cl_mem mem = new_ints(&cl);
	cl_int a[ITEMS], b[ITEMS];

	must(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, BYTES, a, 0, NULL,
				 NULL));
	must(clEnqueueReadBuffer(second, mem, CL_FALSE, 0, BYTES, b, 0, NULL,
				 NULL));
	must(clFinish(cl.queue));
	must(clFinish(second));
	expect(memcmp(a, b, BYTES), 0);
	must(clReleaseMemObject(mem));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
