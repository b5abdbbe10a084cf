/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mapping of 0 bytes.
 * SPECIFICATION: clEnqueueMapBuffer, Errors: CL_INVALID_VALUE
 * DEVIATES: oclgrind 21.10: takes it
 * DEVIATES: nvidia 580.159.04: takes it
 */
#include "setup.h"

int main(void)
{
	cl_int err;

	setup();
	clEnqueueMapBuffer(queue, new_buffer(64), CL_TRUE, CL_MAP_READ, 0, 0,
			   0, NULL, NULL, &err);
	return expect("clEnqueueMapBuffer", err, CL_INVALID_VALUE);
}
