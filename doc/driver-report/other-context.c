/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A write to a buffer of another context.
 * SPECIFICATION: clEnqueueWriteBuffer, Errors: CL_INVALID_CONTEXT
 * DEVIATES: oclgrind 21.10: takes it
 */
#include "setup.h"

int main(void)
{
	cl_context other;
	int value = 7;
	cl_mem mem;

	setup();
	other = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	mem = clCreateBuffer(other, CL_MEM_READ_WRITE, 64, NULL, NULL);
	return expect("clEnqueueWriteBuffer",
		      clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0,
					   sizeof(value), &value, 0, NULL,
					   NULL), CL_INVALID_CONTEXT);
}
