/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch is pending on a buffer that lives in the program's own memory. The
 * buffer's release is legal, the driver holds it; but the program takes the
 * release for the end of the work and frees the memory.
 * Undefined: the launch writes into memory that is free
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_event gate = new_gate(&cl);
	cl_int err, *host = aligned_alloc(4096, LARGE);
	const size_t items = ITEMS;
	cl_mem mem;

	if (!host)
		return FAILED;
	memset(host, 0, LARGE);
	mem = clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, LARGE, host,
			     &err);
	must(err);
	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	/* SECOND: the launch that is pending */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 1,
				    &gate, NULL));
	/* PLANTED: late release before memory is freed that a launch uses */
	must(clReleaseMemObject(mem));
#ifdef PLANTED
	/* HOST: freed */
	free(host);
	open_gate(gate);
	must(clFinish(cl.queue));
#else
	open_gate(gate);
	must(clFinish(cl.queue));
	free(host);
#endif
	must(clReleaseKernel(kernel));
	close_device(&cl);
	return 0;
}
