/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transfers go through a queue of their own, out of order. When its first
 * command is not taken, the common queue will do; the new one stays.
 * EXPECT: leak clEnqueueMarkerWithWaitList oom
 */
#include "sweep.h"

/* A queue that works, or the common one. */
static cl_command_queue transfer_queue(const struct setup *cl)
{
	cl_int err;
	cl_command_queue queue = clCreateCommandQueue(cl->context, cl->device,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err);

	if (err != CL_SUCCESS || !queue)
		return cl->queue;
	err = clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL);
	if (err == CL_SUCCESS)
		err = clFinish(queue);
	if (err == CL_SUCCESS)
		return queue;
	/* PLANTED: the queue that does not work is forgotten */
#ifndef PLANTED
	must(clReleaseCommandQueue(queue));
#endif
	return cl->queue;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_command_queue queue = transfer_queue(&cl);
	cl_int values[ITEMS], back[ITEMS] = { 0 };
	cl_mem mem = make_buffer(&cl, BYTES);

	count_up(values);
	must(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, BYTES, values, 0,
				  NULL, NULL));
	must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, BYTES, back, 0, NULL,
				 NULL));
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	if (queue != cl.queue)
		must(clReleaseCommandQueue(queue));
	close_cl(&cl);
	return 0;
}
