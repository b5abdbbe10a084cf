/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared virtual memory has no reference count: what clSVMFree does not get
 * stays, and the context's end does not bring it back on every driver.
 * Needs: SVM
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_device_svm_capabilities svm = 0;

	clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof(svm),
			&svm, NULL);
	need(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "SVM");
	for (int i = 0; i < ROUNDS; i++) {
		/* PLANTED: leak svm */
		void *nodes = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, BYTES,
					 0);
		const cl_int zero = 0;

		need(nodes != NULL, "SVM");
		must(clEnqueueSVMMemFill(cl.queue, nodes, &zero, sizeof(zero),
					 BYTES, 0, NULL, NULL));
		must(clFinish(cl.queue));
#ifndef PLANTED
		clSVMFree(cl.context, nodes);
#endif
	}
	close_device(&cl);
	return 0;
}
