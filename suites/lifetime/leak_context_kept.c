/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The context, queue, program, kernel and one buffer stay to the program's
 * end, which is its habit. Between all that is a leak: each request's buffer
 * is forgotten. Only that one is to be named.
 */
#include "lifetime.h"

static struct setup cl;
static cl_program program;
static cl_kernel kernel;
static cl_mem table;

static void answer(cl_int request)
{
	cl_int err;
	/* PLANTED: leak buffer */
	cl_mem mem = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, BYTES, NULL,
				    &err);

	must(err);
	must(clEnqueueFillBuffer(cl.queue, mem, &request, sizeof(request), 0,
				 BYTES, 0, NULL, NULL));
	launch(cl.queue, kernel, table, NULL);
	must(clFinish(cl.queue));
#ifndef PLANTED
	must(clReleaseMemObject(mem));
#endif
}

int main(void)
{
	cl = open_device();
	program = new_program(&cl);
	kernel = new_kernel(program, "add_one");
	table = new_ints(&cl);
	for (cl_int request = 0; request < ROUNDS; request++)
		answer(request);
	return 0;
}
