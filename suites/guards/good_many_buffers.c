/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two thousand buffers at a time, each written by a kernel and by the host.
 */
#include "guards.h"

enum { COUNT = 2000 };

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	static cl_mem mems[COUNT];

	for (cl_int i = 0; i < COUNT; i++) {
		mems[i] = buffer_of(&cl, CL_MEM_READ_WRITE |
				    CL_MEM_COPY_HOST_PTR, sizeof(i), &i);
		set_arg(kernel, 0, mems[i]);
		run(cl.queue, kernel, 1);
	}
	for (cl_int i = COUNT - 1; i >= 0; i--) {
		cl_int got;

		read_all(cl.queue, mems[i], sizeof(got), &got);
		expect(got, i + 1);
	}
	for (cl_int i = 0; i < COUNT; i += 2)
		must(clReleaseMemObject(mems[i]));
	for (cl_int i = 1; i < COUNT; i += 2)
		must(clReleaseMemObject(mems[i]));
	must(clReleaseKernel(kernel));
	close_device(&cl);
	return 0;
}
