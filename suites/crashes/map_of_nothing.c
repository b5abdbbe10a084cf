/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A map fails, its pointer is NULL, and the program fills it.
 *
 * Options: --fault clEnqueueMapBuffer:oom
 * Kind: signal
 * Code: clw-out-of-memory
 * Cause: clEnqueueMapBuffer
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	cl_int *volatile values;

	work(&cl, USUAL);
	values = clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_WRITE, 0,
				    BYTES, 0, NULL, NULL, NULL);
	values[3] = 7;
	must(clEnqueueUnmapMemObject(cl.queue, mem, values, 0, NULL, NULL));
	close_device(&cl);
	return 0;
}
