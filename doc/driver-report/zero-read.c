/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A read of no bytes.
 * SPECIFICATION: clEnqueueReadBuffer: since OpenCL 2.1 a size of 0 is not among
 * what is CL_INVALID_VALUE (OpenCL-Docs, issue 1072).
 * DEVIATES: pocl 6.0: CL_INVALID_VALUE
 */
#include "setup.h"

int main(void)
{
	char version[128] = "", byte = 0;
	cl_int err;

	setup();
	clGetDeviceInfo(device, CL_DEVICE_VERSION, 127, version, NULL);
	err = clEnqueueReadBuffer(queue, new_buffer(64), CL_TRUE, 0, 0, &byte,
				  0, NULL, NULL);
	if (version[7] == '1' && err == CL_INVALID_VALUE)
		err = CL_SUCCESS;	/* of "OpenCL 1.2": as it was then */
	return expect("clEnqueueReadBuffer", err, CL_SUCCESS);
}
