/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two queues write and read one buffer without an event between them: the host
 * waits for the first to finish before it asks the second.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue second = new_queue(&cl);
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);
	cl_int got = 0;

	for (int i = 0; i < ROUNDS; i++) {
		launch(cl.queue, kernel, mem, NULL);
		must(clFinish(cl.queue));
		must(clEnqueueReadBuffer(second, mem, CL_TRUE, 0, sizeof(got),
					 &got, 0, NULL, NULL));
		expect(got, i + 1);
	}
	must(clReleaseMemObject(mem));
	must(clReleaseKernel(kernel));
	must(clReleaseCommandQueue(second));
	close_device(&cl);
	return 0;
}
