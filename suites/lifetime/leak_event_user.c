/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each job is held back by a user event, which is completed and then thought
 * to be over. An event that is complete is still an object: the host's memory
 * grows on every driver.
 */
#include "lifetime.h"

static void run_job(const struct setup *cl, cl_mem mem)
{
	cl_int value = 1, err;
	/* PLANTED: leak event */
	cl_event ready = clCreateUserEvent(cl->context, &err);

	must(err);
	must(clEnqueueWriteBuffer(cl->queue, mem, CL_FALSE, 0, sizeof(value),
				  &value, 1, &ready, NULL));
	must(clSetUserEventStatus(ready, CL_COMPLETE));
	must(clFinish(cl->queue));
#ifndef PLANTED
	must(clReleaseEvent(ready));
#endif
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);

	for (int i = 0; i < ROUNDS; i++)
		run_job(&cl, mem);
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
