/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sub-buffer at origin 1.
 * SPECIFICATION: clCreateSubBuffer, Errors: CL_MISALIGNED_SUB_BUFFER_OFFSET
 * DEVIATES: rusticl 22.3.6: takes it
 * DEVIATES: rusticl 25.0.7: takes it
 * DEVIATES: oclgrind 21.10: takes it
 * DEVIATES: nvidia 580.159.04: takes it
 */
#include "setup.h"

int main(void)
{
	cl_buffer_region region = { 1, 64 };
	cl_int err;

	setup();
	clCreateSubBuffer(new_buffer(4096), 0, CL_BUFFER_CREATE_TYPE_REGION,
			  &region, &err);
	return expect("clCreateSubBuffer", err,
		      CL_MISALIGNED_SUB_BUFFER_OFFSET);
}
