/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tile that cannot be uploaded is left out, and the picture has a hole.
 * EXPECT: swallowed clEnqueueWriteBuffer oom-host
 */
#include "sweep.h"

enum { TILES = 4, TILE_ITEMS = ITEMS / TILES };

int main(void)
{
	struct setup cl = open_cl();
	cl_int values[ITEMS], back[TILE_ITEMS];
	cl_mem tile = make_buffer(&cl, sizeof(back));
	int result = 0;

	count_up(values);
	for (size_t i = 0; i < TILES; i++) {
		cl_int err = clEnqueueWriteBuffer(cl.queue, tile, CL_TRUE, 0,
			sizeof(back), values + i * TILE_ITEMS, 0, NULL, NULL);

#ifdef PLANTED
		/* PLANTED: on to the next one, no error message */
		if (err != CL_SUCCESS)
			continue;
#endif
		must(err);
		must(clEnqueueReadBuffer(cl.queue, tile, CL_TRUE, 0,
					 sizeof(back), back, 0, NULL, NULL));
		result += sum_of(back, TILE_ITEMS);
	}
	print_result(result);
	must(clReleaseMemObject(tile));
	close_cl(&cl);
	return 0;
}
