/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Only the event tells: the program polls for CL_COMPLETE and for nothing
 * else.
 *
 * Options: --timeout 2s --model generic --fault clEnqueueNDRangeKernel:gpu-crash
 * Kind: gpu-crash
 * Code: clw-gpu-crash
 * Cause: add_one
 */
#include "crashes.h"

#include <time.h>

int main(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	const size_t items = ITEMS;
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);
	cl_int status = CL_QUEUED;
	cl_event event = NULL;

	test_device(&cl);
	set_mem(kernel, 0, mem);
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0,
				    NULL, &event));
	while (status != CL_COMPLETE) {
		nanosleep(&pause, NULL);
		must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
				    sizeof(status), &status, NULL));
	}
	close_device(&cl);
	return 0;
}
