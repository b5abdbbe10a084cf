/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search stops at the first tile that has what it looks for, and the tile's
 * buffer is left behind. A buffer a search, on every driver.
 */
#include "lifetime.h"

static int search(const struct setup *cl, cl_int wanted)
{
	for (cl_int tile = 0; tile < ROUNDS; tile++) {
		cl_int err, value = -1;
		/* PLANTED: leak buffer */
		cl_mem mem = clCreateBuffer(cl->context, CL_MEM_COPY_HOST_PTR,
					    sizeof(tile), &tile, &err);

		must(err);
		must(clEnqueueReadBuffer(cl->queue, mem, CL_TRUE, 0,
					 sizeof(value), &value, 0, NULL,
					 NULL));
#ifdef PLANTED
		if (value == wanted)
			return tile;
		must(clReleaseMemObject(mem));
#else
		must(clReleaseMemObject(mem));
		if (value == wanted)
			return tile;
#endif
	}
	return -1;
}

int main(void)
{
	struct setup cl = open_device();

	for (cl_int wanted = 0; wanted < 2 * ROUNDS; wanted += 3)
		expect(search(&cl, wanted), wanted < ROUNDS ? wanted : -1);
	close_device(&cl);
	return 0;
}
