/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Final releases that are held back: how many, how large, which of them the
 * driver gets first, and which it gets at once. On the stub driver, which says
 * how often it was asked.
 */
#include "config.h"

#include "suites/self/lib/life_program.h"

START_TEST(held__the_oldest_goes_first_when_there_are_too_many)
{
	cl_mem mems[10];

	begin(0, LOOK);
	for (int i = 0; i < 10; i++)
		mems[i] = make(BYTES);
	for (int i = 0; i < 10; i++)
		drop(mems[i]);
	for (int i = 10; i < HELD_MAX; i++)
		drop(make(BYTES));
	ck_assert_uint_eq(stub_calls("clReleaseMemObject"), 0);
	for (int i = 0; i < 10; i++) {
		drop(make(BYTES));
		ck_assert_uint_eq(stub_calls("clReleaseMemObject"), i + 1u);
		ck_assert_uint_eq(stub_arg("clReleaseMemObject", 0),
				  (uintptr_t)mems[i]);
	}
	ck_assert_nothing_found();
	ck_assert_uint_eq(found.counts[CLAW_COUNT_HELD_BACK], HELD_MAX + 10);
	ck_assert_uint_eq(found.counts[CLAW_COUNT_NOT_HELD], 0);
}
END_TEST

START_TEST(held__bytes_are_limited)
{
	cl_ulong memory = 0, cap;
	cl_mem first, last;

	begin(0, LOOK);
	ck_assert_int_eq(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE,
					 sizeof(memory), &memory, NULL),
			 CL_SUCCESS);
	cap = memory / 16 < 256 << 20 ? memory / 16 : 256 << 20;
	drop(make((size_t)(cap / 4 + 1)));	/* too large alone */
	ck_assert_uint_eq(stub_calls("clReleaseMemObject"), 1);
	first = make((size_t)(cap / 4));
	drop(first);
	for (int i = 0; i < 3; i++)
		drop(make((size_t)(cap / 4)));
	ck_assert_uint_eq(stub_calls("clReleaseMemObject"), 1);
	last = make(1);
	drop(last);
	ck_assert_uint_eq(stub_calls("clReleaseMemObject"), 2);
	ck_assert_uint_eq(stub_arg("clReleaseMemObject", 0), (uintptr_t)first);
	ck_assert_nothing_found();
	ck_assert_uint_eq(found.counts[CLAW_COUNT_NOT_HELD], 1);
}
END_TEST

START_TEST(held__a_part_counts_as_the_whole)
{
	cl_buffer_region part = { 0, 128 };
	cl_ulong memory = 0;
	cl_mem whole, sub;

	begin(0, LOOK);
	clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(memory),
			&memory, NULL);
	whole = make((size_t)(memory / 32));
	sub = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &part,
				NULL);
	ck_assert_ptr_nonnull(sub);
	drop(whole);
	drop(sub);
	ck_assert_uint_eq(stub_calls("clReleaseMemObject"), 2);
	ck_assert_nothing_found();
}
END_TEST

START_TEST(held__host_memory_is_not)
{
	static char memory[BYTES] __attribute__((aligned(4096)));
	cl_buffer_region part = { 0, 128 };
	cl_mem mem, sub;

	begin(0, LOOK);
	mem = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, BYTES, memory, NULL);
	ck_assert_ptr_nonnull(mem);
	sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &part,
				NULL);
	ck_assert_ptr_nonnull(sub);
	drop(mem);
	drop(sub);
	ck_assert_uint_eq(stub_calls("clReleaseMemObject"), 2);
	ck_assert_nothing_found();
}
END_TEST

/* A driver may keep the arguments of a launch as long as there is its event. */
START_TEST(held__an_event_goes_before_host_memory_does)
{
	static char memory[BYTES] __attribute__((aligned(4096)));
	const char *source = "kernel void k(global int *v) { v[0] = 1; }";
	const size_t items = 1;
	cl_program program;
	cl_kernel kernel;
	cl_event event;
	cl_mem mem;

	begin(0, LOOK);
	program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	ck_assert_int_eq(clBuildProgram(program, 0, NULL, "", NULL, NULL),
			 CL_SUCCESS);
	kernel = clCreateKernel(program, "k", NULL);
	mem = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, BYTES, memory, NULL);
	ck_assert_int_eq(clSetKernelArg(kernel, 0, sizeof(mem), &mem),
			 CL_SUCCESS);
	ck_assert_int_eq(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items,
						NULL, 0, NULL, &event),
			 CL_SUCCESS);
	ck_assert_int_eq(clFinish(queue), CL_SUCCESS);
	ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
	ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
	ck_assert_uint_eq(stub_calls("clReleaseKernel"), 0);
	ck_assert_uint_eq(stub_calls("clReleaseEvent"), 0);
	drop(mem);
	ck_assert_uint_eq(stub_calls("clReleaseKernel"), 1);
	ck_assert_uint_eq(stub_calls("clReleaseEvent"), 1);
	ck_assert_uint_eq(stub_calls("clReleaseMemObject"), 1);
	ck_assert_nothing_found();
}
END_TEST

START_TEST(held__is_no_obstacle_to_a_large_buffer)
{
	cl_ulong memory = 0;
	cl_mem mem;

	begin(0, LOOK);
	clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(memory),
			&memory, NULL);
	drop(make(BYTES));
	ck_assert_uint_eq(stub_calls("clReleaseMemObject"), 0);
	/* Whether it can be made or not. */
	mem = clCreateBuffer(context, CL_MEM_READ_WRITE,
			     (size_t)(memory / 16 * 15), NULL, NULL);
	ck_assert_uint_eq(stub_calls("clReleaseMemObject"), 1);
	if (mem)
		drop(mem);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("hold_back");
	TCase *tcase = tcase_create("held");

	tcase_set_timeout(tcase, TIMEOUT_S);
	tcase_add_test(tcase,
		       held__the_oldest_goes_first_when_there_are_too_many);
	tcase_add_test(tcase, held__bytes_are_limited);
	tcase_add_test(tcase, held__a_part_counts_as_the_whole);
	tcase_add_test(tcase, held__host_memory_is_not);
	tcase_add_test(tcase, held__an_event_goes_before_host_memory_does);
	tcase_add_test(tcase, held__is_no_obstacle_to_a_large_buffer);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run(make_suite);
}
