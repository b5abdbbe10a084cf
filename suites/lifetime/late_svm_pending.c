/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clSVMFree does not wait: it frees what a command that is still pending
 * writes.
 * Needs: SVM
 * Undefined: pocl writes into memory that is free
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_device_svm_capabilities svm = 0;
	cl_event gate = new_gate(&cl);
	const cl_int seven = 7;
	void *nodes;

	clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof(svm),
			&svm, NULL);
	need(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "SVM");
	nodes = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, LARGE, 0);
	need(nodes != NULL, "SVM");
	/* SECOND: the command */
	must(clEnqueueSVMMemFill(cl.queue, nodes, &seven, sizeof(seven), BYTES,
				 1, &gate, NULL));
#ifndef PLANTED
	open_gate(gate);
	must(clFinish(cl.queue));
#endif
	/* PLANTED: late end of a command that uses what is freed */
	clSVMFree(cl.context, nodes);
#ifdef PLANTED
	open_gate(gate);
	must(clFinish(cl.queue));
#endif
	close_device(&cl);
	return 0;
}
