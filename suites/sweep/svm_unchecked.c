/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared memory is like malloc(), and like malloc() it is not checked.
 * Needs: shared virtual memory that is not mapped
 * EXPECT: crash clSVMAlloc oom
 */
#include "sweep.h"

static bool has_svm(cl_device_id device)
{
	cl_device_svm_capabilities can = 0;

	return clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(can),
			       &can, NULL) == CL_SUCCESS &&
	       can & CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_int back[ITEMS] = { 0 }, *values;

	need(has_svm(cl.device), "shared virtual memory");
	values = clSVMAlloc(cl.context,
			    CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
			    BYTES, 0);
#ifndef PLANTED
	have(values, CL_SUCCESS);
#endif
	/* PLANTED: through NULL, if there was no memory */
	count_up(values);
	must(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, back, values, BYTES, 0,
				NULL, NULL));
	print_result(sum_of(back, ITEMS));
	clSVMFree(cl.context, values);
	close_cl(&cl);
	return 0;
}
