/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clFinish after a clFlush: has the kernel completed?
 * SPECIFICATION: clFinish, "Blocks until all previously queued OpenCL
 * commands in a command-queue are issued to the associated device and have
 * completed."
 * DEVIATES: rusticl 22.3.6: not waited for, or SIGSEGV at the end
 */
#include "setup.h"

int main(void)
{
	const char *source =
		"kernel void work(global volatile uint *out) {\n"
		"	for (uint i = 0; i < 100; i++)\n"
		"		out[get_global_id(0)] += i;\n"
		"}\n";
	size_t items = 1024;
	cl_kernel kernel;
	cl_int status = 99;
	cl_event event;
	cl_mem mem;

	setup();
	kernel = new_kernel(source, "work");
	mem = new_buffer(items * sizeof(cl_uint));
	clSetKernelArg(kernel, 0, sizeof(mem), &mem);
	clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL,
			       &event);
	clFlush(queue);
	clFinish(queue);
	clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
		       sizeof(status), &status, NULL);
	/* Its end would be late for the process's. */
	clWaitForEvents(1, &event);
	return expect("status of the kernel", status, CL_COMPLETE);
}
