/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the programs of this folder share. Each is one file with one mistake in
 * how it handles an error. C and C++ are built twice: as they stand, and with
 * -DPLANTED, when they have the mistake; Python has it with the argument
 * "planted". Without faults both do the same: they print their result and end
 * with status 0. The mistake is seen only when a call fails, and which one that
 * is stands in the file, for suites/self/slow/sweep.test to read:
 *
 *	EXPECT: VERDICT[|VERDICT] FUNCTION FAULT [from-here]
 *			in the first comment: what the program with the mistake
 *			comes to, when that fault meets a call of that function
 *			(from-here: that call and all after it)
 *	PLANTED: WHAT	on the line above the mistake, once
 *
 * The program as it stands handles every fault of every call: it goes on and
 * has the same result, leaving nothing behind, or it says what failed and ends
 * with a status that is not 0. That includes a driver that answers CL_SUCCESS
 * and gives NULL, which only --hardening tries.
 *
 * A driver has threads of its own; that nothing depends on them, results are
 * read by calls that block, and what has a callback waits behind a gate.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include "../lifetime/lifetime.h"

enum { FRAMES = 40 };

/* An object and not NULL, or the end of the program. */
#define have(object_, err_) \
	have_at((object_) != NULL, (err_), #object_, __FILE__, __LINE__)
static inline void have_at(bool is_there, cl_int err, const char *what,
			   const char *file, int line)
{
	if (is_there && err == CL_SUCCESS)
		return;
	fprintf(stderr, "%s:%d: no %s (%d)\n", file, line, what, err);
	exit(FAILED);
}

/* Say what failed; the exit status for it. */
static inline int failed(const char *what, cl_int err)
{
	fprintf(stderr, "%s failed: %d\n", what, err);
	return FAILED;
}

/* All is done, and all of it went well, or the end of the program. */
static inline void close_cl(const struct setup *cl)
{
	must(clFinish(cl->queue));
	must(clReleaseCommandQueue(cl->queue));
	must(clReleaseContext(cl->context));
}

static inline cl_mem make_buffer(const struct setup *cl, size_t bytes)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, bytes, NULL,
				    &err);

	have(mem, err);
	return mem;
}

/* The same, and NULL when it cannot be had. */
static inline cl_mem try_buffer(const struct setup *cl, size_t bytes)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, bytes, NULL,
				    &err);

	return err == CL_SUCCESS ? mem : NULL;
}

/* ITEMS values. */
static inline cl_int try_write(const struct setup *cl, cl_mem mem,
			       const cl_int *values)
{
	return clEnqueueWriteBuffer(cl->queue, mem, CL_TRUE, 0, BYTES, values,
				    0, NULL, NULL);
}

static inline cl_int try_read(const struct setup *cl, cl_mem mem,
			      cl_int *values)
{
	return clEnqueueReadBuffer(cl->queue, mem, CL_TRUE, 0, BYTES, values,
				   0, NULL, NULL);
}

static inline void write_ints(const struct setup *cl, cl_mem mem,
			      const cl_int *values)
{
	must(try_write(cl, mem, values));
}

static inline void read_ints(const struct setup *cl, cl_mem mem, cl_int *values)
{
	must(try_read(cl, mem, values));
}

/* What such programs do all day: many calls from the same few lines. */
static inline void copy_frames(const struct setup *cl, cl_mem in, cl_mem out)
{
	cl_int frame[ITEMS] = { 0 };

	for (cl_int i = 1; i <= FRAMES; i++) {
		must(clEnqueueFillBuffer(cl->queue, in, &i, sizeof(i), 0, BYTES,
					 0, NULL, NULL));
		must(clEnqueueCopyBuffer(cl->queue, in, out, 0, 0, BYTES, 0,
					 NULL, NULL));
		must(clEnqueueCopyBuffer(cl->queue, out, in, 0, 0, BYTES, 0,
					 NULL, NULL));
	}
	read_ints(cl, out, frame);
	expect(frame[ITEMS - 1], FRAMES);
}

static inline void test_device(const struct setup *cl)
{
	cl_mem in = make_buffer(cl, BYTES), out = make_buffer(cl, BYTES);

	copy_frames(cl, in, out);
	must(clReleaseMemObject(in));
	must(clReleaseMemObject(out));
}

static inline struct setup open_cl(void)
{
	struct setup cl;
	cl_int err;

	cl.device = find_device();
	cl.context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &err);
	have(cl.context, err);
	cl.queue = clCreateCommandQueue(cl.context, cl.device, 0, &err);
	have(cl.queue, err);
	test_device(&cl);
	return cl;
}

static inline cl_program make_program(const struct setup *cl)
{
	const char *source = SOURCE;
	cl_int err;
	cl_program program = clCreateProgramWithSource(cl->context, 1, &source,
						       NULL, &err);

	have(program, err);
	return program;
}

/* The kernel, the only one to hold its program. */
static inline cl_kernel make_kernel(const struct setup *cl, const char *name)
{
	cl_program program = make_program(cl);
	cl_kernel kernel;
	cl_int err;

	must(clBuildProgram(program, 1, &cl->device, "", NULL, NULL));
	kernel = clCreateKernel(program, name, &err);
	have(kernel, err);
	must(clReleaseProgram(program));
	return kernel;
}

static inline cl_int try_launch(const struct setup *cl, cl_kernel kernel)
{
	const size_t items = ITEMS;

	return clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &items, NULL,
				      0, NULL, NULL);
}

/* 1, 2 ... ITEMS */
static inline void count_up(cl_int *values)
{
	for (cl_int i = 0; i < ITEMS; i++)
		values[i] = i + 1;
}

static inline int sum_of(const cl_int *values, size_t count)
{
	int sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum;
}

/* Printed for certain, or the end of the program. */
static inline void print_result(int value)
{
	if (printf("result %d\n", value) > 0 && fflush(stdout) == 0)
		return;
	perror("standard output");
	exit(FAILED);
}

#endif
