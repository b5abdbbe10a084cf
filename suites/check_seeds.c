/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The seeds' programs, before and after, each beneath the device model of its
 * case in seeds.yaml: a test of a "_before" case does what the text says that
 * went wrong and holds when it fails as described, one of an "_after" case
 * does what the text says to do and fails nowhere. How often a loop goes round
 * before its memory is gone is told from the memory, never written down.
 */
#include "config.h"

#include <stdlib.h>

#include "host_side.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)
#define LARGE (12 * GIB)	/* few iterations: each builds its program */
#define SMALL (48 * KIB)

enum {
	CHUNKS = 4,
	ITEMS = 8,
	MOST = 1 << 16,		/* no loop goes round as often */
};

/* Of cl_amd_device_attribute_query, which every model answers. */
enum { GLOBAL_FREE_MEMORY_AMD = 0x4039 };

/* ---- the device's memory ----------------------------------------------- */

static size_t memory_bytes(void)
{
	cl_ulong bytes = 0;

	claw_must(clGetDeviceInfo(claw_dev.device, CL_DEVICE_GLOBAL_MEM_SIZE,
				  sizeof(bytes), &bytes, NULL));
	return (size_t)bytes;
}

/* In its pieces, whichever is the largest. */
static size_t free_bytes(void)
{
	size_t kib[2] = { 0, 0 };

	claw_must(clGetDeviceInfo(claw_dev.device, GLOBAL_FREE_MEMORY_AMD,
				  sizeof(kib), kib, NULL));
	return kib[0] * 1024;
}

static cl_mem try_buffer(size_t bytes, cl_int *ret_err)
{
	return clCreateBuffer(claw_dev.context, CL_MEM_READ_WRITE, bytes, NULL,
			      ret_err);
}

/* ---- the first seed: one large buffer, or chunks of it ------------------- */

/* The text's card: 10 GiB, of which 8 GiB and more are free, and one
 * allocation may have 8 GiB. What is not there is a piece of 4 GiB. */
static void expect_card(void)
{
	cl_ulong largest = 0;

	claw_must(clGetDeviceInfo(claw_dev.device,
				  CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(largest),
				  &largest, NULL));
	ck_assert_uint_eq(memory_bytes(), 10 * GIB);
	ck_assert_uint_eq(largest, 8 * GIB);
	ck_assert_uint_ge(free_bytes(), 2 * CHUNKS * GIB);
}

/* Before: "4GB alloc on 10GB GPU (fragmentation)". */
START_TEST(chunks__one_large_buffer_is_not_had)
{
	cl_int err = CL_SUCCESS;

	expect_card();
	ck_assert_ptr_null(try_buffer(CHUNKS * GIB, &err));
	claw_expect_code("clCreateBuffer of 4 GiB", err,
			 CL_MEM_OBJECT_ALLOCATION_FAILURE);
}
END_TEST

/* After: the same bytes of input and of output, 1 GiB at a time. */
START_TEST(chunks__of_it_are_had_and_used)
{
	cl_kernel kernel = claw_suite_kernel("seeds/compute_chunk.clw",
					     "compute_chunk");
	cl_mem input[CHUNKS], output[CHUNKS];
	size_t items = ITEMS;
	cl_int err = CL_SUCCESS;

	expect_card();
	for (unsigned int i = 0; i < CHUNKS; i++) {
		input[i] = try_buffer(GIB, &err);
		claw_expect_code("clCreateBuffer of 1 GiB", err, CL_SUCCESS);
		output[i] = try_buffer(GIB, &err);
		claw_expect_code("clCreateBuffer of 1 GiB", err, CL_SUCCESS);
	}
	for (unsigned int i = 0; i < CHUNKS; i++) {
		claw_must(clSetKernelArg(kernel, 0, sizeof(cl_mem), &input[i]));
		claw_must(clSetKernelArg(kernel, 1, sizeof(cl_mem),
					 &output[i]));
		claw_must(clEnqueueNDRangeKernel(claw_dev.queue, kernel, 1,
						 NULL, &items, NULL, 0, NULL,
						 NULL));
	}
	claw_must(clFinish(claw_dev.queue));
	for (unsigned int i = 0; i < CHUNKS; i++) {
		claw_must(clReleaseMemObject(input[i]));
		claw_must(clReleaseMemObject(output[i]));
	}
	claw_must(clReleaseKernel(kernel));
}
END_TEST

/* ---- the second seed: what an out-of-memory leads to --------------------- */

/* The text's "Buffer pointer NULL passed to kernel", where a GPU faults. */
static void compute(cl_kernel kernel, cl_mem input, cl_mem output)
{
	static const char fault[] =
		"clEnqueueNDRangeKernel:gpu-crash:kernel=compute";
	size_t items = ITEMS;

	claw_must(clSetKernelArg(kernel, 0, sizeof(input), &input));
	claw_must(clSetKernelArg(kernel, 1, sizeof(output), &output));
	if (input)
		claw_must(clEnqueueNDRangeKernel(claw_dev.queue, kernel, 1,
						 NULL, &items, NULL, 0, NULL,
						 NULL));
	else
		CLAW_FAULT(fault)
			claw_must(clEnqueueNDRangeKernel(claw_dev.queue, kernel,
							 1, NULL, &items, NULL,
							 0, NULL, NULL));
}

/* "Cannot allocate 8192 MB (only 4096 MB available)" */
static void expect_less(void)
{
	ck_assert_uint_eq(memory_bytes(), 15360 * MIB);
	ck_assert_uint_ge(free_bytes(), 4000 * MIB);
	ck_assert_uint_le(free_bytes(), 4096 * MIB);
}

static cl_context new_context(cl_int *ret_err)
{
	return clCreateContext(NULL, 1, &claw_dev.device, NULL, NULL, ret_err);
}

/* Before: nobody looks at the code. Out of memory, NULL, crash, device lost:
 * not even a new context works. */
START_TEST(chain__from_out_of_memory_to_device_lost)
{
	cl_kernel kernel = claw_suite_kernel("seeds/compute_bug.clw",
					     "compute");
	cl_mem output = claw_new_ints(ITEMS), input;
	cl_int err = CL_SUCCESS;

	expect_less();
	input = try_buffer(8192 * MIB, NULL);
	ck_assert_ptr_null(input);
	compute(kernel, input, output);
	ck_assert_int_ne(clFinish(claw_dev.queue), CL_SUCCESS);
	ck_assert_int_ne(clEnqueueReadBuffer(claw_dev.queue, output, CL_TRUE, 0,
					     4, &err, 0, NULL, NULL),
			 CL_SUCCESS);
	err = CL_SUCCESS;
	ck_assert_ptr_null(new_context(&err));
	ck_assert_int_ne(err, CL_SUCCESS);
}
END_TEST

/* After: the code is looked at, a smaller buffer is made, and all is well. */
START_TEST(chain__ends_where_the_code_is_looked_at)
{
	cl_kernel kernel = claw_suite_kernel("seeds/compute_bug.clw",
					     "compute");
	cl_mem output = claw_new_ints(ITEMS), input;
	cl_int err = CL_SUCCESS;
	cl_context context;

	expect_less();
	input = try_buffer(8192 * MIB, &err);
	claw_expect_code("clCreateBuffer of 8192 MiB", err,
			 CL_MEM_OBJECT_ALLOCATION_FAILURE);
	if (!input)
		input = claw_new_ints(ITEMS);
	compute(kernel, input, output);
	claw_must(clFinish(claw_dev.queue));
	claw_expect_ints(claw_dev.queue, output, ITEMS, 0);
	context = new_context(&err);
	claw_expect_code("clCreateContext", err, CL_SUCCESS);
	claw_must(clReleaseContext(context));
	claw_must(clReleaseMemObject(input));
	claw_must(clReleaseMemObject(output));
	claw_must(clReleaseKernel(kernel));
}
END_TEST

/* ---- the third seed: events that nobody releases ------------------------- */

static cl_kernel build(cl_context context, cl_program *ret_program)
{
	static const char *source =
		"kernel void one_parameter(global float *data)"
		"{ data[get_global_id(0)] = 1.0f; }";
	cl_int err = CL_SUCCESS;
	cl_kernel kernel;

	*ret_program = clCreateProgramWithSource(context, 1, &source, NULL,
						 &err);
	claw_expect_code("clCreateProgramWithSource", err, CL_SUCCESS);
	claw_must(clBuildProgram(*ret_program, 1, &claw_dev.device, "", NULL,
				 NULL));
	kernel = clCreateKernel(*ret_program, "one_parameter", &err);
	claw_expect_code("clCreateKernel", err, CL_SUCCESS);
	return kernel;
}

/* The text's snippet: everything is made and released, the event only where
 * somebody thinks of it. The code of what gets no memory. */
static cl_int iterate(size_t bytes, bool releases_event)
{
	cl_int err = CL_SUCCESS;
	cl_context context = new_context(&err);
	cl_command_queue queue = clCreateCommandQueue(context, claw_dev.device,
						      0, &err);
	cl_program program;
	cl_kernel kernel = build(context, &program);
	cl_event event = NULL;
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL,
				    &err);

	if (err == CL_SUCCESS)
		err = claw_launch(queue, kernel, mem, ITEMS, NULL, &event);
	if (err == CL_SUCCESS)
		claw_must(clWaitForEvents(1, &event));
	if (event && releases_event)
		claw_must(clReleaseEvent(event));
	if (mem)
		claw_must(clReleaseMemObject(mem));
	claw_must(clReleaseKernel(kernel));
	claw_must(clReleaseProgram(program));
	claw_must(clReleaseCommandQueue(queue));
	claw_must(clReleaseContext(context));
	return err;
}

/* Before: as often as there is memory for, and then never again. */
START_TEST(events__that_leak_end_the_memory)
{
	size_t bytes = LARGE, predicted = free_bytes() / bytes, n = 0;
	cl_int err = CL_SUCCESS;

	ck_assert_uint_gt(predicted, 0);
	ck_assert_uint_lt(predicted, MOST);
	while (n <= predicted && err == CL_SUCCESS) {
		err = iterate(bytes, false);
		n += err == CL_SUCCESS;
	}
	ck_assert_uint_eq(n, predicted);
	claw_expect_code("the iteration behind it", err,
			 CL_MEM_OBJECT_ALLOCATION_FAILURE);
	claw_expect_code("one more", iterate(bytes, false),
			 CL_MEM_OBJECT_ALLOCATION_FAILURE);
}
END_TEST

/* After: half as often again as the memory would last. */
START_TEST(events__that_are_released_do_not)
{
	size_t bytes = LARGE, before = free_bytes();
	size_t count = before / bytes * 3 / 2;

	ck_assert_uint_gt(count, 0);
	ck_assert_uint_lt(count, MOST);
	for (size_t i = 0; i < count; i++)
		claw_must(iterate(bytes, true));
	ck_assert_uint_eq(free_bytes(), before);
}
END_TEST

/* ---- the fourth seed: memory that commands still use --------------------- */

/* How a program waits for its launch. */
typedef void wait_function(cl_event event);

static void wait_not(cl_event event)
{
	claw_must(clReleaseEvent(event));
}

static void wait_finish(cl_event event)
{
	claw_must(clFinish(claw_dev.queue));
	claw_must(clReleaseEvent(event));
}

static void wait_event(cl_event event)
{
	claw_must(clWaitForEvents(1, &event));
	claw_must(clReleaseEvent(event));
}

/* Make, launch, wait, release: at most count times. behind: what the queue
 * has to wait for, or NULL. How often it went. */
static size_t use_and_release(size_t bytes, size_t count, wait_function *wait,
			      const cl_event *behind, cl_int *ret_err)
{
	cl_kernel kernel = claw_suite_kernel("host_side/one.clw", "set_one");
	size_t n = 0;

	for (; n < count; n++) {
		cl_event event = NULL;
		cl_mem mem = try_buffer(bytes, ret_err);

		if (*ret_err != CL_SUCCESS)
			break;
		claw_must(claw_launch(claw_dev.queue, kernel, mem, ITEMS,
				      behind, &event));
		wait(event);
		claw_must(clReleaseMemObject(mem));
	}
	claw_must(clReleaseKernel(kernel));
	return n;
}

/* Before, example 1: a release is not a free as long as the kernel has not
 * ended, which here is until the gate opens. */
START_TEST(release__behind_an_enqueue_frees_nothing_yet)
{
	size_t bytes = SMALL, predicted = free_bytes() / bytes;
	cl_event gate = claw_new_gate();
	cl_int err = CL_SUCCESS;

	ck_assert_uint_gt(predicted, 0);
	ck_assert_uint_lt(predicted, MOST);
	ck_assert_uint_eq(use_and_release(bytes, predicted + 1, wait_not,
					  &gate, &err), predicted);
	claw_expect_code("clCreateBuffer", err,
			 CL_MEM_OBJECT_ALLOCATION_FAILURE);
	claw_must(clSetUserEventStatus(gate, CL_COMPLETE));
	claw_must(clFinish(claw_dev.queue));
	ck_assert_uint_eq(use_and_release(bytes, predicted, wait_event, NULL,
					  &err), predicted);
	claw_must(clReleaseEvent(gate));
}
END_TEST

static void expect_no_end(wait_function *wait)
{
	size_t bytes = SMALL, count = free_bytes() / bytes * 2;
	cl_int err = CL_SUCCESS;

	ck_assert_uint_gt(count, 0);
	ck_assert_uint_lt(count, MOST);
	ck_assert_uint_eq(use_and_release(bytes, count, wait, NULL, &err),
			  count);
}

/* After, example 2. */
START_TEST(release__behind_a_finish_frees)
{
	expect_no_end(wait_finish);
}
END_TEST

/* After, example 3. */
START_TEST(release__behind_the_event_frees)
{
	expect_no_end(wait_event);
}
END_TEST

static const char *const cases[] = {
	"chunks_before", "chunks_after", "chain_before", "chain_after",
	"events_before", "events_after", "release_before",
	"release_after_finish", "release_after_event", NULL,
};

static void add_tests(void)
{
	claw_suite_add(cases[0], chunks__one_large_buffer_is_not_had);
	claw_suite_add(cases[1], chunks__of_it_are_had_and_used);
	claw_suite_add(cases[2], chain__from_out_of_memory_to_device_lost);
	claw_suite_add(cases[3], chain__ends_where_the_code_is_looked_at);
	claw_suite_add(cases[4], events__that_leak_end_the_memory);
	claw_suite_add(cases[5], events__that_are_released_do_not);
	claw_suite_add(cases[6], release__behind_an_enqueue_frees_nothing_yet);
	claw_suite_add(cases[7], release__behind_a_finish_frees);
	claw_suite_add(cases[8], release__behind_the_event_frees);
}

static const struct claw_suite suite = {
	.name = "seeds",
	.cases = cases,
	.add_tests = add_tests,
};

int main(int argc, char **argv)
{
	return claw_suite_main(&suite, argc, argv);
}
