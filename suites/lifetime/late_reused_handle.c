/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer is released, another is made, and the driver gives it the same
 * address. A write through the old handle lands in the new buffer, and
 * whatever the driver checks says that all is well, on pocl and oclgrind.
 * Undefined: where the address is not used again the driver may crash
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem fresh = new_ints(&cl), old = NULL;
	const cl_int value = 7;

	for (int frame = 0; frame < 100 && fresh != old; frame++) {
		old = fresh;
		/* SECOND: the release */
		must(clReleaseMemObject(old));
		fresh = new_ints(&cl);
	}
#ifndef PLANTED
	old = fresh;
#endif
	/* PLANTED: late use of a released buffer */
	clEnqueueWriteBuffer(cl.queue, old, CL_TRUE, 0, sizeof(value), &value,
			     0, NULL, NULL);
	must(clReleaseMemObject(fresh));
	close_device(&cl);
	return 0;
}
