/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the programs of this folder share, beside what those of
 * suites/lifetime do. Each is one C file that is built twice: as it stands, and
 * with -DPLANTED, when one kernel writes outside of a buffer, or one transfer
 * reaches past its end. A comment, alone on the line above the call, says what
 * has to be found there, and suites/self/slow/guards.test reads it:
 *
 *	PLANTED: guard KERNEL ARGUMENT WHERE [VALUE]	the launch; its first
 *			bad byte is N bytes past the end (+N) or before the
 *			beginning (-N) and has this value; ARGUMENT "0|1": one
 *			of both
 *	PLANTED: range OFFSET BYTES SIZE	the transfer, and the buffer's
 *			size
 *
 * over_* are kernels, range_* transfers, after_* kernels that do so only after
 * a fault. good_* have no planted twin: they look
 * at everything that guard zones could disturb. Where the specification leaves
 * an answer open, or a driver deviates, they print it: it has to be the same
 * with and without guard zones. "Undefined:" and "Needs:" are as in lifetime.h;
 * what is undefined is so without guard zones only. "Bare:" says why the only
 * buffer may have none; then nothing may be said of the program.
 */
#ifndef GUARDS_H
#define GUARDS_H

#include "../lifetime/lifetime.h"

#define set_arg(kernel_, index_, value_) \
	must(clSetKernelArg((kernel_), (index_), sizeof(value_), &(value_)))

/* The only one to hold its program. */
static inline cl_kernel kernel_of(const struct setup *cl, const char *source,
				  const char *name)
{
	cl_int err;
	cl_program program = clCreateProgramWithSource(cl->context, 1, &source,
						       NULL, &err);
	cl_kernel kernel;

	must(err);
	must(clBuildProgram(program, 1, &cl->device, "", NULL, NULL));
	kernel = new_kernel(program, name);
	must(clReleaseProgram(program));
	return kernel;
}

static inline cl_mem buffer_of(const struct setup *cl, cl_mem_flags flags,
			       size_t size, void *host)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(cl->context, flags, size, host, &err);

	must(err);
	return mem;
}

static inline cl_mem part_of(cl_mem parent, size_t origin, size_t size)
{
	const cl_buffer_region region = { origin, size };
	cl_int err;
	cl_mem mem = clCreateSubBuffer(parent, CL_MEM_READ_WRITE,
				       CL_BUFFER_CREATE_TYPE_REGION, &region,
				       &err);

	must(err);
	return mem;
}

/* Bytes that the origin of a sub-buffer is a multiple of. */
static inline size_t alignment_of(const struct setup *cl)
{
	cl_uint bits = 0;

	must(clGetDeviceInfo(cl->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN,
			     sizeof(bits), &bits, NULL));
	return bits < 8 ? 1 : bits / 8;
}

/* A launch that is right. */
static inline void run(cl_command_queue queue, cl_kernel kernel, size_t items)
{
	must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				    NULL, NULL));
}

static inline void read_all(cl_command_queue queue, cl_mem mem, size_t size,
			    void *to)
{
	must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, size, to, 0, NULL,
				 NULL));
}

static inline void write_all(cl_command_queue queue, cl_mem mem, size_t size,
			     const void *from)
{
	must(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, size, from, 0, NULL,
				  NULL));
}

static inline void expect_that(bool holds, const char *what, const char *file,
			       int line)
{
	if (holds)
		return;
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
	exit(FAILED);
}
#define holds(condition_) \
	expect_that((condition_), #condition_, __FILE__, __LINE__)

/* Give back what a small program has. */
static inline void close_with(const struct setup *cl, cl_kernel kernel,
			      cl_mem mem)
{
	must(clFinish(cl->queue));
	must(clReleaseKernel(kernel));
	must(clReleaseMemObject(mem));
	close_device(cl);
}

#endif
