/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel of bench_kernels is launched with: the words of its "bench:"
 * line, or, without one, made up from what the driver says of its arguments.
 *
 *	bench: KERNEL global=X[,Y[,Z]] [local=X[,Y[,Z]]] ARGUMENT...
 *
 *	z:N		a buffer of N words of zeros
 *	i:N[:BELOW]	a buffer of N words, numbers below BELOW [2^32]
 *	f:N		a buffer of N floats from 0 to 1
 *	l:BYTES		local memory
 *	=NUMBER		an int; with a point in it a float
 */
#ifndef BENCH_ARGUMENTS_H
#define BENCH_ARGUMENTS_H

#include <stddef.h>

#include "faults/shared/cl_types.h"

enum { BENCH_ARGUMENTS = 64 };

struct bench_range {
	cl_uint dimensions;
	size_t global[3], local[3];	/* local[0] 0: the driver chooses */
};

struct bench_buffer {
	cl_mem memory;
	void *content;			/* as it was made */
	size_t bytes;
};

struct bench_arguments {
	struct bench_range range;
	struct bench_buffer buffers[BENCH_ARGUMENTS];
	unsigned int buffer_count;
	cl_mem images[BENCH_ARGUMENTS];
	cl_sampler samplers[BENCH_ARGUMENTS];
	unsigned int image_count, sampler_count;
};

/* Set all arguments of the kernel. text: the source, where its line is looked
 * for. NULL, or what is in the way. */
const char *bench_arguments_set(struct bench_arguments *arguments,
				cl_context context, cl_device_id device,
				cl_kernel kernel, const char *name,
				const char *text);
void bench_arguments_release(struct bench_arguments *arguments);

#endif
