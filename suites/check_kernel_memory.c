/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel_memory suite: what a runtime must answer when a program gets
 * memory wrong, and that it gets memory right when the program does. Each
 * test says in its comment what it proves, by the OpenCL specification
 * (unified, 3.0; where versions differ, the device's own version decides).
 */
#include "config.h"

#include "suite_main.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	COUNT = 256,		/* elements of most buffers */
	PATTERN = 0x5eed,
	CANARY = -77,
};

#define ARRAY_SIZE(array_) (sizeof(array_) / sizeof((array_)[0]))

static cl_mem new_buffer(cl_mem_flags flags, size_t bytes, void *host)
{
	cl_int err = CL_SUCCESS;
	cl_mem mem = clCreateBuffer(claw_dev.context, flags, bytes, host, &err);

	claw_expect_code("clCreateBuffer", err, CL_SUCCESS);
	ck_assert_ptr_nonnull(mem);
	return mem;
}

/* A buffer of count ints that all hold CANARY. */
static cl_mem new_ints(size_t count)
{
	cl_int *values = malloc(count * sizeof(*values));
	cl_mem mem;

	ck_assert_ptr_nonnull(values);
	for (size_t i = 0; i < count; i++)
		values[i] = CANARY;
	mem = new_buffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
			 count * sizeof(*values), values);
	free(values);
	return mem;
}

static void read_ints(cl_mem mem, cl_int *values, size_t count)
{
	claw_expect_code("clEnqueueReadBuffer",
			 clEnqueueReadBuffer(claw_dev.queue, mem, CL_TRUE, 0,
					     count * sizeof(*values), values,
					     0, NULL, NULL), CL_SUCCESS);
}

/* The first written elements hold PATTERN, those up to count CANARY. */
static void expect_ints(cl_mem mem, size_t written, size_t count)
{
	cl_int values[4 * COUNT];

	ck_assert_uint_le(count, ARRAY_SIZE(values));
	read_ints(mem, values, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(values[i] == (i < written ? PATTERN : CANARY),
			      "element %zu of %zu is %d, expected %d", i,
			      count, (int)values[i],
			      i < written ? PATTERN : CANARY);
}

static void set_arg(cl_kernel kernel, cl_uint index, size_t size,
		    const void *value)
{
	claw_expect_code("clSetKernelArg",
			 clSetKernelArg(kernel, index, size, value),
			 CL_SUCCESS);
}

static void set_bounds_args(cl_kernel kernel, cl_mem output, cl_int size)
{
	cl_int pattern = PATTERN;

	set_arg(kernel, 0, sizeof(output), &output);
	set_arg(kernel, 1, sizeof(size), &size);
	set_arg(kernel, 2, sizeof(pattern), &pattern);
}

static void launch(cl_command_queue queue, cl_kernel kernel, size_t global)
{
	claw_expect_code("clEnqueueNDRangeKernel",
			 clEnqueueNDRangeKernel(queue, kernel, 1, NULL,
						&global, NULL, 0, NULL, NULL),
			 CL_SUCCESS);
}

static void finish(cl_command_queue queue)
{
	claw_expect_code("clFinish", clFinish(queue), CL_SUCCESS);
}

/* After what came before, an honest launch of test_bounds_kernel still
 * writes all of its buffer: a refused call must not spoil the context. */
static void expect_healthy(void)
{
	cl_mem mem = new_ints(COUNT);
	cl_kernel kernel = claw_suite_kernel("kernel_memory/test_bounds.clw",
					     "test_bounds_kernel");

	set_bounds_args(kernel, mem, COUNT);
	launch(claw_dev.queue, kernel, COUNT);
	expect_ints(mem, COUNT, COUNT);
	clReleaseKernel(kernel);
	clReleaseMemObject(mem);
}

/* ---- test_bounds_null_ptr -------------------------------------------- */

/* Proves: a NULL handle is answered with the code for that kind of object
 * (CL_INVALID_MEM_OBJECT, CL_INVALID_COMMAND_QUEUE ...), not with a crash,
 * and the context works afterwards. */
START_TEST(null_ptr__null_handles_are_refused)
{
	cl_mem mem = new_ints(COUNT);
	cl_buffer_region region = { 0, 16 };
	cl_int bytes[4] = { 0 };
	size_t global = 1;
	cl_int err;

#define REFUSED(call_, expected_) \
	claw_expect_code(#call_, call_, expected_)
#define REFUSED_HANDLE(call_, expected_) do {				\
	err = CL_SUCCESS;						\
	ck_assert_msg((call_) == NULL, "%s gave a handle", #call_);	\
	claw_expect_code(#call_, err, expected_);			\
} while (0)

	REFUSED_HANDLE(clCreateBuffer(NULL, CL_MEM_READ_WRITE, 16, NULL, &err),
		       CL_INVALID_CONTEXT);
	REFUSED_HANDLE(clCreateSubBuffer(NULL, 0, CL_BUFFER_CREATE_TYPE_REGION,
					 &region, &err),
		       CL_INVALID_MEM_OBJECT);
	REFUSED_HANDLE(clCreateKernel(NULL, "test_bounds_kernel", &err),
		       CL_INVALID_PROGRAM);
	REFUSED(clRetainMemObject(NULL), CL_INVALID_MEM_OBJECT);
	REFUSED(clReleaseMemObject(NULL), CL_INVALID_MEM_OBJECT);
	REFUSED(clGetMemObjectInfo(NULL, CL_MEM_SIZE, sizeof(bytes), bytes,
				   NULL), CL_INVALID_MEM_OBJECT);
	REFUSED(clEnqueueReadBuffer(claw_dev.queue, NULL, CL_TRUE, 0, 4, bytes,
				    0, NULL, NULL), CL_INVALID_MEM_OBJECT);
	REFUSED(clEnqueueWriteBuffer(claw_dev.queue, NULL, CL_TRUE, 0, 4,
				     bytes, 0, NULL, NULL),
		CL_INVALID_MEM_OBJECT);
	REFUSED(clEnqueueCopyBuffer(claw_dev.queue, NULL, mem, 0, 0, 4, 0,
				    NULL, NULL), CL_INVALID_MEM_OBJECT);
	REFUSED(clEnqueueReadBuffer(NULL, mem, CL_TRUE, 0, 4, bytes, 0, NULL,
				    NULL), CL_INVALID_COMMAND_QUEUE);
	REFUSED(clEnqueueNDRangeKernel(NULL, NULL, 1, NULL, &global, NULL, 0,
				       NULL, NULL), CL_INVALID_COMMAND_QUEUE);
	REFUSED(clSetKernelArg(NULL, 0, sizeof(mem), &mem),
		CL_INVALID_KERNEL);
	REFUSED(clFinish(NULL), CL_INVALID_COMMAND_QUEUE);
#undef REFUSED
#undef REFUSED_HANDLE
	clReleaseMemObject(mem);
	expect_healthy();
}
END_TEST

/* Proves: a NULL host pointer where bytes are to come from or go to is
 * CL_INVALID_VALUE (transfers) or CL_INVALID_HOST_PTR (creation), and
 * nothing of the buffer is changed. */
START_TEST(null_ptr__null_host_pointers_are_refused)
{
	static const cl_mem_flags flags[] = {
		CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR,
	};
	cl_mem mem = new_ints(COUNT);
	cl_int err;

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		err = CL_SUCCESS;
		ck_assert_ptr_null(clCreateBuffer(claw_dev.context, flags[i],
						  64, NULL, &err));
		claw_expect_code("clCreateBuffer without its host pointer",
				 err, CL_INVALID_HOST_PTR);
	}
	claw_expect_code("clEnqueueReadBuffer to NULL",
			 clEnqueueReadBuffer(claw_dev.queue, mem, CL_TRUE, 0,
					     16, NULL, 0, NULL, NULL),
			 CL_INVALID_VALUE);
	claw_expect_code("clEnqueueWriteBuffer from NULL",
			 clEnqueueWriteBuffer(claw_dev.queue, mem, CL_TRUE, 0,
					      16, NULL, 0, NULL, NULL),
			 CL_INVALID_VALUE);
	err = CL_SUCCESS;
	ck_assert_ptr_null(clCreateSubBuffer(mem, 0,
					     CL_BUFFER_CREATE_TYPE_REGION,
					     NULL, &err));
	claw_expect_code("clCreateSubBuffer without a region", err,
			 CL_INVALID_VALUE);
	expect_ints(mem, 0, COUNT);
	clReleaseMemObject(mem);
}
END_TEST

/* Proves: errcode_ret may be NULL (every clCreate* must cope): the failure
 * is then the NULL handle alone. */
START_TEST(null_ptr__null_errcode_is_honoured)
{
	cl_mem mem = clCreateBuffer(claw_dev.context, CL_MEM_READ_WRITE, 64,
				    NULL, NULL);

	ck_assert_ptr_nonnull(mem);
	clReleaseMemObject(mem);
	ck_assert_ptr_null(clCreateBuffer(NULL, CL_MEM_READ_WRITE, 64, NULL,
					  NULL));
	ck_assert_ptr_null(clCreateKernel(NULL, "test_bounds_kernel", NULL));
}
END_TEST

/* Proves: a NULL buffer argument is legal, in both of its spellings, and the
 * kernel sees a pointer that equals 0 (clSetKernelArg: "If arg_value is NULL
 * or points to NULL, then the kernel argument will be NULL"). */
START_TEST(null_ptr__null_buffer_argument_is_null_in_the_kernel)
{
	cl_kernel kernel = claw_suite_kernel("kernel_memory/test_null.clw",
					     "test_null_argument");
	cl_mem seen = new_ints(2), none = NULL;
	const void *const spellings[] = { NULL, &none };

	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++) {
		cl_int values[2] = { 0, 0 };

		set_arg(kernel, 0, sizeof(cl_mem), spellings[i]);
		set_arg(kernel, 1, sizeof(cl_mem), spellings[i]);
		set_arg(kernel, 2, sizeof(cl_mem), &seen);
		launch(claw_dev.queue, kernel, 1);
		read_ints(seen, values, 2);
		ck_assert_int_eq(values[0], 1);
		ck_assert_int_eq(values[1], 1);
	}
	clReleaseKernel(kernel);
	clReleaseMemObject(seen);
}
END_TEST

/* Proves: the guarded bounds kernel survives the NULL buffer that an
 * unguarded one dereferences, and the queue goes on. */
START_TEST(null_ptr__guarded_kernel_survives_a_null_buffer)
{
	cl_kernel kernel = claw_suite_kernel("kernel_memory/test_bounds.clw",
					     "test_bounds_kernel_mended");

	set_bounds_args(kernel, NULL, COUNT);
	launch(claw_dev.queue, kernel, COUNT);
	finish(claw_dev.queue);
	clReleaseKernel(kernel);
	expect_healthy();
}
END_TEST

/* Proves: an argument that was never set is CL_INVALID_KERNEL_ARGS at the
 * launch. */
START_TEST(null_ptr__missing_arguments_are_refused)
{
	cl_kernel kernel = claw_suite_kernel("kernel_memory/test_bounds.clw",
					     "test_bounds_kernel");
	size_t global = COUNT;

	claw_expect_code("clEnqueueNDRangeKernel without arguments",
			 clEnqueueNDRangeKernel(claw_dev.queue, kernel, 1,
						NULL, &global, NULL, 0, NULL,
						NULL),
			 CL_INVALID_KERNEL_ARGS);
	clReleaseKernel(kernel);
}
END_TEST

/* Proves: a NULL value for an argument that is no memory is
 * CL_INVALID_ARG_VALUE when it is set. */
START_TEST(null_ptr__null_value_for_an_int_is_refused)
{
	cl_kernel kernel = claw_suite_kernel("kernel_memory/test_bounds.clw",
					     "test_bounds_kernel");

	claw_expect_code("clSetKernelArg of an int from NULL",
			 clSetKernelArg(kernel, 1, sizeof(cl_int), NULL),
			 CL_INVALID_ARG_VALUE);
	clReleaseKernel(kernel);
}
END_TEST

/* ---- test_bounds_zero_size ------------------------------------------- */

/* Proves: a buffer of no bytes does not exist: CL_INVALID_BUFFER_SIZE and a
 * NULL handle. */
START_TEST(zero_size__buffer_is_refused)
{
	cl_int err = CL_SUCCESS;

	ck_assert_ptr_null(clCreateBuffer(claw_dev.context, CL_MEM_READ_WRITE,
					  0, NULL, &err));
	claw_expect_code("clCreateBuffer of 0 bytes", err,
			 CL_INVALID_BUFFER_SIZE);
	ck_assert_ptr_null(clCreateBuffer(claw_dev.context, CL_MEM_READ_WRITE,
					  0, NULL, NULL));
	expect_healthy();
}
END_TEST

/* Proves: neither does a sub-buffer of no bytes (CL_INVALID_BUFFER_SIZE). */
START_TEST(zero_size__sub_buffer_is_refused)
{
	cl_mem mem = new_ints(COUNT), sub;
	cl_buffer_region region = { 0, 0 };
	cl_int err = CL_SUCCESS;

	sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region,
				&err);
	if (sub)
		clReleaseMemObject(sub);
	clReleaseMemObject(mem);
	ck_assert_ptr_null(sub);
	claw_expect_code("clCreateSubBuffer of 0 bytes", err,
			 CL_INVALID_BUFFER_SIZE);
}
END_TEST

/* Proves: a read or write of no bytes, which is no error since OpenCL 2.1,
 * changes no byte on either side. */
START_TEST(zero_size__transfer_moves_nothing)
{
	cl_mem mem = new_ints(COUNT);
	cl_int value = PATTERN;

	claw_expect_code("clEnqueueReadBuffer of 0 bytes",
			 clEnqueueReadBuffer(claw_dev.queue, mem, CL_TRUE, 0,
					     0, &value, 0, NULL, NULL),
			 CL_SUCCESS);
	ck_assert_int_eq(value, PATTERN);
	claw_expect_code("clEnqueueWriteBuffer of 0 bytes",
			 clEnqueueWriteBuffer(claw_dev.queue, mem, CL_TRUE, 0,
					      0, &value, 0, NULL, NULL),
			 CL_SUCCESS);
	expect_ints(mem, 0, COUNT);
	clReleaseMemObject(mem);
}
END_TEST

/* Proves: a mapping of no bytes is CL_INVALID_VALUE and NULL. */
START_TEST(zero_size__map_is_refused)
{
	cl_mem mem = new_ints(COUNT);
	cl_int err = CL_SUCCESS;
	void *mapped = clEnqueueMapBuffer(claw_dev.queue, mem, CL_TRUE,
					  CL_MAP_READ, 0, 0, 0, NULL, NULL,
					  &err);

	if (mapped)
		clEnqueueUnmapMemObject(claw_dev.queue, mem, mapped, 0, NULL,
					NULL);
	finish(claw_dev.queue);
	clReleaseMemObject(mem);
	ck_assert_ptr_null(mapped);
	claw_expect_code("clEnqueueMapBuffer of 0 bytes", err,
			 CL_INVALID_VALUE);
}
END_TEST

/* Proves: a fill with a pattern of no bytes is CL_INVALID_VALUE and fills
 * nothing. */
START_TEST(zero_size__fill_pattern_is_refused)
{
	cl_mem mem = new_ints(COUNT);
	cl_int pattern = PATTERN;

	if (claw_dev.version >= 120)
		claw_expect_code("clEnqueueFillBuffer with a pattern of 0 bytes",
				 clEnqueueFillBuffer(claw_dev.queue, mem,
						     &pattern, 0, 0, 16, 0,
						     NULL, NULL),
				 CL_INVALID_VALUE);
	expect_ints(mem, 0, COUNT);
	clReleaseMemObject(mem);
}
END_TEST

/* Proves: a launch of no work-items runs none. Since OpenCL 2.1 it is legal
 * and its event completes; before, it is CL_INVALID_GLOBAL_WORK_SIZE. */
START_TEST(zero_size__launch_runs_no_work_item)
{
	cl_kernel kernel = claw_suite_kernel("kernel_memory/test_bounds.clw",
					     "test_bounds_kernel");
	cl_mem mem = new_ints(COUNT);
	cl_int status = CL_QUEUED, err;
	cl_event event = NULL;
	size_t global = 0;

	set_bounds_args(kernel, mem, COUNT);
	err = clEnqueueNDRangeKernel(claw_dev.queue, kernel, 1, NULL, &global,
				     NULL, 0, NULL, &event);
	finish(claw_dev.queue);
	expect_ints(mem, 0, COUNT);
	if (event) {
		clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
			       sizeof(status), &status, NULL);
		clReleaseEvent(event);
	}
	clReleaseKernel(kernel);
	clReleaseMemObject(mem);
	if (claw_dev.version < 210) {
		claw_expect_code("clEnqueueNDRangeKernel of 0 work-items", err,
				 CL_INVALID_GLOBAL_WORK_SIZE);
	} else {
		claw_expect_code("clEnqueueNDRangeKernel of 0 work-items", err,
				 CL_SUCCESS);
		ck_assert_int_eq(status, CL_COMPLETE);
	}
}
END_TEST

/* Proves: a launch of no dimensions is CL_INVALID_WORK_DIMENSION. */
START_TEST(zero_size__dimension_is_refused)
{
	cl_kernel kernel = claw_suite_kernel("kernel_memory/test_bounds.clw",
					     "test_bounds_kernel");
	cl_mem mem = new_ints(COUNT);
	size_t global = COUNT;

	set_bounds_args(kernel, mem, COUNT);
	claw_expect_code("clEnqueueNDRangeKernel of 0 dimensions",
			 clEnqueueNDRangeKernel(claw_dev.queue, kernel, 0,
						NULL, &global, NULL, 0, NULL,
						NULL),
			 CL_INVALID_WORK_DIMENSION);
	finish(claw_dev.queue);
	expect_ints(mem, 0, COUNT);
	clReleaseKernel(kernel);
	clReleaseMemObject(mem);
}
END_TEST

/* Proves: a local argument of no bytes is CL_INVALID_ARG_SIZE. */
START_TEST(zero_size__local_memory_is_refused)
{
	cl_kernel kernel = claw_suite_kernel(
		"kernel_memory/test_concurrent.clw", "test_concurrent_sum");
	cl_int err = clSetKernelArg(kernel, 2, 0, NULL);

	clReleaseKernel(kernel);
	claw_expect_code("clSetKernelArg of 0 bytes of local memory", err,
			 CL_INVALID_ARG_SIZE);
}
END_TEST

/* Proves: the mended bounds kernel told of an empty buffer writes nothing
 * (the published one writes element 0), and told of one element writes just
 * that one. */
START_TEST(zero_size__kernel_writes_nothing_to_an_empty_buffer)
{
	static const cl_int sizes[] = { 0, 1, 2 };
	cl_kernel kernel = claw_suite_kernel("kernel_memory/test_bounds.clw",
					     "test_bounds_kernel_mended");

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		cl_mem mem = new_ints(COUNT);

		set_bounds_args(kernel, mem, sizes[i]);
		launch(claw_dev.queue, kernel, COUNT);
		expect_ints(mem, (size_t)sizes[i], COUNT);
		clReleaseMemObject(mem);
	}
	clReleaseKernel(kernel);
}
END_TEST

/* ---- test_bounds_oversized ------------------------------------------- */

/* A failed creation that says the size is the reason. */
static bool is_size_error(cl_int err)
{
	return err == CL_INVALID_BUFFER_SIZE ||
	       err == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
	       err == CL_OUT_OF_RESOURCES || err == CL_OUT_OF_HOST_MEMORY;
}

/* Proves: a buffer larger than CL_DEVICE_MAX_MEM_ALLOC_SIZE is refused with
 * CL_INVALID_BUFFER_SIZE by a device of OpenCL 3.0. Before, implementations
 * "may" do so: if one grants it, it must be that large, to its last byte. */
START_TEST(oversized__buffer_over_the_limit_is_refused_or_real)
{
	cl_ulong limit = 0, size = 0;
	cl_int err = CL_SUCCESS, value = PATTERN, back = 0;
	size_t bytes;
	cl_mem mem;

	clGetDeviceInfo(claw_dev.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
			sizeof(limit), &limit, NULL);
	ck_assert_uint_gt(limit, 0);
	if (limit > SIZE_MAX - 64)
		return;		/* nothing is over this limit */
	bytes = (size_t)limit + 64;
	mem = clCreateBuffer(claw_dev.context, CL_MEM_READ_WRITE, bytes, NULL,
			     &err);
	if (!mem || claw_dev.version >= 300) {
		if (mem)
			clReleaseMemObject(mem);
		claw_expect_code("clCreateBuffer over the largest allocation",
				 err, CL_INVALID_BUFFER_SIZE);
		ck_assert_ptr_null(mem);
		return;
	}
	claw_expect_code("clCreateBuffer that gave a handle", err, CL_SUCCESS);
	clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
	size = bytes;
	ck_assert_uint_eq(size, limit + 64);
	err = clEnqueueWriteBuffer(claw_dev.queue, mem, CL_TRUE, bytes - 4, 4,
				   &value, 0, NULL, NULL);
	if (err == CL_SUCCESS)
		err = clEnqueueReadBuffer(claw_dev.queue, mem, CL_TRUE,
					  bytes - 4, 4, &back, 0, NULL, NULL);
	clReleaseMemObject(mem);
	claw_expect_code("use of the last bytes of a granted buffer", err,
			 CL_SUCCESS);
	ck_assert_int_eq(back, PATTERN);
}
END_TEST

/* Proves: sizes that no address space holds fail with a size or memory error
 * and NULL: the driver's own rounding up must not wrap to a small size. */
START_TEST(oversized__buffer_of_all_memory_is_refused)
{
	static const size_t sizes[] = {
		SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 63, SIZE_MAX - 127,
		SIZE_MAX - 4095, SIZE_MAX / 2 + 1,
	};

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		cl_int err = CL_SUCCESS;
		cl_mem mem = clCreateBuffer(claw_dev.context,
					    CL_MEM_READ_WRITE, sizes[i], NULL,
					    &err);

		if (mem)
			clReleaseMemObject(mem);
		ck_assert_msg(!mem, "clCreateBuffer of %zu bytes gave a handle",
			      sizes[i]);
		ck_assert_msg(is_size_error(err),
			      "clCreateBuffer of %zu bytes returned %s, "
			      "expected CL_INVALID_BUFFER_SIZE or out of "
			      "memory", sizes[i], claw_suite_code(err));
	}
	expect_healthy();
}
END_TEST

/* Proves: reads, writes, copies, fills and maps that leave the buffer by one
 * byte are CL_INVALID_VALUE and move nothing. */
START_TEST(oversized__transfer_past_the_end_is_refused)
{
	enum { BYTES = COUNT * (int)sizeof(cl_int) };
	cl_mem mem = new_ints(COUNT), other = new_ints(COUNT);
	unsigned char host[BYTES + 8];
	cl_int err = CL_SUCCESS;
	void *mapped;

	memset(host, 0xa5, sizeof(host));
	claw_expect_code("clEnqueueReadBuffer of one byte too many",
			 clEnqueueReadBuffer(claw_dev.queue, mem, CL_TRUE, 0,
					     BYTES + 1, host, 0, NULL, NULL),
			 CL_INVALID_VALUE);
	claw_expect_code("clEnqueueReadBuffer from the end on",
			 clEnqueueReadBuffer(claw_dev.queue, mem, CL_TRUE,
					     BYTES, 1, host, 0, NULL, NULL),
			 CL_INVALID_VALUE);
	for (size_t i = 0; i < sizeof(host); i++)
		ck_assert_int_eq(host[i], 0xa5);
	claw_expect_code("clEnqueueWriteBuffer over the end",
			 clEnqueueWriteBuffer(claw_dev.queue, mem, CL_TRUE,
					      BYTES - 3, 4, host, 0, NULL,
					      NULL), CL_INVALID_VALUE);
	claw_expect_code("clEnqueueCopyBuffer over the end",
			 clEnqueueCopyBuffer(claw_dev.queue, mem, other, 0,
					     BYTES - 3, 4, 0, NULL, NULL),
			 CL_INVALID_VALUE);
	if (claw_dev.version >= 120)
		claw_expect_code("clEnqueueFillBuffer over the end",
				 clEnqueueFillBuffer(claw_dev.queue, mem, host,
						     4, BYTES - 4, 8, 0, NULL,
						     NULL), CL_INVALID_VALUE);
	mapped = clEnqueueMapBuffer(claw_dev.queue, mem, CL_TRUE, CL_MAP_READ,
				    0, BYTES + 1, 0, NULL, NULL, &err);
	ck_assert_ptr_null(mapped);
	claw_expect_code("clEnqueueMapBuffer of one byte too many", err,
			 CL_INVALID_VALUE);
	finish(claw_dev.queue);
	expect_ints(mem, 0, COUNT);
	expect_ints(other, 0, COUNT);
	clReleaseMemObject(other);
	clReleaseMemObject(mem);
}
END_TEST

/* Proves: an offset so large that offset + size wraps round is out of bounds
 * like any other (CL_INVALID_VALUE), and the host's bytes stay. */
START_TEST(oversized__offset_that_wraps_is_refused)
{
	cl_mem mem = new_ints(COUNT);
	cl_int values[2] = { PATTERN, PATTERN };
	cl_int err = clEnqueueReadBuffer(claw_dev.queue, mem, CL_TRUE,
					 SIZE_MAX - 3, sizeof(values), values,
					 0, NULL, NULL);

	clReleaseMemObject(mem);
	claw_expect_code("clEnqueueReadBuffer at SIZE_MAX - 3", err,
			 CL_INVALID_VALUE);
	ck_assert_int_eq(values[0], PATTERN);
	ck_assert_int_eq(values[1], PATTERN);
}
END_TEST

/* Proves: a sub-buffer that leaves its parent is CL_INVALID_VALUE. */
START_TEST(oversized__sub_buffer_past_the_end_is_refused)
{
	cl_mem mem = new_ints(COUNT);
	cl_buffer_region region = { 0, COUNT * sizeof(cl_int) + 1 };
	cl_int err = CL_SUCCESS;
	cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION,
				       &region, &err);

	if (sub)
		clReleaseMemObject(sub);
	clReleaseMemObject(mem);
	ck_assert_ptr_null(sub);
	claw_expect_code("clCreateSubBuffer of one byte too many", err,
			 CL_INVALID_VALUE);
}
END_TEST

/* Proves: a launch of more work-items than the buffer has elements writes
 * them all and not one behind them, for the kernel tests its bounds. The
 * buffer is larger than the kernel is told: what lies behind is looked at. */
START_TEST(oversized__launch_larger_than_the_buffer_stays_inside)
{
	static const cl_int sizes[] = { 1, 2, 3, COUNT - 1, COUNT };
	cl_kernel kernel = claw_suite_kernel("kernel_memory/test_bounds.clw",
					     "test_bounds_kernel");

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		cl_mem mem = new_ints(2 * COUNT);

		set_bounds_args(kernel, mem, sizes[i]);
		launch(claw_dev.queue, kernel, 2 * COUNT);
		expect_ints(mem, (size_t)sizes[i], 2 * COUNT);
		clReleaseMemObject(mem);
	}
	clReleaseKernel(kernel);
}
END_TEST

/* Proves: a work-group larger than the device's limit, an argument larger
 * than its type and an argument that the kernel does not have are refused
 * with the code for each. */
START_TEST(oversized__work_group_and_arguments_are_refused)
{
	cl_kernel kernel = claw_suite_kernel("kernel_memory/test_bounds.clw",
					     "test_bounds_kernel");
	cl_mem mem = new_ints(COUNT);
	size_t limit = 0, items[16] = { 0 }, local;
	cl_long wide = 0;
	cl_int err;

	clGetDeviceInfo(claw_dev.device, CL_DEVICE_MAX_WORK_GROUP_SIZE,
			sizeof(limit), &limit, NULL);
	clGetDeviceInfo(claw_dev.device, CL_DEVICE_MAX_WORK_ITEM_SIZES,
			sizeof(items), items, NULL);
	ck_assert_uint_gt(limit, 0);
	local = (limit > items[0] ? limit : items[0]) + 1;
	set_bounds_args(kernel, mem, COUNT);
	err = clEnqueueNDRangeKernel(claw_dev.queue, kernel, 1, NULL, &local,
				     &local, 0, NULL, NULL);
	ck_assert_msg(err == CL_INVALID_WORK_GROUP_SIZE ||
		      err == CL_INVALID_WORK_ITEM_SIZE,
		      "a work-group of %zu returned %s, expected "
		      "CL_INVALID_WORK_GROUP_SIZE or CL_INVALID_WORK_ITEM_SIZE",
		      local, claw_suite_code(err));
	claw_expect_code("clSetKernelArg of a long for an int",
			 clSetKernelArg(kernel, 1, sizeof(wide), &wide),
			 CL_INVALID_ARG_SIZE);
	claw_expect_code("clSetKernelArg of a fourth argument",
			 clSetKernelArg(kernel, 3, sizeof(wide), &wide),
			 CL_INVALID_ARG_INDEX);
	finish(claw_dev.queue);
	expect_ints(mem, 0, COUNT);
	clReleaseKernel(kernel);
	clReleaseMemObject(mem);
}
END_TEST

/* ---- test_alignment -------------------------------------------------- */

static size_t base_alignment(void)
{
	cl_uint bits = 0;

	clGetDeviceInfo(claw_dev.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN,
			sizeof(bits), &bits, NULL);
	ck_assert_uint_ge(bits, 8);
	return bits / 8;
}

/* Proves: a sub-buffer may begin only where CL_DEVICE_MEM_BASE_ADDR_ALIGN
 * (bits) says; elsewhere CL_MISALIGNED_SUB_BUFFER_OFFSET. */
START_TEST(alignment__misaligned_sub_buffer_is_refused)
{
	size_t step = base_alignment();
	const size_t origins[] = { 1, step / 2, step - 1, step + 1 };
	cl_mem mem = new_buffer(CL_MEM_READ_WRITE, 4 * step, NULL);
	cl_mem granted = NULL;
	cl_int err = CL_MISALIGNED_SUB_BUFFER_OFFSET;
	size_t origin = 0;

	for (size_t i = 0; i < ARRAY_SIZE(origins) && !granted; i++) {
		cl_buffer_region region = { origins[i], step };

		if (origins[i] % step == 0)
			continue;
		origin = origins[i];
		granted = clCreateSubBuffer(mem, 0,
					    CL_BUFFER_CREATE_TYPE_REGION,
					    &region, &err);
		if (err != CL_MISALIGNED_SUB_BUFFER_OFFSET)
			break;
	}
	if (granted)
		clReleaseMemObject(granted);
	clReleaseMemObject(mem);
	ck_assert_msg(!granted && err == CL_MISALIGNED_SUB_BUFFER_OFFSET,
		      "clCreateSubBuffer at %zu (alignment %zu) returned %s, "
		      "expected CL_MISALIGNED_SUB_BUFFER_OFFSET", origin, step,
		      claw_suite_code(err));
}
END_TEST

/* Proves: a sub-buffer at an aligned origin is that part of its parent: a
 * kernel that fills it fills those bytes and no other. */
START_TEST(alignment__aligned_sub_buffer_is_its_part_of_the_parent)
{
	size_t step = base_alignment();
	size_t count, part;
	cl_buffer_region region;
	cl_kernel kernel;
	cl_int err = CL_SUCCESS, *values;
	cl_mem mem, sub;

	/* Ints per step; a step below an int's size holds whole ints only
	 * together with its neighbours. */
	if (step < sizeof(cl_int))
		step = sizeof(cl_int);
	part = step / sizeof(cl_int);
	count = 3 * part;
	mem = new_ints(count);
	region = (cl_buffer_region){ step, step };
	sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region,
				&err);
	claw_expect_code("clCreateSubBuffer at an aligned origin", err,
			 CL_SUCCESS);
	kernel = claw_suite_kernel("kernel_memory/test_bounds.clw",
				   "test_bounds_kernel");
	set_bounds_args(kernel, sub, (cl_int)part);
	launch(claw_dev.queue, kernel, part);
	finish(claw_dev.queue);
	values = malloc(count * sizeof(*values));
	ck_assert_ptr_nonnull(values);
	read_ints(mem, values, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(values[i] == (i / part == 1 ? PATTERN : CANARY),
			      "element %zu of the parent is %d", i,
			      (int)values[i]);
	free(values);
	clReleaseKernel(kernel);
	clReleaseMemObject(sub);
	clReleaseMemObject(mem);
}
END_TEST

/* Proves: vector types have their own size as alignment in global, local and
 * private memory (OpenCL C, section 6.1.5), and every element passes through
 * all three unchanged. */
START_TEST(alignment__vector_types_are_aligned_to_their_size)
{
	static const struct {
		const char *kernel;
		size_t bytes;
	} types[] = {
		{ "test_alignment_char2", 2 }, { "test_alignment_short2", 4 },
		{ "test_alignment_int", 4 }, { "test_alignment_int2", 8 },
		{ "test_alignment_int3", 16 }, { "test_alignment_int4", 16 },
		{ "test_alignment_int8", 32 }, { "test_alignment_int16", 64 },
		{ "test_alignment_float4", 16 }, { "test_alignment_long2", 16 },
	};
	enum { ITEMS = 8, LARGEST = 64 };

	for (size_t t = 0; t < ARRAY_SIZE(types); t++) {
		size_t bytes = types[t].bytes, global = ITEMS, local = 1;
		/* Of an int3's four elements the last is padding. */
		size_t told = strstr(types[t].kernel, "int3") ? 12 : bytes;
		unsigned char in[ITEMS * LARGEST], out[ITEMS * LARGEST];
		cl_int misplaced[ITEMS];
		cl_mem input, output, places = new_ints(ITEMS);
		cl_kernel kernel = claw_suite_kernel(
			"kernel_memory/test_alignment.clw", types[t].kernel);

		/* Exponents stay small: no pattern is a NaN that a float
		 * move might change. */
		for (size_t i = 0; i < sizeof(in); i++)
			in[i] = (unsigned char)(i * 7 % 61 + 1);
		memset(out, 0, sizeof(out));
		input = new_buffer(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
				   ITEMS * bytes, in);
		output = new_buffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
				    ITEMS * bytes, out);
		set_arg(kernel, 0, sizeof(input), &input);
		set_arg(kernel, 1, sizeof(output), &output);
		set_arg(kernel, 2, local * bytes, NULL);
		set_arg(kernel, 3, sizeof(places), &places);
		claw_expect_code("clEnqueueNDRangeKernel",
				 clEnqueueNDRangeKernel(claw_dev.queue, kernel,
							1, NULL, &global,
							&local, 0, NULL, NULL),
				 CL_SUCCESS);
		read_ints(places, misplaced, ITEMS);
		claw_expect_code("clEnqueueReadBuffer",
				 clEnqueueReadBuffer(claw_dev.queue, output,
						     CL_TRUE, 0, ITEMS * bytes,
						     out, 0, NULL, NULL),
				 CL_SUCCESS);
		for (size_t i = 0; i < ITEMS; i++) {
			ck_assert_msg(misplaced[i] == 0,
				      "%s: work-item %zu found %d misplaced "
				      "pointers", types[t].kernel, i,
				      (int)misplaced[i]);
			ck_assert_msg(memcmp(in + i * bytes, out + i * bytes,
					     told) == 0,
				      "%s: work-item %zu copied other bytes",
				      types[t].kernel, i);
		}
		clReleaseKernel(kernel);
		clReleaseMemObject(places);
		clReleaseMemObject(output);
		clReleaseMemObject(input);
	}
}
END_TEST

/* Proves: vload4 and vstore4 need an element's alignment only: shifted by
 * one, two and three ints they still move each to its place. */
START_TEST(alignment__vload_needs_an_elements_alignment_only)
{
	enum { VECTORS = 16, INTS = 4 * VECTORS + 4 };
	cl_kernel kernel = claw_suite_kernel("kernel_memory/test_alignment.clw",
					     "test_alignment_vload");

	for (cl_int shift = 0; shift < 4; shift++) {
		cl_int in[INTS], out[INTS];
		cl_mem input, output = new_ints(INTS);

		for (cl_int i = 0; i < INTS; i++)
			in[i] = 1000 + i;
		input = new_buffer(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
				   sizeof(in), in);
		set_arg(kernel, 0, sizeof(input), &input);
		set_arg(kernel, 1, sizeof(output), &output);
		set_arg(kernel, 2, sizeof(shift), &shift);
		launch(claw_dev.queue, kernel, VECTORS);
		read_ints(output, out, INTS);
		for (cl_int i = 0; i < INTS; i++) {
			bool inside = i >= shift && i < shift + 4 * VECTORS;

			ck_assert_msg(out[i] == (inside ? in[i] : CANARY),
				      "shift %d: element %d is %d", (int)shift,
				      (int)i, (int)out[i]);
		}
		clReleaseMemObject(input);
		clReleaseMemObject(output);
	}
	clReleaseKernel(kernel);
}
END_TEST

/* Proves: CL_MEM_USE_HOST_PTR with memory aligned to an int and to nothing
 * more works: the kernel's result is in the program's memory once mapped. */
START_TEST(alignment__host_memory_needs_an_elements_alignment_only)
{
	cl_int room[COUNT + 64];
	cl_int *host = room;
	cl_kernel kernel = claw_suite_kernel("kernel_memory/test_bounds.clw",
					     "test_bounds_kernel");
	cl_int err = CL_SUCCESS;
	cl_mem mem;
	void *mapped;

	/* One int past a 128-byte boundary: aligned to 4 and to no more. */
	while (((uintptr_t)host & 127) != 4)
		host++;
	for (size_t i = 0; i < ARRAY_SIZE(room); i++)
		room[i] = CANARY;
	mem = new_buffer(CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
			 COUNT * sizeof(*host), host);
	set_bounds_args(kernel, mem, COUNT);
	launch(claw_dev.queue, kernel, COUNT);
	mapped = clEnqueueMapBuffer(claw_dev.queue, mem, CL_TRUE, CL_MAP_READ,
				    0, COUNT * sizeof(*host), 0, NULL, NULL,
				    &err);
	claw_expect_code("clEnqueueMapBuffer", err, CL_SUCCESS);
	ck_assert_ptr_eq(mapped, host);
	for (size_t i = 0; i < ARRAY_SIZE(room); i++) {
		bool inside = room + i >= host && room + i < host + COUNT;

		ck_assert_msg(room[i] == (inside ? PATTERN : CANARY),
			      "host element %td is %d",
			      room + i - host, (int)room[i]);
	}
	clEnqueueUnmapMemObject(claw_dev.queue, mem, mapped, 0, NULL, NULL);
	finish(claw_dev.queue);
	clReleaseKernel(kernel);
	clReleaseMemObject(mem);
}
END_TEST

/* Proves: transfers are of bytes: odd offsets, odd sizes and odd host
 * pointers move exactly those bytes. */
START_TEST(alignment__odd_transfers_move_exactly_their_bytes)
{
	enum { BYTES = 97, OFFSET = 13, SIZE = 31 };
	unsigned char in[BYTES + 1], out[BYTES + 9];
	cl_mem mem;

	memset(in, 0, sizeof(in));
	mem = new_buffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES, in);
	for (size_t i = 0; i < sizeof(in); i++)
		in[i] = (unsigned char)(i + 1);
	memset(out, 0xee, sizeof(out));
	claw_expect_code("clEnqueueWriteBuffer at an odd offset",
			 clEnqueueWriteBuffer(claw_dev.queue, mem, CL_TRUE,
					      OFFSET, SIZE, in + 1, 0, NULL,
					      NULL), CL_SUCCESS);
	claw_expect_code("clEnqueueReadBuffer to an odd pointer",
			 clEnqueueReadBuffer(claw_dev.queue, mem, CL_TRUE, 0,
					     BYTES, out + 3, 0, NULL, NULL),
			 CL_SUCCESS);
	for (size_t i = 0; i < sizeof(out); i++) {
		unsigned char expected = 0;

		if (i < 3 || i >= BYTES + 3)
			expected = 0xee;
		else if (i - 3 >= OFFSET && i - 3 < OFFSET + SIZE)
			expected = in[1 + (i - 3 - OFFSET)];
		ck_assert_msg(out[i] == expected,
			      "byte %zu is %02x, expected %02x", i, out[i],
			      expected);
	}
	clReleaseMemObject(mem);
}
END_TEST

/* ---- test_concurrent_access ------------------------------------------ */

/* Proves: two queues that fill the two halves of one buffer (as disjoint
 * sub-buffers, which the specification allows) at once lose nothing. */
START_TEST(concurrent__two_queues_fill_disjoint_halves)
{
	enum { ROUNDS = 8 };
	size_t step = base_alignment();
	size_t bytes = (COUNT * sizeof(cl_int) + step - 1) / step * step;
	size_t half = bytes / sizeof(cl_int), count = 2 * half;
	cl_mem mem = new_ints(count), parts[2];
	cl_command_queue queues[2];
	cl_kernel kernels[2];
	cl_int err = CL_SUCCESS, *values;

	for (int i = 0; i < 2; i++) {
		cl_buffer_region region = { (size_t)i * bytes, bytes };

		parts[i] = clCreateSubBuffer(mem, 0,
					     CL_BUFFER_CREATE_TYPE_REGION,
					     &region, &err);
		claw_expect_code("clCreateSubBuffer", err, CL_SUCCESS);
		queues[i] = clCreateCommandQueue(claw_dev.context,
						 claw_dev.device, 0, &err);
		claw_expect_code("clCreateCommandQueue", err, CL_SUCCESS);
		kernels[i] = claw_suite_kernel("kernel_memory/test_bounds.clw",
					       "test_bounds_kernel");
	}
	for (cl_int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < 2; i++) {
			cl_int pattern = 100 * round + i;

			set_bounds_args(kernels[i], parts[i], (cl_int)half);
			set_arg(kernels[i], 2, sizeof(pattern), &pattern);
			launch(queues[i], kernels[i], half);
			claw_expect_code("clFlush", clFlush(queues[i]),
					 CL_SUCCESS);
		}
	}
	finish(queues[0]);
	finish(queues[1]);
	values = malloc(count * sizeof(*values));
	ck_assert_ptr_nonnull(values);
	read_ints(mem, values, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(values[i] == 100 * (ROUNDS - 1) +
			      (i < half ? 0 : 1), "element %zu is %d", i,
			      (int)values[i]);
	free(values);
	for (int i = 0; i < 2; i++) {
		clReleaseKernel(kernels[i]);
		clReleaseCommandQueue(queues[i]);
		clReleaseMemObject(parts[i]);
	}
	clReleaseMemObject(mem);
}
END_TEST

/* Proves: atomic_inc on one counter by every work-item of several launches
 * gives each ticket once: none lost, none given twice. */
START_TEST(concurrent__atomic_tickets_are_each_taken_once)
{
	enum { LAUNCHES = 2, TICKETS = LAUNCHES * COUNT };
	cl_kernel kernel = claw_suite_kernel(
		"kernel_memory/test_concurrent.clw", "test_concurrent_tickets");
	cl_int zeros[TICKETS] = { 0 }, taken[TICKETS], tickets = TICKETS;
	cl_int count = -1;
	cl_mem counter, marks;

	counter = new_buffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
			     sizeof(cl_int), zeros);
	marks = new_buffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
			   sizeof(zeros), zeros);
	set_arg(kernel, 0, sizeof(counter), &counter);
	set_arg(kernel, 1, sizeof(marks), &marks);
	set_arg(kernel, 2, sizeof(tickets), &tickets);
	for (int i = 0; i < LAUNCHES; i++)
		launch(claw_dev.queue, kernel, COUNT);
	read_ints(counter, &count, 1);
	ck_assert_int_eq(count, TICKETS);
	read_ints(marks, taken, TICKETS);
	for (size_t i = 0; i < TICKETS; i++)
		ck_assert_msg(taken[i] == 1, "ticket %zu was taken %d times",
			      i, (int)taken[i]);
	clReleaseKernel(kernel);
	clReleaseMemObject(marks);
	clReleaseMemObject(counter);
}
END_TEST

/* Proves: work-items of a group see each other's local memory after a
 * barrier: every group's sum is right. */
START_TEST(concurrent__barrier_orders_local_memory)
{
	cl_kernel kernel = claw_suite_kernel(
		"kernel_memory/test_concurrent.clw", "test_concurrent_sum");
	size_t local = 1, limit = 0, global = COUNT;
	cl_int in[COUNT], sums[COUNT];
	cl_mem input, output = new_ints(COUNT);

	clGetKernelWorkGroupInfo(kernel, claw_dev.device,
				 CL_KERNEL_WORK_GROUP_SIZE, sizeof(limit),
				 &limit, NULL);
	while (local * 2 <= limit && local < 32)
		local *= 2;
	for (cl_int i = 0; i < COUNT; i++)
		in[i] = i * i;
	input = new_buffer(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(in),
			   in);
	set_arg(kernel, 0, sizeof(input), &input);
	set_arg(kernel, 1, sizeof(output), &output);
	set_arg(kernel, 2, local * sizeof(cl_int), NULL);
	claw_expect_code("clEnqueueNDRangeKernel",
			 clEnqueueNDRangeKernel(claw_dev.queue, kernel, 1,
						NULL, &global, &local, 0, NULL,
						NULL), CL_SUCCESS);
	read_ints(output, sums, COUNT / local);
	for (size_t group = 0; group < COUNT / local; group++) {
		cl_int expected = 0;

		for (size_t i = 0; i < local; i++)
			expected += in[group * local + i];
		ck_assert_msg(sums[group] == expected,
			      "group %zu summed to %d, expected %d", group,
			      (int)sums[group], (int)expected);
	}
	clReleaseKernel(kernel);
	clReleaseMemObject(output);
	clReleaseMemObject(input);
}
END_TEST

/* Proves: a command that waits for another queue's event runs after it and
 * sees what it wrote. The steps do not commute. */
START_TEST(concurrent__event_orders_two_queues)
{
	enum { STEPS = 6 };
	cl_command_queue second;
	cl_kernel kernels[2];
	cl_event last = NULL;
	cl_mem mem = new_ints(COUNT);
	cl_int err = CL_SUCCESS, values[COUNT], expected = CANARY;
	size_t global = COUNT;

	second = clCreateCommandQueue(claw_dev.context, claw_dev.device, 0,
				      &err);
	claw_expect_code("clCreateCommandQueue", err, CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		kernels[i] = claw_suite_kernel(
			"kernel_memory/test_concurrent.clw",
			"test_concurrent_step");
	for (cl_int step = 0; step < STEPS; step++) {
		cl_command_queue queue = step % 2 ? second : claw_dev.queue;
		cl_kernel kernel = kernels[step % 2];
		cl_event done = NULL;

		set_arg(kernel, 0, sizeof(mem), &mem);
		set_arg(kernel, 1, sizeof(step), &step);
		claw_expect_code("clEnqueueNDRangeKernel with a wait list",
				 clEnqueueNDRangeKernel(queue, kernel, 1, NULL,
							&global, NULL,
							last ? 1 : 0,
							last ? &last : NULL,
							&done), CL_SUCCESS);
		claw_expect_code("clFlush", clFlush(queue), CL_SUCCESS);
		if (last)
			clReleaseEvent(last);
		last = done;
		expected = expected * 3 + step;
	}
	claw_expect_code("clWaitForEvents", clWaitForEvents(1, &last),
			 CL_SUCCESS);
	clReleaseEvent(last);
	read_ints(mem, values, COUNT);
	for (size_t i = 0; i < COUNT; i++)
		ck_assert_msg(values[i] == expected,
			      "element %zu is %d, expected %d", i,
			      (int)values[i], (int)expected);
	finish(second);
	for (int i = 0; i < 2; i++)
		clReleaseKernel(kernels[i]);
	clReleaseCommandQueue(second);
	clReleaseMemObject(mem);
}
END_TEST

enum { THREADS = 4, THREAD_ROUNDS = 8 };

/* What one thread is given and what came of it. It must not ck_assert. */
struct worker {
	pthread_t thread;
	cl_kernel kernel;
	cl_int number;
	cl_int err;		/* first that was not CL_SUCCESS */
	const char *call;
	size_t wrong;		/* elements that were not as they should be */
};

static bool worker_ok(struct worker *w, const char *call, cl_int err)
{
	if (err != CL_SUCCESS && w->err == CL_SUCCESS) {
		w->err = err;
		w->call = call;
	}
	return err == CL_SUCCESS;
}

static void worker_round(struct worker *w, cl_command_queue queue,
			 cl_int pattern)
{
	cl_int values[COUNT] = { 0 }, size = COUNT, err = CL_SUCCESS;
	size_t global = COUNT;
	cl_mem mem = clCreateBuffer(claw_dev.context, CL_MEM_READ_WRITE,
				    sizeof(values), NULL, &err);

	if (worker_ok(w, "clCreateBuffer", err) &&
	    worker_ok(w, "clSetKernelArg",
		      clSetKernelArg(w->kernel, 0, sizeof(mem), &mem)) &&
	    worker_ok(w, "clSetKernelArg",
		      clSetKernelArg(w->kernel, 1, sizeof(size), &size)) &&
	    worker_ok(w, "clSetKernelArg",
		      clSetKernelArg(w->kernel, 2, sizeof(pattern),
				     &pattern)) &&
	    worker_ok(w, "clEnqueueNDRangeKernel",
		      clEnqueueNDRangeKernel(queue, w->kernel, 1, NULL,
					     &global, NULL, 0, NULL, NULL)) &&
	    worker_ok(w, "clEnqueueReadBuffer",
		      clEnqueueReadBuffer(queue, mem, CL_TRUE, 0,
					  sizeof(values), values, 0, NULL,
					  NULL)))
		for (size_t i = 0; i < COUNT; i++)
			w->wrong += values[i] != pattern;
	if (mem)
		clReleaseMemObject(mem);
}

static void *work(void *user)
{
	struct worker *w = user;
	cl_int err = CL_SUCCESS;
	cl_command_queue queue = clCreateCommandQueue(claw_dev.context,
						      claw_dev.device, 0,
						      &err);

	if (!worker_ok(w, "clCreateCommandQueue", err))
		return NULL;
	for (cl_int round = 0; round < THREAD_ROUNDS; round++)
		worker_round(w, queue, 1000 * w->number + round);
	worker_ok(w, "clFinish", clFinish(queue));
	clReleaseCommandQueue(queue);
	return NULL;
}

/* Proves: threads with a queue, a kernel object and buffers each, in one
 * context, do not disturb one another (all calls but clSetKernelArg on one
 * kernel are thread-safe). */
START_TEST(concurrent__threads_get_their_own_results)
{
	struct worker workers[THREADS];

	memset(workers, 0, sizeof(workers));
	for (int i = 0; i < THREADS; i++) {
		workers[i].number = i + 1;
		workers[i].kernel = claw_suite_kernel(
			"kernel_memory/test_bounds.clw", "test_bounds_kernel");
	}
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, work,
						&workers[i]), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	for (int i = 0; i < THREADS; i++) {
		clReleaseKernel(workers[i].kernel);
		ck_assert_msg(workers[i].err == CL_SUCCESS,
			      "thread %d: %s returned %s", i + 1,
			      workers[i].call,
			      claw_suite_code(workers[i].err));
		ck_assert_msg(workers[i].wrong == 0,
			      "thread %d: %zu wrong elements", i + 1,
			      workers[i].wrong);
	}
}
END_TEST

static const char *const cases[] = {
	"test_bounds_null_ptr", "test_bounds_zero_size",
	"test_bounds_oversized", "test_alignment", "test_concurrent_access",
	NULL,
};

/* Seen with Oclgrind 21.10, pocl 6.0, rusticl 22.3.6 and 25.0.7 on llvmpipe and with
 * NVIDIA's 580.159.04 on an H200. */
static const struct claw_suite_deviation deviations[] = {
	{ "null_ptr__null_value_for_an_int_is_refused", CLAW_DRIVER_OCLGRIND,
	  "clSetKernelArg reads from the NULL value", true },
	{ "zero_size__sub_buffer_is_refused", CLAW_DRIVER_OCLGRIND,
	  "clCreateSubBuffer of 0 bytes answers CL_INVALID_VALUE", false },
	{ "zero_size__map_is_refused", CLAW_DRIVER_OCLGRIND,
	  "clEnqueueMapBuffer of 0 bytes gives a mapping", false },
	{ "zero_size__launch_runs_no_work_item", CLAW_DRIVER_OCLGRIND,
	  "an OpenCL 1.2 device that takes a launch of 0 work-items", false },
	{ "zero_size__local_memory_is_refused", CLAW_DRIVER_OCLGRIND,
	  "clSetKernelArg takes 0 bytes of local memory", false },
	{ "oversized__offset_that_wraps_is_refused", CLAW_DRIVER_OCLGRIND,
	  "offset + size is not checked for wrapping round", false },
	{ "alignment__misaligned_sub_buffer_is_refused", CLAW_DRIVER_OCLGRIND,
	  "clCreateSubBuffer takes every origin", false },
	{ "concurrent__threads_get_their_own_results", CLAW_DRIVER_OCLGRIND,
	  "a context is not thread-safe: two launches at once end in "
	  "SIGSEGV or an assertion", true },
	{ "zero_size__transfer_moves_nothing", CLAW_DRIVER_POCL_6,
	  "clEnqueueReadBuffer of 0 bytes answers CL_INVALID_VALUE, as before "
	  "OpenCL 2.1", false },
	{ "zero_size__map_is_refused", CLAW_DRIVER_NVIDIA,
	  "clEnqueueMapBuffer of 0 bytes answers CL_SUCCESS", false },
	{ "zero_size__local_memory_is_refused", CLAW_DRIVER_NVIDIA,
	  "clSetKernelArg takes 0 bytes of local memory", false },
	{ "oversized__buffer_over_the_limit_is_refused_or_real", CLAW_DRIVER_NVIDIA,
	  "clCreateBuffer takes no memory and knows no limit: the first use "
	  "of the buffer fails", false },
	{ "oversized__buffer_of_all_memory_is_refused", CLAW_DRIVER_NVIDIA,
	  "clCreateBuffer takes no memory and knows no limit: the first use "
	  "of the buffer fails", false },
	{ "oversized__offset_that_wraps_is_refused", CLAW_DRIVER_NVIDIA,
	  "offset + size is not checked for wrapping round: the copy ends in "
	  "SIGSEGV", true },
	{ "oversized__sub_buffer_past_the_end_is_refused", CLAW_DRIVER_NVIDIA,
	  "clCreateSubBuffer takes every region", false },
	{ "alignment__misaligned_sub_buffer_is_refused", CLAW_DRIVER_NVIDIA,
	  "clCreateSubBuffer takes every origin", false },
	{ "oversized__offset_that_wraps_is_refused", CLAW_DRIVER_RUSTICL_22,
	  "offset + size that wraps round panics, and the process aborts",
	  true },
	{ "oversized__offset_that_wraps_is_refused", CLAW_DRIVER_RUSTICL_25,
	  "offset + size that wraps round answers CL_OUT_OF_HOST_MEMORY",
	  false },
	{ "alignment__misaligned_sub_buffer_is_refused", CLAW_DRIVER_RUSTICL_22,
	  "clCreateSubBuffer takes every origin", false },
	{ "alignment__misaligned_sub_buffer_is_refused", CLAW_DRIVER_RUSTICL_25,
	  "clCreateSubBuffer takes every origin", false },
	{ "concurrent__two_queues_fill_disjoint_halves", CLAW_DRIVER_RUSTICL_22,
	  "clFinish does not wait for what clFlush submitted, and the process "
	  "may end first, with SIGSEGV", true },
	{ NULL, NULL, NULL, false },
};

static void add_tests(void)
{
	claw_suite_add(cases[0], null_ptr__null_handles_are_refused);
	claw_suite_add(cases[0], null_ptr__null_host_pointers_are_refused);
	claw_suite_add(cases[0], null_ptr__null_errcode_is_honoured);
	claw_suite_add(cases[0],
		       null_ptr__null_buffer_argument_is_null_in_the_kernel);
	claw_suite_add(cases[0],
		       null_ptr__guarded_kernel_survives_a_null_buffer);
	claw_suite_add(cases[0], null_ptr__missing_arguments_are_refused);
	claw_suite_add(cases[0], null_ptr__null_value_for_an_int_is_refused);

	claw_suite_add(cases[1], zero_size__buffer_is_refused);
	claw_suite_add(cases[1], zero_size__sub_buffer_is_refused);
	claw_suite_add(cases[1], zero_size__transfer_moves_nothing);
	claw_suite_add(cases[1], zero_size__map_is_refused);
	claw_suite_add(cases[1], zero_size__fill_pattern_is_refused);
	claw_suite_add(cases[1], zero_size__launch_runs_no_work_item);
	claw_suite_add(cases[1], zero_size__dimension_is_refused);
	claw_suite_add(cases[1], zero_size__local_memory_is_refused);
	claw_suite_add(cases[1],
		       zero_size__kernel_writes_nothing_to_an_empty_buffer);

	claw_suite_add(cases[2],
		       oversized__buffer_over_the_limit_is_refused_or_real);
	claw_suite_add(cases[2], oversized__buffer_of_all_memory_is_refused);
	claw_suite_add(cases[2], oversized__transfer_past_the_end_is_refused);
	claw_suite_add(cases[2], oversized__offset_that_wraps_is_refused);
	claw_suite_add(cases[2],
		       oversized__sub_buffer_past_the_end_is_refused);
	claw_suite_add(cases[2],
		       oversized__launch_larger_than_the_buffer_stays_inside);
	claw_suite_add(cases[2],
		       oversized__work_group_and_arguments_are_refused);

	claw_suite_add(cases[3], alignment__misaligned_sub_buffer_is_refused);
	claw_suite_add(cases[3],
		       alignment__aligned_sub_buffer_is_its_part_of_the_parent);
	claw_suite_add(cases[3],
		       alignment__vector_types_are_aligned_to_their_size);
	claw_suite_add(cases[3],
		       alignment__vload_needs_an_elements_alignment_only);
	claw_suite_add(cases[3],
		       alignment__host_memory_needs_an_elements_alignment_only);
	claw_suite_add(cases[3],
		       alignment__odd_transfers_move_exactly_their_bytes);

	claw_suite_add(cases[4], concurrent__two_queues_fill_disjoint_halves);
	claw_suite_add(cases[4],
		       concurrent__atomic_tickets_are_each_taken_once);
	claw_suite_add(cases[4], concurrent__barrier_orders_local_memory);
	claw_suite_add(cases[4], concurrent__event_orders_two_queues);
	claw_suite_add(cases[4], concurrent__threads_get_their_own_results);
}

static const struct claw_suite suite = {
	.name = "kernel_memory",
	.cases = cases,
	.deviations = deviations,
	.add_tests = add_tests,
};

int main(int argc, char **argv)
{
	return claw_suite_main(&suite, argc, argv);
}
