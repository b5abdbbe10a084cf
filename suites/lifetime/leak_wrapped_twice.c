/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A language binding wraps handles in objects of its own. For a handle from a
 * query it has to retain, for one from clCreate* it owns the reference
 * already; this one retains both. Each wrapped buffer has one reference too
 * many, and nothing that a user of the binding writes can release it.
 */
#include "lifetime.h"

struct wrapper {
	cl_mem handle;
};

static struct wrapper *from_int_ptr(cl_mem handle, bool retain)
{
	struct wrapper *wrapper = malloc(sizeof(*wrapper));

	if (!wrapper)
		exit(FAILED);
	if (retain) {
		/* PLANTED: leak buffer retained */
		must(clRetainMemObject(handle));
	}
	wrapper->handle = handle;
	return wrapper;
}

static void finalize(struct wrapper *wrapper)
{
	must(clReleaseMemObject(wrapper->handle));
	free(wrapper);
}

static struct wrapper *new_buffer(cl_context context)
{
	cl_int err;
	/* SECOND: made */
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL,
				    &err);

	must(err);
#ifdef PLANTED
	return from_int_ptr(mem, true);
#else
	return from_int_ptr(mem, false);
#endif
}

int main(void)
{
	struct setup cl = open_device();

	for (int i = 0; i < ROUNDS; i++)
		finalize(new_buffer(cl.context));
	close_device(&cl);
	return 0;
}
