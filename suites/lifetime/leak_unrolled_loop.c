/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line in a short loop forgets its buffer each time; the program keeps its
 * context to the end, as most do, so only their number says that they are
 * forgotten. Compilers unroll the loop: one line of the source is several
 * addresses in the program then, each of which makes one buffer.
 */
#include "lifetime.h"

static struct setup cl;

static __attribute__((noinline)) cl_mem staging(cl_int value)
{
	cl_int err;
	/* PLANTED: leak buffer */
	cl_mem mem = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR,
				    sizeof(value), &value, &err);

	must(err);
	return mem;
}

int main(void)
{
	cl_mem mem = NULL;

	cl = open_device();
#ifdef __clang__
#pragma unroll
#else
#pragma GCC unroll 4
#endif
	for (cl_int plane = 0; plane < 4; plane++) {
#ifndef PLANTED
		if (mem)
			must(clReleaseMemObject(mem));
#endif
		mem = staging(plane);
	}
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	return 0;
}
