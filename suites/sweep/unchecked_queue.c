/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second queue for transfers, made where nobody expected a failure.
 * EXPECT: misuse clCreateCommandQueue oom
 */
#include "sweep.h"

static cl_command_queue transfer_queue(const struct setup *cl)
{
	cl_int err;
	/* PLANTED: handed on whether or not there is one */
	cl_command_queue queue = clCreateCommandQueue(cl->context, cl->device,
						      0, &err);

#ifndef PLANTED
	have(queue, err);
#endif
	return queue;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_command_queue transfers = transfer_queue(&cl);
	cl_int values[ITEMS], back[ITEMS] = { 0 };
	cl_mem mem = make_buffer(&cl, BYTES);

	count_up(values);
	must(clEnqueueWriteBuffer(transfers, mem, CL_TRUE, 0, BYTES, values, 0,
				  NULL, NULL));
	must(clFinish(transfers));
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	must(clReleaseCommandQueue(transfers));
	close_cl(&cl);
	return 0;
}
