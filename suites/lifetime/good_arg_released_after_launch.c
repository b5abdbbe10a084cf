/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The buffer is released right after its launch, which still waits. A launch
 * holds its arguments until it is done. The kernel keeps the stale handle as
 * its argument, and a new one takes its place before the next launch.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_event gate = new_gate(&cl);

	for (int i = 0; i < ROUNDS; i++) {
		cl_mem mem = new_ints(&cl);

		launch(cl.queue, kernel, mem, gate);
		must(clReleaseMemObject(mem));
	}
	open_gate(gate);
	must(clFinish(cl.queue));
	must(clReleaseKernel(kernel));
	close_device(&cl);
	return 0;
}
