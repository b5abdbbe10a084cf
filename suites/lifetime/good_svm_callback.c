/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared memory is freed behind the command that writes it, by a function of
 * the program's that clEnqueueSVMFree calls when it is its turn.
 * Needs: SVM
 */
#include "lifetime.h"

static void CL_CALLBACK free_nodes(cl_command_queue queue, cl_uint count,
				   void *nodes[], void *user)
{
	(void)queue;
	need(count == 1, "one pointer");
	clSVMFree(*(cl_context *)user, nodes[0]);
}

int main(void)
{
	struct setup cl = open_device();
	cl_device_svm_capabilities svm = 0;
	const cl_int seven = 7;
	void *nodes;

	clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof(svm),
			&svm, NULL);
	need(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "SVM");
	for (int i = 0; i < ROUNDS; i++) {
		nodes = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, LARGE, 0);
		need(nodes != NULL, "SVM");
		must(clEnqueueSVMMemFill(cl.queue, nodes, &seven,
					 sizeof(seven), BYTES, 0, NULL, NULL));
		must(clEnqueueSVMFree(cl.queue, 1, &nodes, free_nodes,
				      &cl.context, 0, NULL, NULL));
		must(clFinish(cl.queue));
	}
	close_device(&cl);
	return 0;
}
