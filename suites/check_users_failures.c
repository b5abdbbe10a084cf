/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What users of OpenCL really hit, a preset (faults/presets/) each: a program
 * that is right about it, and beside it the one from the users' threads. The
 * suite's description arms the preset for the case (faults:), so each case is
 * one test; every test asserts on the code or status that the fault gives and
 * so fails where it did not fire. The two presets that no program gets past
 * its start with, no-device and no-platform, are armed in the tests.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_side.h"

#include <CL/cl_ext.h>

enum { COUNT = 64, BYTES = COUNT * sizeof(cl_int), HEALTHY_COMMANDS = 99,
       NAME_BYTES = 32 };

static cl_kernel add_one(void)
{
	return claw_suite_kernel("host_side/one.clw", "add_one");
}

static cl_int write_ints(cl_mem mem, cl_int with)
{
	cl_int values[COUNT];

	for (size_t i = 0; i < COUNT; i++)
		values[i] = with;
	return clEnqueueWriteBuffer(claw_dev.queue, mem, CL_TRUE, 0, BYTES,
				    values, 0, NULL, NULL);
}

static cl_int launch(cl_kernel kernel, cl_mem mem, cl_event *ret_event)
{
	return claw_launch(claw_dev.queue, kernel, mem, COUNT, NULL,
			   ret_event);
}

static cl_mem try_buffer(size_t bytes, cl_int *ret_err)
{
	return clCreateBuffer(claw_dev.context, CL_MEM_READ_WRITE, bytes, NULL,
			      ret_err);
}

/* ---- lazy-allocation ---------------------------------------------------- */

/* Right: the enqueue's code is looked at; something else is given back, and
 * the command is tried again. */
START_TEST(lazy__first_use_without_memory_is_retried)
{
	cl_mem cache = claw_new_ints(COUNT), mem = claw_new_ints(COUNT);

	claw_must_give(CL_MEM_OBJECT_ALLOCATION_FAILURE, write_ints(mem, 5));
	claw_must(clReleaseMemObject(cache));
	claw_must(write_ints(mem, 5));
	claw_expect_ints(claw_dev.queue, mem, COUNT, 5);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: clCreateBuffer said CL_SUCCESS, so there is memory. The upload is
 * lost no error message, and the program works on what was there. */
START_TEST(lazy__first_use_without_memory_is_retried_bug)
{
	cl_mem mem = claw_new_ints(COUNT);

	write_ints(mem, 5);
	claw_expect_ints(claw_dev.queue, mem, COUNT, 0);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* ---- async-failure ------------------------------------------------------ */

/* Right: the event's status is asked, and the launch done again. */
START_TEST(async__failure_is_read_from_the_event)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_event event = NULL;

	claw_must(launch(kernel, mem, &event));
	claw_comes_to(claw_event_status(event), CL_OUT_OF_RESOURCES);
	claw_must(clReleaseEvent(event));
	claw_must(launch(kernel, mem, NULL));
	claw_expect_ints(claw_dev.queue, mem, COUNT, 1);
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: every call is checked, and nothing else. All of them say CL_SUCCESS,
 * and the result is that of a launch that never ran. */
START_TEST(async__failure_is_read_from_the_event_bug)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_event event = NULL;

	claw_must(launch(kernel, mem, &event));
	/* The program does something else for a while. */
	claw_comes_to(claw_event_status(event), CL_OUT_OF_RESOURCES);
	claw_must(clReleaseEvent(event));
	claw_must(clFinish(claw_dev.queue));
	claw_expect_ints(claw_dev.queue, mem, COUNT, 0);
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* ---- failed-event-poll -------------------------------------------------- */

/* Right: the poll ends at any status that is final. */
START_TEST(poll__ends_at_a_negative_status)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	struct claw_patience patience = claw_patience_new();
	cl_event event = NULL;
	cl_int status;

	claw_must(launch(kernel, mem, &event));
	do
		status = claw_event_status(event);
	while (status > CL_COMPLETE && claw_patience_left(&patience));
	claw_expect_code("the event's status", status, CL_OUT_OF_RESOURCES);
	claw_must(clReleaseEvent(event));
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: "while (status != CL_COMPLETE)". Here it gives up after so many
 * polls of an event that has ended; the users' program did not. */
START_TEST(poll__ends_at_a_negative_status_bug)
{
	enum { POLLS = 10000 };
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_event event = NULL;
	unsigned int polls = 0;

	claw_must(launch(kernel, mem, &event));
	claw_comes_to(claw_event_status(event), CL_OUT_OF_RESOURCES);
	while (polls < POLLS && claw_event_status(event) != CL_COMPLETE)
		polls++;
	ck_assert_uint_eq(polls, POLLS);
	claw_must(clReleaseEvent(event));
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* ---- poisoned-context --------------------------------------------------- */

/* Right: one more try, then a new context; that fails, too, so the program
 * gives everything back and ends in order. */
START_TEST(poisoned__context_is_given_up)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_int err = CL_SUCCESS;

	claw_must_give(CL_OUT_OF_RESOURCES, launch(kernel, mem, NULL));
	claw_must_give(CL_OUT_OF_RESOURCES, clFinish(claw_dev.queue));
	ck_assert_ptr_null(clCreateContext(NULL, 1, &claw_dev.device, NULL,
					   NULL, &err));
	claw_expect_code("clCreateContext", err, CL_DEVICE_NOT_AVAILABLE);
	claw_must(clReleaseKernel(kernel));
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: smaller launches until one fits. None does, down to one item: this
 * was not about resources. */
START_TEST(poisoned__context_is_given_up_bug)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_int err = CL_SUCCESS;

	err = clSetKernelArg(kernel, 0, sizeof(mem), &mem);
	claw_expect_code("clSetKernelArg", err, CL_SUCCESS);
	for (size_t items = COUNT; items > 0; items /= 2)
		claw_must_give(CL_OUT_OF_RESOURCES,
			       clEnqueueNDRangeKernel(claw_dev.queue, kernel,
						      1, NULL, &items, NULL, 0,
						      NULL, NULL));
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* ---- ambiguous-resources ------------------------------------------------ */

/* Right: the same code, and trying again is the answer. */
START_TEST(ambiguous__code_is_tried_again)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);

	claw_must_give(CL_OUT_OF_RESOURCES, launch(kernel, mem, NULL));
	claw_must(launch(kernel, mem, NULL));
	claw_expect_ints(claw_dev.queue, mem, COUNT, 1);
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: -5 is "device lost", so the program ends with its work undone, while
 * the device is there and the context is good. */
START_TEST(ambiguous__code_is_tried_again_bug)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_bool available = CL_FALSE;

	claw_must_give(CL_OUT_OF_RESOURCES, launch(kernel, mem, NULL));
	clReleaseKernel(kernel);
	claw_must(clGetDeviceInfo(claw_dev.device, CL_DEVICE_AVAILABLE,
				  sizeof(available), &available, NULL));
	ck_assert_int_eq(available, CL_TRUE);
	claw_expect_ints(claw_dev.queue, mem, COUNT, 0);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* ---- unchecked-create --------------------------------------------------- */

/* Right: no handle, no use; a smaller one is had. */
START_TEST(create__is_checked)
{
	cl_int err = CL_SUCCESS;
	cl_mem mem = try_buffer(2 * BYTES, &err);

	claw_expect_code("clCreateBuffer", err,
			 CL_MEM_OBJECT_ALLOCATION_FAILURE);
	ck_assert_ptr_null(mem);
	mem = try_buffer(BYTES, &err);
	claw_expect_code("clCreateBuffer, smaller", err, CL_SUCCESS);
	claw_must(write_ints(mem, 5));
	claw_expect_ints(claw_dev.queue, mem, COUNT, 5);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: the NULL goes into every call that comes. The layer answers them (a
 * driver may crash), and openclaw inject reports them as misuse. */
START_TEST(create__is_checked_bug)
{
	cl_mem mem = try_buffer(BYTES, NULL);

	ck_assert_ptr_null(mem);
	claw_must_give(CL_INVALID_MEM_OBJECT, write_ints(mem, 5));
	claw_must_give(CL_INVALID_MEM_OBJECT, clReleaseMemObject(mem));
}
END_TEST

/* ---- allocation-codes --------------------------------------------------- */

/* What "not enough memory" looks like. */
static bool is_no_memory(cl_int err)
{
	return err == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
	       err == CL_OUT_OF_RESOURCES || err == CL_OUT_OF_HOST_MEMORY ||
	       err == CL_INVALID_BUFFER_SIZE;
}

/* The users' version of it. */
static bool is_no_memory_bug(cl_int err)
{
	return err == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
	       err == CL_OUT_OF_RESOURCES;
}

/* Half the size until it fits; NULL when it is not about memory. */
static cl_mem shrink_until_it_fits(size_t bytes, bool (*is_memory)(cl_int),
				   cl_int *ret_first)
{
	cl_int err = CL_SUCCESS;
	cl_mem mem = try_buffer(bytes, &err);

	*ret_first = err;
	while (!mem && is_memory(err) && bytes > BYTES) {
		bytes /= 2;
		mem = try_buffer(bytes, &err);
	}
	return mem;
}

/* Right: -61 is one of the codes of "too large". */
START_TEST(codes__buffer_size_is_out_of_memory)
{
	cl_int first = CL_SUCCESS;
	cl_mem mem = shrink_until_it_fits(4 * BYTES, is_no_memory, &first);

	claw_expect_code("clCreateBuffer", first, CL_INVALID_BUFFER_SIZE);
	ck_assert_ptr_nonnull(mem);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: -4 and -5 only. The program ends, and half of it would have fit. */
START_TEST(codes__buffer_size_is_out_of_memory_bug)
{
	cl_int first = CL_SUCCESS;
	cl_mem mem = shrink_until_it_fits(4 * BYTES, is_no_memory_bug, &first);

	claw_expect_code("clCreateBuffer", first, CL_INVALID_BUFFER_SIZE);
	ck_assert_ptr_null(mem);
	mem = try_buffer(2 * BYTES, &first);
	claw_expect_code("clCreateBuffer of half", first, CL_SUCCESS);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* ---- no-device, no-platform --------------------------------------------- */

static const char no_device[] =
	"clCreateContext*:error=CL_DEVICE_NOT_AVAILABLE";
static const char no_platform[] =
	"clGetPlatformIDs:error=CL_PLATFORM_NOT_FOUND_KHR";

/* Right: no context, by either function, and the program says so and ends. */
START_TEST(start__without_a_device_is_an_error)
{
	cl_context_properties of[] = {
		CL_CONTEXT_PLATFORM, (cl_context_properties)claw_dev.platform,
		0,
	};
	cl_int err = CL_SUCCESS;

	CLAW_FAULT(no_device) {
		ck_assert_ptr_null(clCreateContext(NULL, 1, &claw_dev.device,
						   NULL, NULL, &err));
		claw_expect_code("clCreateContext", err,
				 CL_DEVICE_NOT_AVAILABLE);
		ck_assert_ptr_null(clCreateContextFromType(of,
							   CL_DEVICE_TYPE_ALL,
							   NULL, NULL, &err));
		claw_expect_code("clCreateContextFromType", err,
				 CL_DEVICE_NOT_AVAILABLE);
	}
}
END_TEST

/* Wrong: the device was listed, so there is a context. The first call that
 * gets the NULL says that it is none. */
START_TEST(start__without_a_device_is_an_error_bug)
{
	cl_int err = CL_SUCCESS;

	CLAW_FAULT(no_device) {
		cl_context context = clCreateContext(NULL, 1, &claw_dev.device,
						     NULL, NULL, NULL);

		ck_assert_ptr_null(clCreateCommandQueue(context,
							claw_dev.device, 0,
							&err));
		claw_expect_code("clCreateCommandQueue", err,
				 CL_INVALID_CONTEXT);
	}
}
END_TEST

/* Right: the code is looked at before the count, which nobody wrote. */
START_TEST(start__without_a_platform_is_an_error)
{
	cl_platform_id platform = NULL;
	cl_uint count = 77;

	CLAW_FAULT(no_platform)
		claw_must_give(CL_PLATFORM_NOT_FOUND_KHR,
			       clGetPlatformIDs(1, &platform, &count));
	ck_assert_ptr_null(platform);
}
END_TEST

/* Wrong: the handle is used whatever the code was. It is what it was before
 * the call: no platform that anybody was given. */
START_TEST(start__without_a_platform_is_an_error_bug)
{
	cl_platform_id mark = (cl_platform_id)&no_platform, platform = mark;

	CLAW_FAULT(no_platform)
		clGetPlatformIDs(1, &platform, NULL);
	ck_assert_msg(platform == mark || !platform,
		      "a platform was given although there is none");
}
END_TEST

/* ---- event-leak --------------------------------------------------------- */

/* As many launches as the host has memory for; events go to where, or are
 * released. */
static unsigned int launch_until_it_fails(cl_kernel kernel, cl_mem mem,
					  cl_event *where, cl_int *ret_err)
{
	unsigned int count = 0;
	cl_event event;

	while (count <= HEALTHY_COMMANDS) {
		event = NULL;
		*ret_err = launch(kernel, mem, &event);
		if (*ret_err != CL_SUCCESS)
			break;
		claw_must(clWaitForEvents(1, &event));
		if (where)
			where[count] = event;
		else
			claw_must(clReleaseEvent(event));
		count++;
	}
	return count;
}

/* Right: events are released, the failure stops the loop, and the program
 * ends with nothing alive. */
START_TEST(events__are_released_before_the_host_is_full)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	struct claw_witness witness;
	cl_int err = CL_SUCCESS;

	claw_witness_mem(&witness, mem);
	ck_assert_uint_eq(launch_until_it_fails(kernel, mem, NULL, &err),
			  HEALTHY_COMMANDS);
	claw_expect_code("clEnqueueNDRangeKernel", err, CL_OUT_OF_HOST_MEMORY);
	claw_must(clFinish(claw_dev.queue));
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
	ck_assert_msg(claw_witness_sees_the_end(&witness),
		      "the buffer is not gone");
}
END_TEST

/* Wrong: none was released; at the failure all of them are alive. */
START_TEST(events__are_released_before_the_host_is_full_bug)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_event forgotten[HEALTHY_COMMANDS + 1];
	cl_int err = CL_SUCCESS;
	unsigned int count = launch_until_it_fails(kernel, mem, forgotten,
						   &err);

	claw_expect_code("clEnqueueNDRangeKernel", err, CL_OUT_OF_HOST_MEMORY);
	ck_assert_uint_eq(count, HEALTHY_COMMANDS);
	for (unsigned int i = 0; i < count; i++) {
		ck_assert_uint_ge(claw_event_references(forgotten[i]), 1);
		claw_must(clReleaseEvent(forgotten[i]));
	}
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* ---- driver-noise ------------------------------------------------------- */

/* What a destructor is told: memory of the program's own. */
static void CL_CALLBACK free_name(cl_mem mem, void *name)
{
	(void)mem;
	free(name);
}

static void CL_CALLBACK forget_name(cl_mem mem, void *name)
{
	(void)mem;
	/* bug: nobody frees it, and nobody knows where it is any more */
	memset(name, 0, 1);
}

static void use_named_buffers(void (CL_CALLBACK *at_end)(cl_mem, void *))
{
	cl_kernel kernel = add_one();

	for (int i = 0; i < 4; i++) {
		cl_mem mem = claw_new_ints(COUNT);
		char *name = malloc(NAME_BYTES);

		ck_assert_ptr_nonnull(name);
		snprintf(name, NAME_BYTES, "buffer %d", i);
		claw_must(clSetMemObjectDestructorCallback(mem, at_end, name));
		claw_must(launch(kernel, mem, NULL));
		claw_expect_ints(claw_dev.queue, mem, COUNT, 1);
		claw_must(clReleaseMemObject(mem));
	}
	clReleaseKernel(kernel);
	claw_must(clFinish(claw_dev.queue));
}

/* Right: all is released. What Valgrind still sees is the driver's and the
 * loader's, and no finding. */
START_TEST(noise__of_the_driver_is_no_leak)
{
	use_named_buffers(free_name);
}
END_TEST

/* Wrong: the program loses 32 bytes a buffer among all that noise. Valgrind
 * sees it. */
START_TEST(noise__of_the_driver_is_no_leak_bug)
{
	use_named_buffers(forget_name);
}
END_TEST

/* ---- hidden-overflow ---------------------------------------------------- */

static cl_int launch_past_the_end(const char *name, cl_mem mem)
{
	cl_kernel kernel = claw_suite_kernel("users_failures/past_the_end.clw",
					     name);
	cl_int count = COUNT;
	cl_int err = clSetKernelArg(kernel, 1, sizeof(count), &count);

	claw_expect_code("clSetKernelArg", err, CL_SUCCESS);
	err = claw_launch(claw_dev.queue, kernel, mem, COUNT + 1, NULL, NULL);
	clReleaseKernel(kernel);
	return err;
}

/* Right: on the driver where it is a fault, the wait's code is looked at
 * although the launch was fine. */
START_TEST(overflow__is_a_lost_device_elsewhere)
{
	cl_mem mem = claw_new_ints(COUNT);

	claw_must(launch_past_the_end("fill", mem));
	claw_must_give(CL_OUT_OF_RESOURCES, clFinish(claw_dev.queue));
	claw_must_give(CL_OUT_OF_RESOURCES, write_ints(mem, 1));
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Right: the launch is larger than the buffer, and the kernel knows. */
START_TEST(overflow__is_hidden_by_the_page)
{
	cl_mem mem = claw_new_ints(COUNT);

	claw_must(launch_past_the_end("fill", mem));
	claw_expect_ints(claw_dev.queue, mem, COUNT, 7);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: one element too many, and here nothing shows: the result is right.
 * Oclgrind sees the write. */
START_TEST(overflow__is_hidden_by_the_page_bug)
{
	cl_mem mem = claw_new_ints(COUNT);

	claw_must(launch_past_the_end("fill_and_one_more", mem));
	claw_expect_ints(claw_dev.queue, mem, COUNT, 7);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* ---- failed-wait-list --------------------------------------------------- */

static cl_event failed_launch(cl_kernel kernel, cl_mem mem)
{
	cl_event failed = NULL;

	claw_must(launch(kernel, mem, &failed));
	claw_comes_to(claw_event_status(failed), CL_OUT_OF_RESOURCES);
	return failed;
}

/* Right: the code of a blocking command and the event of one that does not
 * block are looked at; neither hangs. */
START_TEST(wait_list__failure_reaches_what_depends_on_it)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_event failed = failed_launch(kernel, mem), dependent = NULL;
	cl_int value = 5;

	claw_must_give(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
		       clEnqueueReadBuffer(claw_dev.queue, mem, CL_TRUE, 0,
					   sizeof(value), &value, 1, &failed,
					   NULL));
	claw_must(clEnqueueWriteBuffer(claw_dev.queue, mem, CL_FALSE, 0,
				       sizeof(value), &value, 1, &failed,
				       &dependent));
	claw_comes_to(claw_event_status(dependent) < 0, true);
	claw_must(clReleaseEvent(dependent));
	claw_must(clReleaseEvent(failed));
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: the wait list is there for the order only. The enqueue and clFinish
 * say CL_SUCCESS, and nothing was written. */
START_TEST(wait_list__failure_reaches_what_depends_on_it_bug)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_event failed = failed_launch(kernel, mem);
	cl_int values[COUNT];

	memset(values, 0x55, sizeof(values));
	claw_must(clEnqueueWriteBuffer(claw_dev.queue, mem, CL_FALSE, 0, BYTES,
				       values, 1, &failed, NULL));
	claw_must(clFinish(claw_dev.queue));
	claw_expect_ints(claw_dev.queue, mem, COUNT, 0);
	claw_must(clReleaseEvent(failed));
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* A case is one test: presets count calls from the process's first. */
static const struct {
	const char *name;
	const TTest *const *test;
} table[] = {
#define ROW(case_, test_) { case_, &(test_) }, { case_ "_bug", &(test_##_bug) }
	ROW("lazy_allocation", lazy__first_use_without_memory_is_retried),
	ROW("async_failure", async__failure_is_read_from_the_event),
	ROW("failed_event_poll", poll__ends_at_a_negative_status),
	ROW("poisoned_context", poisoned__context_is_given_up),
	ROW("ambiguous_resources", ambiguous__code_is_tried_again),
	ROW("unchecked_create", create__is_checked),
	ROW("allocation_codes", codes__buffer_size_is_out_of_memory),
	ROW("no_device", start__without_a_device_is_an_error),
	ROW("no_platform", start__without_a_platform_is_an_error),
	ROW("event_leak", events__are_released_before_the_host_is_full),
	ROW("driver_noise", noise__of_the_driver_is_no_leak),
	ROW("hidden_overflow", overflow__is_hidden_by_the_page),
	{ "hidden_overflow_found", &overflow__is_a_lost_device_elsewhere },
	ROW("failed_wait_list", wait_list__failure_reaches_what_depends_on_it),
#undef ROW
};
enum { CASES = sizeof(table) / sizeof(*table) };

static const char *cases[CASES + 1];

static const struct claw_suite_deviation deviations[] = {
	{ NULL, NULL, NULL, false },
};

static void add_tests(void)
{
	for (int i = 0; i < CASES; i++) {
		cases[i] = table[i].name;
		claw_suite_add(table[i].name, *table[i].test);
	}
}

static const struct claw_suite suite = {
	.name = "users_failures",
	.cases = cases,
	.deviations = deviations,
	.add_tests = add_tests,
};

int main(int argc, char **argv)
{
	return claw_suite_main(&suite, argc, argv);
}
