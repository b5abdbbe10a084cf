/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An engine is called ready when it has a queue; its steps are set up last.
 * EXPECT: crash clCreateBuffer oom
 */
#include "sweep.h"

struct engine {
	struct setup cl;
	cl_mem mem;
	cl_int (*step)(struct engine *engine, cl_int *values);
	bool ready;
};

static cl_int round_trip(struct engine *engine, cl_int *values)
{
	cl_int err = try_write(&engine->cl, engine->mem, values);

	return err == CL_SUCCESS ? try_read(&engine->cl, engine->mem, values) :
		err;
}

static void engine_init(struct engine *engine)
{
	engine->cl = open_cl();
#ifdef PLANTED
	/* PLANTED: it is not, before it has its step */
	engine->ready = true;
#endif
	engine->mem = try_buffer(&engine->cl, BYTES);
	if (!engine->mem)
		return;
	engine->step = round_trip;
	engine->ready = true;
}

int main(void)
{
	struct engine engine = { .ready = false };
	cl_int values[ITEMS], err;

	engine_init(&engine);
	if (!engine.ready)
		return failed("the engine", CL_OUT_OF_RESOURCES);
	count_up(values);
	err = engine.step(&engine, values);
	if (err != CL_SUCCESS)
		return failed("the step", err);
	print_result(sum_of(values, ITEMS));
	must(clReleaseMemObject(engine.mem));
	close_cl(&engine.cl);
	return 0;
}
