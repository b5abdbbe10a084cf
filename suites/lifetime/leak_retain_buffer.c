/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A layer keeps its weights and retains the buffer that it is given. When it
 * goes, it forgets that. The buffer's memory stays taken on every driver,
 * though whoever made it has released it.
 */
#include "lifetime.h"

struct layer {
	cl_mem weights;
};

static void layer_init(struct layer *layer, cl_mem weights)
{
	/* PLANTED: leak buffer retained */
	must(clRetainMemObject(weights));
	layer->weights = weights;
}

static void layer_release(struct layer *layer)
{
#ifndef PLANTED
	must(clReleaseMemObject(layer->weights));
#endif
	layer->weights = NULL;
}

int main(void)
{
	struct setup cl = open_device();
	struct layer layer;
	cl_int err;
	/* SECOND: made */
	cl_mem mem = clCreateBuffer(cl.context, CL_MEM_READ_ONLY, BYTES, NULL,
				    &err);

	must(err);
	layer_init(&layer, mem);
	must(clReleaseMemObject(mem));
	layer_release(&layer);
	close_device(&cl);
	return 0;
}
