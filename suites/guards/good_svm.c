/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared virtual memory beside buffers: it has no guard zones, and nothing to
 * do with them.
 * Needs: shared virtual memory
 */
#include "guards.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_device_svm_capabilities can = 0;
	cl_mem mem = new_ints(&cl);
	cl_int *values, got[ITEMS];

	if (clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES,
			    sizeof(can), &can, NULL) != CL_SUCCESS)
		can = 0;
	need(can != 0, "shared virtual memory");
	values = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, BYTES, 0);
	need(values != NULL, "shared virtual memory");
	must(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_WRITE, values, BYTES, 0,
			     NULL, NULL));
	memset(values, 0, BYTES);
	must(clEnqueueSVMUnmap(cl.queue, values, 0, NULL, NULL));
	must(clSetKernelArgSVMPointer(kernel, 0, values));
	run(cl.queue, kernel, ITEMS);
	set_arg(kernel, 0, mem);
	run(cl.queue, kernel, ITEMS);
	must(clSetKernelArgSVMPointer(kernel, 0, values + ITEMS / 2));
	run(cl.queue, kernel, ITEMS / 2);
	must(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, values, BYTES, 0,
			     NULL, NULL));
	expect(values[0], 1);
	expect(values[ITEMS - 1], 2);
	must(clEnqueueSVMUnmap(cl.queue, values, 0, NULL, NULL));
	read_all(cl.queue, mem, BYTES, got);
	expect(got[ITEMS - 1], 1);
	must(clFinish(cl.queue));
	clSVMFree(cl.context, values);
	close_with(&cl, kernel, mem);
	return 0;
}
