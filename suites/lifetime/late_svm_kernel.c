/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel was given a pointer into shared memory, and the memory is freed while
 * the launch waits.
 * Needs: SVM
 * Undefined: pocl writes into memory that is free
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_device_svm_capabilities svm = 0;
	cl_event gate = new_gate(&cl);
	const size_t items = ITEMS;
	cl_kernel kernel;
	char *nodes;

	clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof(svm),
			&svm, NULL);
	need(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "SVM");
	nodes = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, LARGE, 0);
	need(nodes != NULL, "SVM");
	kernel = add_one(&cl);
	must(clSetKernelArgSVMPointer(kernel, 0, nodes + BYTES));
	/* SECOND: the launch */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 1,
				    &gate, NULL));
#ifndef PLANTED
	open_gate(gate);
	must(clFinish(cl.queue));
#endif
	/* PLANTED: late end of a launch that uses what is freed */
	clSVMFree(cl.context, nodes);
#ifdef PLANTED
	open_gate(gate);
	must(clFinish(cl.queue));
#endif
	must(clReleaseKernel(kernel));
	close_device(&cl);
	return 0;
}
