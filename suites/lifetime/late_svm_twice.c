/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two owners free the same shared virtual memory. clSVMFree has no status, so
 * nobody can even look.
 * Needs: SVM
 * Undefined: pocl says nothing
 */
#include "lifetime.h"

struct view {
	void *nodes;
};

static void view_release(cl_context context, struct view *view)
{
	/* SECOND: freed */
	clSVMFree(context, view->nodes);
	view->nodes = NULL;
}

int main(void)
{
	struct setup cl = open_device();
	cl_device_svm_capabilities svm = 0;
	struct view view;
	void *nodes;

	clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof(svm),
			&svm, NULL);
	need(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "SVM");
	nodes = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, LARGE, 0);
	need(nodes != NULL, "SVM");
	view.nodes = nodes;
	view_release(cl.context, &view);
#ifdef PLANTED
	/* PLANTED: late free of what is freed */
	clSVMFree(cl.context, nodes);
#endif
	close_device(&cl);
	return 0;
}
