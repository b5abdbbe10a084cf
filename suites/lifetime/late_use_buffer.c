/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The upload comes after the buffer's release. On drivers that keep small
 * blocks it writes into memory that is somebody else's by then.
 * Undefined: both drivers crash (pocl 3.1, oclgrind 21.10)
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	const cl_int values[ITEMS] = { 1, 2, 3 };

#ifdef PLANTED
	/* SECOND: the release */
	must(clReleaseMemObject(mem));
#endif
	/* PLANTED: late use of a released buffer */
	clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0, BYTES, values, 0, NULL,
			     NULL);
#ifndef PLANTED
	must(clReleaseMemObject(mem));
#endif
	close_device(&cl);
	return 0;
}
