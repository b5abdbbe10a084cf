/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A read of more than the program's memory has: the heap is broken, and free()
 * says so later.
 *
 * Kind: signal
 * Code: clw-buffer-overflow
 * Cause: clEnqueueReadBuffer|heap|host
 * Host: the heap is the program's
 */
#include "crashes.h"

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_ints(&cl);
	char *volatile little, *volatile beside;

	work(&cl, USUAL);
	little = malloc(40);
	beside = malloc(40);
	must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, BYTES, little, 0,
				 NULL, NULL));
	free(little);
	free(beside);
	close_device(&cl);
	return 0;
}
