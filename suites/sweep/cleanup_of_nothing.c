/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clean-up goes through the list of buffers. Before the context was made,
 * there is no list.
 * EXPECT: crash clCreateContext device-lost
 */
#include "sweep.h"

enum { TILES = 3 };

struct engine {
	struct setup cl;
	cl_mem *tiles;
};

static void engine_release(struct engine *engine)
{
#ifndef PLANTED
	if (!engine->tiles)
		return;
#endif
	for (int i = 0; i < TILES; i++)
		/* PLANTED: the list may not be there */
		if (engine->tiles[i])
			must(clReleaseMemObject(engine->tiles[i]));
	free(engine->tiles);
}

static bool engine_init(struct engine *engine)
{
	struct setup *cl = &engine->cl;
	cl_int err;

	cl->device = find_device();
	cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &err);
	if (err != CL_SUCCESS || !cl->context)
		return false;
	cl->queue = clCreateCommandQueue(cl->context, cl->device, 0, &err);
	have(cl->queue, err);
	engine->tiles = calloc(TILES, sizeof(*engine->tiles));
	need(engine->tiles != NULL, "memory");
	for (int i = 0; i < TILES; i++)
		engine->tiles[i] = make_buffer(cl, BYTES);
	return true;
}

int main(void)
{
	struct engine engine = { .tiles = NULL };
	cl_int values[ITEMS], back[ITEMS] = { 0 };

	if (!engine_init(&engine)) {
		engine_release(&engine);
		return failed("the engine", CL_DEVICE_NOT_AVAILABLE);
	}
	count_up(values);
	write_ints(&engine.cl, engine.tiles[TILES - 1], values);
	read_ints(&engine.cl, engine.tiles[TILES - 1], back);
	print_result(sum_of(back, ITEMS));
	engine_release(&engine);
	close_cl(&engine.cl);
	return 0;
}
