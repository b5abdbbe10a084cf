/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first two seeds: allocations that take too long (CLW_MEM_TIMEOUT_MS),
 * a large buffer in chunks, and a device that is lost at every point of a
 * program's way, with and without a way back. The faults are armed in the
 * tests, which fail where one did not fire.
 */
#include "config.h"

#include <stdlib.h>

#include "host_side.h"

enum { COUNT = 256, CHUNKS = 4, MIB = 1 << 20 };

/* What check_timeouts_and_loss runs with; main() sets it. */
static const char timeout_ms[] = "200";
enum { TIMEOUT_NS = 200 * 1000 * 1000 };

static cl_kernel add_one(void)
{
	return claw_suite_kernel("host_side/one.clw", "add_one");
}

static cl_mem try_buffer(cl_context context, size_t bytes, cl_int *ret_err)
{
	return clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL,
			      ret_err);
}

/* ---- allocations that take too long ------------------------------------ */

static int64_t ns_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)(now.tv_sec - start->tv_sec) * 1000000000 +
	       (now.tv_nsec - start->tv_nsec);
}

/* Right: a slow allocation within the limit is waited for. */
START_TEST(allocation__within_the_timeout_is_only_slow)
{
	struct timespec start;
	cl_int err = CL_SUCCESS;
	cl_mem mem = NULL;

	clock_gettime(CLOCK_MONOTONIC, &start);
	CLAW_FAULT("clCreateBuffer:delay=50ms:when=1")
		mem = try_buffer(claw_dev.context, MIB, &err);
	claw_expect_code("clCreateBuffer", err, CL_SUCCESS);
	ck_assert_int_ge(ns_since(&start), 50 * 1000 * 1000);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Right: one over the limit is a failed allocation when the limit is over,
 * not an hour later, and the program tries again. */
START_TEST(allocation__over_the_timeout_fails_and_is_retried)
{
	struct timespec start;
	cl_int err = CL_SUCCESS;
	cl_mem mem = NULL;

	clock_gettime(CLOCK_MONOTONIC, &start);
	CLAW_FAULT("@alloc:delay=1h:when=1")
		mem = try_buffer(claw_dev.context, MIB, &err);
	claw_expect_code("clCreateBuffer", err,
			 CL_MEM_OBJECT_ALLOCATION_FAILURE);
	ck_assert_ptr_null(mem);
	ck_assert_int_ge(ns_since(&start), TIMEOUT_NS);
	mem = try_buffer(claw_dev.context, MIB, &err);
	claw_expect_code("clCreateBuffer, again", err, CL_SUCCESS);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: "it took long, but it came back". The handle is NULL, and the next
 * command with it says so. */
START_TEST(allocation__over_the_timeout_fails_and_is_retried_bug)
{
	cl_int zero = 0;
	cl_mem mem = NULL;

	CLAW_FAULT("clCreateBuffer:delay=1h:when=1")
		mem = try_buffer(claw_dev.context, MIB, NULL);
	ck_assert_ptr_null(mem);
	claw_must_give(CL_INVALID_MEM_OBJECT,
		       clEnqueueWriteBuffer(claw_dev.queue, mem, CL_TRUE, 0,
					    sizeof(zero), &zero, 0, NULL,
					    NULL));
}
END_TEST

/* Right: the limit is about memory. A slow clFinish is a slow clFinish. */
START_TEST(allocation__timeout_is_for_allocations_only)
{
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	CLAW_FAULT("clFinish:delay=300ms:when=1")
		claw_must(clFinish(claw_dev.queue));
	ck_assert_int_gt(ns_since(&start), TIMEOUT_NS);
}
END_TEST

/* ---- chunks: the first seed --------------------------------------------- */

static void release_all(cl_mem *parts, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		claw_must(clReleaseMemObject(parts[i]));
}

/* One buffer of all bytes, or so many chunks of them; how many were made. */
static unsigned int allocate(cl_mem *parts, size_t bytes)
{
	cl_int err = CL_SUCCESS;

	parts[0] = try_buffer(claw_dev.context, bytes, &err);
	if (err == CL_SUCCESS)
		return 1;
	claw_expect_code("clCreateBuffer of all", err,
			 CL_MEM_OBJECT_ALLOCATION_FAILURE);
	for (unsigned int i = 0; i < CHUNKS; i++) {
		parts[i] = try_buffer(claw_dev.context, bytes / CHUNKS, &err);
		claw_expect_code("clCreateBuffer of a chunk", err, CL_SUCCESS);
	}
	return CHUNKS;
}

/* Let so many chunks, from this one on, hold one value. */
static void work_on(const cl_mem *parts, unsigned int first,
		    unsigned int count, size_t bytes, cl_int with)
{
	for (unsigned int i = first; i < first + count; i++)
		claw_must(clEnqueueFillBuffer(claw_dev.queue, parts[i], &with,
					      sizeof(with), 0, bytes, 0, NULL,
					      NULL));
	claw_must(clFinish(claw_dev.queue));
}

static void expect_part(cl_mem part, cl_int expected)
{
	claw_expect_ints(claw_dev.queue, part, COUNT, expected);
}

/* Right: what is too large at once is had in chunks, each below the limit,
 * and every one of them is worked on. */
START_TEST(chunks__replace_one_large_buffer)
{
	cl_mem parts[CHUNKS] = { NULL };
	unsigned int count = 0;

	CLAW_FAULT("clCreateBuffer:oom:above=1MiB")
		count = allocate(parts, 4 * (size_t)MIB);
	ck_assert_uint_eq(count, CHUNKS);
	work_on(parts, 0, count, MIB, 3);
	for (unsigned int i = 0; i < count; i++)
		expect_part(parts[i], 3);
	release_all(parts, count);
}
END_TEST

/* Right: without the limit there is one buffer, and no chunk. */
START_TEST(chunks__are_not_made_when_memory_is_there)
{
	cl_mem parts[CHUNKS] = { NULL };
	unsigned int count = allocate(parts, 4 * (size_t)MIB);

	ck_assert_uint_eq(count, 1);
	work_on(parts, 0, count, 4 * (size_t)MIB, 3);
	expect_part(parts[0], 3);
	release_all(parts, count);
}
END_TEST

/* Wrong: the fallback makes four chunks, and the loop behind it still works
 * on one buffer. The other three quarters hold what was there before. */
START_TEST(chunks__replace_one_large_buffer_bug)
{
	cl_mem parts[CHUNKS] = { NULL };
	unsigned int count = 0;

	CLAW_FAULT("clCreateBuffer:oom:above=1MiB")
		count = allocate(parts, 4 * (size_t)MIB);
	ck_assert_uint_eq(count, CHUNKS);
	work_on(parts, 0, count, MIB, 0);
	work_on(parts, 0, 1, MIB, 3);
	expect_part(parts[0], 3);
	for (unsigned int i = 1; i < count; i++)
		expect_part(parts[i], 0);
	release_all(parts, count);
}
END_TEST

/* ---- a lost device ------------------------------------------------------ */

/* Everything that is made anew in a new context. */
struct session {
	cl_context context;
	cl_command_queue queue;
	cl_mem mem;
};

static void session_open(struct session *session)
{
	static const cl_int zeros[COUNT];
	cl_int err = CL_SUCCESS;

	session->context = clCreateContext(NULL, 1, &claw_dev.device, NULL,
					   NULL, &err);
	claw_expect_code("clCreateContext", err, CL_SUCCESS);
	session->queue = claw_new_queue(session->context);
	session->mem = try_buffer(session->context, sizeof(zeros), &err);
	claw_expect_code("clCreateBuffer", err, CL_SUCCESS);
	claw_must(clEnqueueWriteBuffer(session->queue, session->mem, CL_TRUE,
				       0, sizeof(zeros), zeros, 0, NULL,
				       NULL));
}

static void session_close(struct session *session)
{
	claw_must(clReleaseMemObject(session->mem));
	claw_must(clReleaseCommandQueue(session->queue));
	claw_must(clReleaseContext(session->context));
}

/* The program's work, from its input to its result, in a new context. */
static void recover(void)
{
	cl_int fresh = 4;
	struct session session;

	session_open(&session);
	claw_must(clEnqueueFillBuffer(session.queue, session.mem, &fresh,
				      sizeof(fresh), 0, COUNT * sizeof(fresh),
				      0, NULL, NULL));
	claw_expect_ints(session.queue, session.mem, COUNT, fresh);
	session_close(&session);
}

/* The old context is of no use any more. */
static void expect_lost(cl_mem mem)
{
	cl_int value = 0;

	claw_must_give(CL_OUT_OF_RESOURCES,
		       clEnqueueReadBuffer(claw_dev.queue, mem, CL_TRUE, 0,
					   sizeof(value), &value, 0, NULL,
					   NULL));
	claw_must_give(CL_OUT_OF_RESOURCES, clFinish(claw_dev.queue));
}

/* Right: lost in the middle of an upload; all is made anew and done again. */
START_TEST(loss__during_a_transfer_is_recovered_from)
{
	cl_int values[COUNT] = { 0 };
	cl_mem mem = claw_new_ints(COUNT);

	CLAW_FAULT("clEnqueueWriteBuffer:device-lost:recover=context:when=2") {
		claw_must(clEnqueueWriteBuffer(claw_dev.queue, mem, CL_TRUE, 0,
					       sizeof(values), values, 0, NULL,
					       NULL));
		claw_must_give(CL_OUT_OF_RESOURCES,
			       clEnqueueWriteBuffer(claw_dev.queue, mem,
						    CL_TRUE, 0, sizeof(values),
						    values, 0, NULL, NULL));
	}
	expect_lost(mem);
	recover();
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Right: lost while the kernel runs: it was taken in, its event ends negative,
 * and whoever waits next is told. */
START_TEST(loss__during_a_kernel_is_recovered_from)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_event event = NULL;

	CLAW_FAULT("clEnqueueNDRangeKernel:hang=20ms:when=1")
		CLAW_FAULT("clFinish:device-lost:recover=context:when=1") {
			claw_must(claw_launch(claw_dev.queue, kernel, mem,
					      COUNT, NULL, &event));
			claw_comes_to(claw_event_status(event),
				      CL_OUT_OF_RESOURCES);
			claw_must_give(CL_OUT_OF_RESOURCES,
				       clFinish(claw_dev.queue));
		}
	claw_must(clReleaseEvent(event));
	expect_lost(mem);
	recover();
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Right: lost between the enqueue, which succeeded, and the wait for it. */
START_TEST(loss__between_enqueue_and_wait_is_recovered_from)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_event event = NULL;

	claw_must(claw_launch(claw_dev.queue, kernel, mem, COUNT, NULL,
			      &event));
	CLAW_FAULT("clWaitForEvents:device-lost:recover=context:when=1")
		claw_must_give(CL_OUT_OF_RESOURCES,
			       clWaitForEvents(1, &event));
	expect_lost(mem);
	recover();
	claw_must(clReleaseEvent(event));
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: a new context, and the old buffer in it. The specification's code
 * for that is CL_INVALID_CONTEXT. */
START_TEST(loss__of_the_buffers_is_remembered_bug)
{
	cl_mem old = claw_new_ints(COUNT);
	struct session session;
	cl_int value = 0;

	CLAW_FAULT("clFinish:device-lost:recover=context:when=1")
		claw_must_give(CL_OUT_OF_RESOURCES, clFinish(claw_dev.queue));
	session_open(&session);
	claw_must_give(CL_INVALID_CONTEXT,
		       clEnqueueWriteBuffer(session.queue, old, CL_TRUE, 0,
					    sizeof(value), &value, 0, NULL,
					    NULL));
	session_close(&session);
	claw_must(clReleaseMemObject(old));
}
END_TEST

/* Right: the twin uploads what it still has on the host. */
START_TEST(loss__of_the_buffers_is_remembered)
{
	cl_mem old = claw_new_ints(COUNT);
	struct session session;

	CLAW_FAULT("clFinish:device-lost:recover=context:when=1")
		claw_must_give(CL_OUT_OF_RESOURCES, clFinish(claw_dev.queue));
	session_open(&session);
	claw_expect_ints(session.queue, session.mem, COUNT, 0);
	session_close(&session);
	claw_must(clReleaseMemObject(old));
}
END_TEST

/* Wrong: "out of resources: wait and try again", in the context that is
 * dead. No number of tries helps. */
START_TEST(loss__retried_in_the_dead_context_stays_bug)
{
	cl_mem mem = claw_new_ints(COUNT);

	CLAW_FAULT("clFinish:device-lost:recover=context:when=1")
		claw_must_give(CL_OUT_OF_RESOURCES, clFinish(claw_dev.queue));
	for (int i = 0; i < 5; i++)
		expect_lost(mem);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Right: while the device is gone a new context cannot be had either, and the
 * device says that it is not available; then it is back. */
START_TEST(loss__for_a_while_ends)
{
	cl_mem mem = claw_new_ints(COUNT);
	cl_bool available = CL_TRUE;
	cl_int err = CL_SUCCESS;
	cl_context context = NULL;

	CLAW_FAULT("clFinish:device-lost:recover=1500ms:when=1")
		claw_must_give(CL_OUT_OF_RESOURCES, clFinish(claw_dev.queue));
	clCreateContext(NULL, 1, &claw_dev.device, NULL, NULL, &err);
	claw_expect_code("clCreateContext", err, CL_DEVICE_NOT_AVAILABLE);
	claw_must(clGetDeviceInfo(claw_dev.device, CL_DEVICE_AVAILABLE,
				  sizeof(available), &available, NULL));
	ck_assert_int_eq(available, CL_FALSE);

	struct claw_patience patience = claw_patience_new();

	while (!context && claw_patience_left(&patience))
		context = clCreateContext(NULL, 1, &claw_dev.device, NULL,
					  NULL, &err);
	claw_expect_code("clCreateContext, in the end", err, CL_SUCCESS);
	claw_must(clReleaseContext(context));
	claw_expect_ints(claw_dev.queue, mem, COUNT, 0);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* ---- a launch that does not end ----------------------------------------- */

/* Right: a watchdog ends it: the wait fails (before with the launch's code,
 * after it with the wait list's), the event is negative, and the next launch
 * works. */
START_TEST(hang__is_ended_by_a_watchdog)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_event event = NULL;
	cl_int err = CL_SUCCESS;

	CLAW_FAULT("clEnqueueNDRangeKernel:hang=50ms:when=1") {
		claw_must(claw_launch(claw_dev.queue, kernel, mem, COUNT, NULL,
				      &event));
		err = clWaitForEvents(1, &event);
		ck_assert_msg(err == CL_OUT_OF_RESOURCES || err ==
			      CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
			      "clWaitForEvents returned %s",
			      claw_suite_code(err));
	}
	ck_assert_int_eq(claw_event_status(event), CL_OUT_OF_RESOURCES);
	claw_must(clReleaseEvent(event));
	claw_must(claw_launch(claw_dev.queue, kernel, mem, COUNT, NULL, NULL));
	claw_expect_ints(claw_dev.queue, mem, COUNT, 1);
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

static const char *const cases[] = {
	"allocation_timeouts", "chunks", "loss_in_transfer", "loss_in_kernel",
	"loss_before_wait", "loss_and_old_objects", "loss_for_a_while",
	"hang", NULL,
};

/* Seen with Oclgrind 21.10. */
static const struct claw_suite_deviation deviations[] = {
	{ "loss__of_the_buffers_is_remembered_bug", CLAW_DRIVER_OCLGRIND,
	  "clEnqueueWriteBuffer takes a buffer of another context", false },
	{ NULL, NULL, NULL, false },
};

static void add_tests(void)
{
	claw_suite_add(cases[0], allocation__within_the_timeout_is_only_slow);
	claw_suite_add(cases[0],
		       allocation__over_the_timeout_fails_and_is_retried);
	claw_suite_add(cases[0],
		       allocation__over_the_timeout_fails_and_is_retried_bug);
	claw_suite_add(cases[0], allocation__timeout_is_for_allocations_only);
	claw_suite_add(cases[1], chunks__replace_one_large_buffer);
	claw_suite_add(cases[1], chunks__are_not_made_when_memory_is_there);
	claw_suite_add(cases[1], chunks__replace_one_large_buffer_bug);
	claw_suite_add(cases[2], loss__during_a_transfer_is_recovered_from);
	claw_suite_add(cases[3], loss__during_a_kernel_is_recovered_from);
	claw_suite_add(cases[4],
		       loss__between_enqueue_and_wait_is_recovered_from);
	claw_suite_add(cases[5], loss__of_the_buffers_is_remembered);
	claw_suite_add(cases[5], loss__of_the_buffers_is_remembered_bug);
	claw_suite_add(cases[5], loss__retried_in_the_dead_context_stays_bug);
	claw_suite_add(cases[6], loss__for_a_while_ends);
	claw_suite_add(cases[7], hang__is_ended_by_a_watchdog);
}

static const struct claw_suite suite = {
	.name = "timeouts_and_loss",
	.cases = cases,
	.deviations = deviations,
	.add_tests = add_tests,
};

int main(int argc, char **argv)
{
	/* Before the first OpenCL call: the layer reads it once. */
	setenv("CLW_MEM_TIMEOUT_MS", timeout_ms, 1);
	return claw_suite_main(&suite, argc, argv);
}
