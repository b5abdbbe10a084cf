/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The suite of planted bugs: each test does something wrong that only a tool
 * under it sees, and holds by itself. test_command.test asks the tools for
 * them.
 */
#include "config.h"

#include "suites/suite_main.h"

#include <stdlib.h>

enum { ITEMS = 8 };

static cl_mem new_buffer(size_t bytes)
{
	cl_int err = CL_SUCCESS;
	cl_mem mem = clCreateBuffer(claw_dev.context, CL_MEM_READ_WRITE, bytes,
				    NULL, &err);

	claw_expect_code("clCreateBuffer", err, CL_SUCCESS);
	return mem;
}

static void set_arg(cl_kernel kernel, cl_uint index, size_t size,
		    const void *value)
{
	claw_expect_code("clSetKernelArg",
			 clSetKernelArg(kernel, index, size, value),
			 CL_SUCCESS);
}

/* One group of ITEMS, waited for. */
static void launch(cl_kernel kernel)
{
	size_t items = ITEMS;

	claw_expect_code("clEnqueueNDRangeKernel",
			 clEnqueueNDRangeKernel(claw_dev.queue, kernel, 1,
						NULL, &items, &items, 0, NULL,
						NULL), CL_SUCCESS);
	claw_expect_code("clFinish", clFinish(claw_dev.queue), CL_SUCCESS);
}

START_TEST(planted__write_past_the_end)
{
	cl_kernel kernel = claw_suite_kernel(
		"kernel_memory/planted_out_of_bounds.clw",
		"planted_out_of_bounds");
	cl_mem mem = new_buffer(ITEMS * sizeof(cl_int));

	set_arg(kernel, 0, sizeof(mem), &mem);
	launch(kernel);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
}
END_TEST

START_TEST(planted__race_in_local_memory)
{
	cl_kernel kernel = claw_suite_kernel("kernel_memory/planted_race.clw",
					     "planted_race");
	cl_mem mem = new_buffer(ITEMS * sizeof(cl_int));

	set_arg(kernel, 0, sizeof(mem), &mem);
	set_arg(kernel, 1, ITEMS * sizeof(cl_int), NULL);
	launch(kernel);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
}
END_TEST

START_TEST(planted__uninitialized_value)
{
	cl_kernel kernel = claw_suite_kernel(
		"kernel_memory/planted_uninitialized.clw",
		"planted_uninitialized");
	cl_mem never = new_buffer(ITEMS * sizeof(cl_int));
	cl_mem mem = new_buffer(ITEMS * sizeof(cl_int));

	set_arg(kernel, 0, sizeof(never), &never);
	set_arg(kernel, 1, sizeof(mem), &mem);
	launch(kernel);
	clReleaseMemObject(mem);
	clReleaseMemObject(never);
	clReleaseKernel(kernel);
}
END_TEST

START_TEST(planted__wrong_call)
{
	cl_int err = CL_SUCCESS;

	ck_assert_ptr_null(clCreateBuffer(claw_dev.context, CL_MEM_READ_WRITE,
					  0, NULL, &err));
}
END_TEST

START_TEST(planted__write_past_a_host_block)
{
	/* The compiler must not know the size, nor that nobody reads it. */
	volatile size_t size = 16;
	volatile char *block = malloc(size);

	ck_assert(block != NULL);
	block[size] = 1;
	free((void *)block);
}
END_TEST

static const char *const cases[] = {
	"planted_out_of_bounds", "planted_race", "planted_uninitialized",
	"planted_api_error", "planted_host_overrun", NULL,
};

static void add_tests(void)
{
	claw_suite_add(cases[0], planted__write_past_the_end);
	claw_suite_add(cases[1], planted__race_in_local_memory);
	claw_suite_add(cases[2], planted__uninitialized_value);
	claw_suite_add(cases[3], planted__wrong_call);
	claw_suite_add(cases[4], planted__write_past_a_host_block);
}

static const struct claw_suite suite = {
	.name = "planted",
	.cases = cases,
	.add_tests = add_tests,
};

int main(int argc, char **argv)
{
	return claw_suite_main(&suite, argc, argv);
}
