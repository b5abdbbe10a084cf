/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program aborts in the callback of an event that ended negative.
 *
 * Options: --model generic --fault clEnqueueNDRangeKernel:gpu-crash
 * Kind: signal
 * Code: clw-gpu-crash
 * Cause: add_one
 */
#include "crashes.h"

static void CL_CALLBACK ended(cl_event event, cl_int status, void *user)
{
	(void)event;
	(void)user;
	if (status < 0)
		abort();
}

int main(void)
{
	const size_t items = ITEMS;
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);
	cl_event event = NULL;

	test_device(&cl);
	set_mem(kernel, 0, mem);
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0,
				    NULL, &event));
	must(clSetEventCallback(event, CL_COMPLETE, ended, NULL));
	clWaitForEvents(1, &event);
	close_device(&cl);
	return FAILED;
}
