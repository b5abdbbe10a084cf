/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sub-buffer of 0 bytes.
 * SPECIFICATION: clCreateSubBuffer, Errors: CL_INVALID_BUFFER_SIZE
 * DEVIATES: oclgrind 21.10: CL_INVALID_VALUE
 */
#include "setup.h"

int main(void)
{
	cl_buffer_region region = { 0, 0 };
	cl_int err;

	setup();
	clCreateSubBuffer(new_buffer(4096), 0, CL_BUFFER_CREATE_TYPE_REGION,
			  &region, &err);
	return expect("clCreateSubBuffer", err, CL_INVALID_BUFFER_SIZE);
}
