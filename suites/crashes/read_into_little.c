/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A read of more than the program's memory has: the heap is broken, and free()
 * says so later.
 *
 * Kind: signal|driver-crash
 * Code: clw-buffer-overflow
 * Cause: own heap.*clEnqueueReadBuffer
 * Host: the heap is the program's
 */
#include "crashes.h"

/* More than is left over from before: what is behind it is free. */
enum { LITTLE = 100000, MORE = LITTLE + 4 * BYTES };

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = make_buffer(&cl, MORE);
	const cl_int value = -1;
	char *volatile little;

	work(&cl, USUAL);
	must(clEnqueueFillBuffer(cl.queue, mem, &value, sizeof(value), 0, MORE,
				 0, NULL, NULL));
	must(clFinish(cl.queue));
	little = malloc(LITTLE);
	must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, MORE, little, 0,
				 NULL, NULL));
	free(little);
	free(malloc(2 * LITTLE));
	close_device(&cl);
	return 0;
}
