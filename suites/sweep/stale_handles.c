/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One table of buffers for the preview and for the picture. When the picture
 * cannot have its buffers, the clean-up meets the handles of the preview.
 * EXPECT: crash|misuse clCreateBuffer oom
 */
#include "sweep.h"

enum { TILES = 3 };

static void drop(cl_mem *tiles)
{
	for (int i = 0; i < TILES; i++) {
		if (tiles[i])
			must(clReleaseMemObject(tiles[i]));
		/* PLANTED: what was released stays in the table */
#ifndef PLANTED
		tiles[i] = NULL;
#endif
	}
}

static bool draw(const struct setup *cl, cl_mem *tiles, int *result)
{
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	count_up(values);
	for (int i = 0; i < TILES; i++) {
		cl_mem tile = try_buffer(cl, BYTES);

		if (!tile)
			return false;
		tiles[i] = tile;
		write_ints(cl, tile, values);
		read_ints(cl, tile, back);
		*result += sum_of(back, ITEMS);
	}
	return true;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem tiles[TILES] = { NULL };
	int result = 0;
	bool done = draw(&cl, tiles, &result);

	drop(tiles);
	if (done) {
		done = draw(&cl, tiles, &result);
		drop(tiles);
	}
	close_cl(&cl);
	if (!done)
		return failed("a picture", CL_OUT_OF_RESOURCES);
	print_result(result);
	return 0;
}
