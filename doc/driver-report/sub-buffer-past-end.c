/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sub-buffer that ends behind its buffer.
 * SPECIFICATION: clCreateSubBuffer, Errors: CL_INVALID_VALUE
 * DEVIATES: nvidia 580.159.04: takes it
 */
#include "setup.h"

int main(void)
{
	cl_buffer_region region = { 0, 8192 };
	cl_int err;

	setup();
	clCreateSubBuffer(new_buffer(4096), 0, CL_BUFFER_CREATE_TYPE_REGION,
			  &region, &err);
	return expect("clCreateSubBuffer", err, CL_INVALID_VALUE);
}
