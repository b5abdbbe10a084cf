/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer of more than CL_DEVICE_MAX_MEM_ALLOC_SIZE.
 * SPECIFICATION: clCreateBuffer, Errors: CL_INVALID_BUFFER_SIZE; memory for it
 * need not be there before its first use, but a limit is known.
 * DEVIATES: oclgrind 21.10: takes it
 * DEVIATES: nvidia 580.159.04: takes it; the first use fails
 */
#include "setup.h"

int main(void)
{
	cl_ulong most = 0;
	cl_int err;

	setup();
	clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(most),
			&most, NULL);
	clCreateBuffer(context, CL_MEM_READ_WRITE, (size_t)most * 4, NULL,
		       &err);
	return expect("clCreateBuffer", err, CL_INVALID_BUFFER_SIZE);
}
