/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fourth seed: OpenCL's calls return before their commands have run.
 * What may be released or reused at once, what only after the event, and the
 * programs that do not wait. A gate (a user event) holds commands up, so that
 * "not yet" is certain and no test depends on time; each opens its gate
 * before it ends, and before it flushes or waits (oclgrind runs its commands
 * there, and waits for a closed gate for ever).
 *
 * Tests whose program writes or reads memory that is not its own any more say
 * nothing themselves: Valgrind has to (async_release.yaml).
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "host_side.h"

enum { COUNT = 256, BYTES = COUNT * sizeof(cl_int) };

static cl_kernel add_one(void)
{
	return claw_suite_kernel("host_side/one.clw", "add_one");
}

/* Reads nothing: oclgrind takes a program's own memory under a buffer
 * (CL_MEM_USE_HOST_PTR) for uninitialised. */
static cl_kernel set_one(void)
{
	return claw_suite_kernel("host_side/one.clw", "set_one");
}

static void open_gate(cl_event gate)
{
	claw_must(clSetUserEventStatus(gate, CL_COMPLETE));
	claw_must(clReleaseEvent(gate));
}

/* ---- release against finish ------------------------------------------- */

/* The seed's first example, which is right: a buffer that is released while a
 * command uses it lives until the command has ended (OpenCL 3.0,
 * clReleaseMemObject). The wrong part is to expect its memory back at once. */
START_TEST(release__before_finish_takes_effect_after_the_command)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_event gate = claw_new_gate();
	struct claw_witness witness;

	claw_witness_mem(&witness, mem);
	claw_must(claw_launch(claw_dev.queue, kernel, mem, COUNT, &gate,
			      NULL));
	claw_must(clReleaseMemObject(mem));
	ck_assert_msg(claw_witness_saw_nothing(&witness),
		      "the buffer went while a command needs it");
	open_gate(gate);
	claw_must(clFinish(claw_dev.queue));
	clReleaseKernel(kernel);
	ck_assert_msg(claw_witness_sees_the_end(&witness),
		      "the buffer is not gone after its last command");
}
END_TEST

/* The seed's second example: clFinish() and then the release. */
START_TEST(release__after_finish_takes_effect_at_once)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	struct claw_witness witness;

	claw_witness_mem(&witness, mem);
	claw_must(claw_launch(claw_dev.queue, kernel, mem, COUNT, NULL, NULL));
	claw_must(clFinish(claw_dev.queue));
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
	ck_assert_msg(claw_witness_sees_the_end(&witness),
		      "the buffer is not gone");
}
END_TEST

/* The seed's third example: the launch's event and then the release, of the
 * event, too. */
START_TEST(release__after_the_event_takes_effect_at_once)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_event event = NULL;
	struct claw_witness witness;

	claw_witness_mem(&witness, mem);
	claw_must(claw_launch(claw_dev.queue, kernel, mem, COUNT, NULL,
			      &event));
	claw_must(clWaitForEvents(1, &event));
	ck_assert_int_eq(claw_event_status(event), CL_COMPLETE);
	claw_must(clReleaseEvent(event));
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
	ck_assert_msg(claw_witness_sees_the_end(&witness),
		      "the buffer is not gone");
}
END_TEST

/* Right: a kernel may be released with its launch on the way; it ran. */
START_TEST(release__of_the_kernel_before_finish_lets_it_run)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_event gate = claw_new_gate();

	claw_must(claw_launch(claw_dev.queue, kernel, mem, COUNT, &gate,
			      NULL));
	claw_must(clReleaseKernel(kernel));
	open_gate(gate);
	claw_expect_ints(claw_dev.queue, mem, COUNT, 1);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Right: clReleaseCommandQueue() flushes, and the commands end. */
START_TEST(release__of_the_queue_before_finish_lets_it_end)
{
	cl_kernel kernel = add_one();
	cl_command_queue queue = claw_new_queue(claw_dev.context);
	cl_mem mem = claw_new_ints(COUNT);
	cl_event event = NULL;

	claw_must(claw_launch(queue, kernel, mem, COUNT, NULL, &event));
	claw_must(clReleaseCommandQueue(queue));
	claw_must(clWaitForEvents(1, &event));
	claw_must(clReleaseEvent(event));
	claw_expect_ints(claw_dev.queue, mem, COUNT, 1);
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* ---- transfers and their host memory ----------------------------------- */

static void fill(cl_int *values, cl_int with)
{
	for (size_t i = 0; i < COUNT; i++)
		values[i] = with;
}

static size_t count_equal(const cl_int *values, cl_int to)
{
	size_t count = 0;

	for (size_t i = 0; i < COUNT; i++)
		count += values[i] == to;
	return count;
}

/* Right: what a non-blocking read brings is looked at after its event. */
START_TEST(read__is_looked_at_after_its_event)
{
	cl_mem mem = claw_new_ints(COUNT);
	cl_event gate = claw_new_gate(), done = NULL;
	cl_int values[COUNT];

	fill(values, -1);
	claw_must(clEnqueueReadBuffer(claw_dev.queue, mem, CL_FALSE, 0, BYTES,
				      values, 1, &gate, &done));
	open_gate(gate);
	claw_must(clWaitForEvents(1, &done));
	ck_assert_uint_eq(count_equal(values, 0), COUNT);
	claw_must(clReleaseEvent(done));
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: the values are used as soon as the call has returned. They are the
 * old ones, all of them: nothing was read yet. */
START_TEST(read__is_looked_at_after_its_event_bug)
{
	cl_mem mem = claw_new_ints(COUNT);
	cl_event gate = claw_new_gate(), done = NULL;
	cl_int values[COUNT];

	fill(values, -1);
	claw_must(clEnqueueReadBuffer(claw_dev.queue, mem, CL_FALSE, 0, BYTES,
				      values, 1, &gate, &done));
	ck_assert_uint_eq(count_equal(values, -1), COUNT);
	ck_assert_int_gt(claw_event_status(done), CL_COMPLETE);
	open_gate(gate);
	claw_must(clWaitForEvents(1, &done));
	claw_must(clReleaseEvent(done));
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Right: the source of a non-blocking write is changed after its event. */
START_TEST(write__source_is_kept_until_the_event)
{
	cl_mem mem = claw_new_ints(COUNT);
	cl_event gate = claw_new_gate(), done = NULL;
	cl_int values[COUNT];

	fill(values, 5);
	claw_must(clEnqueueWriteBuffer(claw_dev.queue, mem, CL_FALSE, 0,
				       BYTES, values, 1, &gate, &done));
	open_gate(gate);
	claw_must(clWaitForEvents(1, &done));
	fill(values, 6);
	claw_expect_ints(claw_dev.queue, mem, COUNT, 5);
	claw_must(clReleaseEvent(done));
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: the frame's buffer is filled with the next frame while the write of
 * the last one is on its way. What arrives is the next frame, twice. */
START_TEST(write__source_is_kept_until_the_event_bug)
{
	cl_mem mem = claw_new_ints(COUNT);
	cl_event gate = claw_new_gate(), done = NULL;
	cl_int values[COUNT];

	fill(values, 5);
	claw_must(clEnqueueWriteBuffer(claw_dev.queue, mem, CL_FALSE, 0,
				       BYTES, values, 1, &gate, &done));
	fill(values, 6);
	open_gate(gate);
	claw_must(clWaitForEvents(1, &done));
	claw_expect_ints(claw_dev.queue, mem, COUNT, 6);
	claw_must(clReleaseEvent(done));
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* ---- memory that is gone ------------------------------------------------ */

/*
 * A frame so large that the far end of its array stays below whatever clFinish
 * puts on the stack: the transfer hits nothing but memory that is nobody's.
 */
enum { FAR_BYTES = 1 << 20 };

static __attribute__((noinline)) void
transfer_with_stack(cl_mem mem, bool write, const cl_event *gate)
{
	volatile char frame[FAR_BYTES];
	char *far_end = (char *)frame;

	/* The page must be there; its content does not matter. */
	memset(far_end, 0, BYTES);
	frame[FAR_BYTES - 1] = 0;
	if (write)
		claw_must(clEnqueueWriteBuffer(claw_dev.queue, mem, CL_FALSE,
					       0, BYTES, far_end, 1, gate,
					       NULL));
	else
		claw_must(clEnqueueReadBuffer(claw_dev.queue, mem, CL_FALSE, 0,
					      BYTES, far_end, 1, gate, NULL));
}

static void transfer_and_return(bool write)
{
	cl_mem mem = claw_new_ints(COUNT);
	cl_event gate = claw_new_gate();

	transfer_with_stack(mem, write, &gate);
	open_gate(gate);
	claw_must(clFinish(claw_dev.queue));
	claw_must(clReleaseMemObject(mem));
}

/* Wrong: a non-blocking read into an array of a function that returns before
 * the read happens. Valgrind: an invalid write below the stack. */
START_TEST(stack__outlives_the_read_bug)
{
	transfer_and_return(false);
}
END_TEST

/* Wrong: the same with a write. Valgrind: an invalid read. */
START_TEST(stack__outlives_the_write_bug)
{
	transfer_and_return(true);
}
END_TEST

static __attribute__((noinline)) void
transfer_and_finish(cl_mem mem, bool write, const cl_event *gate)
{
	volatile char frame[FAR_BYTES];
	char *far_end = (char *)frame;

	memset(far_end, 0, BYTES);
	if (write)
		claw_must(clEnqueueWriteBuffer(claw_dev.queue, mem, CL_FALSE,
					       0, BYTES, far_end, 1, gate,
					       NULL));
	else
		claw_must(clEnqueueReadBuffer(claw_dev.queue, mem, CL_FALSE, 0,
					      BYTES, far_end, 1, gate, NULL));
	claw_must(clSetUserEventStatus(*gate, CL_COMPLETE));
	claw_must(clFinish(claw_dev.queue));
}

/* Right: the transfer has ended before the function returns. */
static void transfer_in_time(bool write)
{
	cl_mem mem = claw_new_ints(COUNT);
	cl_event gate = claw_new_gate();

	transfer_and_finish(mem, write, &gate);
	claw_must(clReleaseEvent(gate));
	claw_expect_ints(claw_dev.queue, mem, COUNT, 0);
	claw_must(clReleaseMemObject(mem));
}

START_TEST(stack__outlives_the_read)
{
	transfer_in_time(false);
}
END_TEST

START_TEST(stack__outlives_the_write)
{
	transfer_in_time(true);
}
END_TEST

/* A buffer over the program's own memory, which the kernel writes. */
static cl_mem new_over(cl_int *values)
{
	cl_int err = CL_SUCCESS;
	cl_mem mem = clCreateBuffer(claw_dev.context, CL_MEM_READ_WRITE |
				    CL_MEM_USE_HOST_PTR, BYTES, values, &err);

	claw_expect_code("clCreateBuffer", err, CL_SUCCESS);
	return mem;
}

static cl_int *new_values(void)
{
	cl_int *values = aligned_alloc(4096, 4096);

	ck_assert_ptr_nonnull(values);
	memset(values, 0, 4096);
	return values;
}

/* Let the program's memory hold what the buffer does. */
static void bring_back(cl_mem mem)
{
	cl_int err = CL_SUCCESS;
	void *map = clEnqueueMapBuffer(claw_dev.queue, mem, CL_TRUE,
				       CL_MAP_READ, 0, BYTES, 0, NULL, NULL,
				       &err);

	claw_expect_code("clEnqueueMapBuffer", err, CL_SUCCESS);
	claw_must(clEnqueueUnmapMemObject(claw_dev.queue, mem, map, 0, NULL,
					  NULL));
	claw_must(clFinish(claw_dev.queue));
}

/* Right: host memory under a buffer is freed when the buffer is gone. */
START_TEST(host_ptr__is_freed_after_the_buffer)
{
	cl_kernel kernel = set_one();
	cl_int *values = new_values();
	cl_mem mem = new_over(values);
	struct claw_witness witness;

	claw_witness_mem(&witness, mem);
	claw_must(claw_launch(claw_dev.queue, kernel, mem, COUNT, NULL, NULL));
	bring_back(mem);
	ck_assert_uint_eq(count_equal(values, 1), COUNT);
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
	ck_assert_msg(claw_witness_sees_the_end(&witness),
		      "the buffer is not gone");
	free(values);
}
END_TEST

/* Wrong: free() right behind the enqueue. The kernel writes freed memory,
 * which Valgrind sees on a driver that uses it in place. Runs under
 * Valgrind alone: elsewhere it would damage the heap. */
START_TEST(host_ptr__is_freed_after_the_buffer_bug)
{
	cl_kernel kernel = set_one();
	cl_int *values = new_values();
	cl_mem mem = new_over(values);
	cl_event gate = claw_new_gate();

	claw_must(claw_launch(claw_dev.queue, kernel, mem, COUNT, &gate,
			      NULL));
	free(values);
	open_gate(gate);
	claw_must(clFinish(claw_dev.queue));
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

static const char *const cases[] = {
	"release", "transfers", "stack_read", "stack_read_bug", "stack_write",
	"stack_write_bug", "host_ptr", "host_ptr_bug", NULL,
};

static const struct claw_suite_deviation deviations[] = {
	{ NULL, NULL, NULL, false },
};

static void add_tests(void)
{
	claw_suite_add(cases[0],
		       release__before_finish_takes_effect_after_the_command);
	claw_suite_add(cases[0], release__after_finish_takes_effect_at_once);
	claw_suite_add(cases[0],
		       release__after_the_event_takes_effect_at_once);
	claw_suite_add(cases[0],
		       release__of_the_kernel_before_finish_lets_it_run);
	claw_suite_add(cases[0],
		       release__of_the_queue_before_finish_lets_it_end);
	claw_suite_add(cases[1], read__is_looked_at_after_its_event);
	claw_suite_add(cases[1], read__is_looked_at_after_its_event_bug);
	claw_suite_add(cases[1], write__source_is_kept_until_the_event);
	claw_suite_add(cases[1], write__source_is_kept_until_the_event_bug);
	claw_suite_add(cases[2], stack__outlives_the_read);
	claw_suite_add(cases[3], stack__outlives_the_read_bug);
	claw_suite_add(cases[4], stack__outlives_the_write);
	claw_suite_add(cases[5], stack__outlives_the_write_bug);
	claw_suite_add(cases[6], host_ptr__is_freed_after_the_buffer);
	claw_suite_add(cases[7], host_ptr__is_freed_after_the_buffer_bug);
}

static const struct claw_suite suite = {
	.name = "async_release",
	.cases = cases,
	.deviations = deviations,
	.add_tests = add_tests,
};

int main(int argc, char **argv)
{
	return claw_suite_main(&suite, argc, argv);
}
