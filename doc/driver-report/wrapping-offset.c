/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A transfer whose offset plus size wraps round past the largest size_t.
 * SPECIFICATION: clEnqueueReadBuffer, Errors: CL_INVALID_VALUE
 * DEVIATES: rusticl 22.3.6: panics and aborts
 * DEVIATES: rusticl 25.0.7: CL_OUT_OF_HOST_MEMORY
 * DEVIATES: oclgrind 21.10: takes it or crashes
 * DEVIATES: nvidia 580.159.04: SIGSEGV
 */
#include "setup.h"

int main(void)
{
	char out[64];
	cl_int err;

	setup();
	err = clEnqueueReadBuffer(queue, new_buffer(64), CL_TRUE,
				  SIZE_MAX - 15, 32, out, 0, NULL, NULL);
	return expect("clEnqueueReadBuffer", err, CL_INVALID_VALUE);
}
