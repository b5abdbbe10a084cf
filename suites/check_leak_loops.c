/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that a program makes again and again and forgets, each beside the
 * loop that releases them. A leak shows in what OpenCL itself says: reference
 * counts, the map count, and destructors that are not called. Every planted
 * test gives back at its end what it leaked on purpose, and where a destructor
 * can be had it sees the object go then: nothing else was holding it.
 *
 * Drivers hold references of their own (pocl: a queue its last event, which
 * holds the queue), so a count that is not the program's alone is only asked
 * to be at least one.
 */
#include "config.h"

#include <stdlib.h>

#include "host_side.h"

enum { ROUNDS = 8, COUNT = 64 };

static cl_kernel add_one(void)
{
	return claw_suite_kernel("host_side/one.clw", "add_one");
}

/* ---- events: the third seed ------------------------------------------ */

/* One round of the seed's loop: a buffer, a launch, its event waited for. */
static cl_event one_round(cl_kernel kernel, struct claw_witness *witness)
{
	cl_mem mem = claw_new_ints(COUNT);
	cl_event event = NULL;

	claw_witness_mem(witness, mem);
	claw_must(claw_launch(claw_dev.queue, kernel, mem, COUNT, NULL,
			      &event));
	claw_must(clWaitForEvents(1, &event));
	claw_must(clReleaseMemObject(mem));
	return event;
}

/* Right: every event of an enqueue is released, so every buffer goes, and the
 * queue has no more references than after the first round (pocl: an event
 * holds its queue; rusticl: for a moment its thread may, too). */
START_TEST(events__released_in_the_loop_free_their_buffers)
{
	cl_kernel kernel = add_one();
	struct claw_witness witnesses[ROUNDS];
	cl_uint first = 0;

	for (int i = 0; i < ROUNDS; i++) {
		claw_must(clReleaseEvent(one_round(kernel, &witnesses[i])));
		claw_must(clFinish(claw_dev.queue));
		if (i == 0)
			first = claw_queue_references(claw_dev.queue);
	}
	claw_comes_to(claw_queue_references(claw_dev.queue) <= first, true);
	/* The kernel holds its last argument, on some drivers. */
	clReleaseKernel(kernel);
	claw_must(clFinish(claw_dev.queue));
	for (int i = 0; i < ROUNDS; i++)
		ck_assert_msg(claw_witness_sees_the_end(&witnesses[i]),
			      "buffer %d is not gone", i);
}
END_TEST

/* Wrong: the seed's program releases all but the events. Each of them is
 * still there, complete and with a reference that nobody will give back; on
 * NVIDIA each keeps its buffer's memory, too. */
START_TEST(events__released_in_the_loop_free_their_buffers_bug)
{
	cl_kernel kernel = add_one();
	struct claw_witness witnesses[ROUNDS];
	cl_event forgotten[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		forgotten[i] = one_round(kernel, &witnesses[i]);
	clReleaseKernel(kernel);
	claw_must(clFinish(claw_dev.queue));
	for (int i = 0; i < ROUNDS; i++) {
		ck_assert_uint_ge(claw_event_references(forgotten[i]), 1);
		ck_assert_int_eq(claw_event_status(forgotten[i]), CL_COMPLETE);
		claw_must(clReleaseEvent(forgotten[i]));
	}
	for (int i = 0; i < ROUNDS; i++)
		ck_assert_msg(claw_witness_sees_the_end(&witnesses[i]),
			      "buffer %d is not gone with its event", i);
}
END_TEST

/* Right: the event of the round before is released when the next one takes
 * its place, the last one behind the loop. */
START_TEST(events__chained_by_wait_lists_are_released)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_event last = NULL;

	for (int i = 0; i < ROUNDS; i++) {
		cl_event next = NULL;

		claw_must(claw_launch(claw_dev.queue, kernel, mem, COUNT,
				      last ? &last : NULL, &next));
		if (last)
			claw_must(clReleaseEvent(last));
		last = next;
	}
	claw_must(clWaitForEvents(1, &last));
	claw_must(clReleaseEvent(last));
	claw_expect_ints(claw_dev.queue, mem, COUNT, ROUNDS);
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: "event" is overwritten by the next enqueue and only the last one is
 * released. All but that have their reference still. */
START_TEST(events__chained_by_wait_lists_are_released_bug)
{
	cl_kernel kernel = add_one();
	cl_mem mem = claw_new_ints(COUNT);
	cl_event event = NULL, seen[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		cl_event before = event;

		claw_must(claw_launch(claw_dev.queue, kernel, mem, COUNT,
				      before ? &before : NULL, &event));
		seen[i] = event;
	}
	claw_must(clWaitForEvents(1, &event));
	claw_must(clReleaseEvent(event));
	for (int i = 0; i + 1 < ROUNDS; i++) {
		ck_assert_uint_ge(claw_event_references(seen[i]), 1);
		claw_must(clReleaseEvent(seen[i]));
	}
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* ---- retain without release ------------------------------------------ */

/* Right: as many releases as retains, and the creation's. */
START_TEST(retain__balanced_lets_the_buffer_go)
{
	cl_mem mem = claw_new_ints(COUNT);
	struct claw_witness witness;

	claw_witness_mem(&witness, mem);
	for (int i = 0; i < ROUNDS; i++)
		claw_must(clRetainMemObject(mem));
	ck_assert_uint_eq(claw_mem_references(mem), ROUNDS + 1);
	for (int i = 0; i < ROUNDS; i++)
		claw_must(clReleaseMemObject(mem));
	ck_assert(claw_witness_saw_nothing(&witness));
	claw_must(clReleaseMemObject(mem));
	ck_assert_msg(claw_witness_sees_the_end(&witness),
		      "the buffer is not gone");
}
END_TEST

/* Wrong: a module retains "its" buffer and never releases it. After the
 * owner's release there is a reference left, and no destructor ran. */
START_TEST(retain__balanced_lets_the_buffer_go_bug)
{
	cl_mem mem = claw_new_ints(COUNT);
	struct claw_witness witness;

	claw_witness_mem(&witness, mem);
	claw_must(clRetainMemObject(mem));
	claw_must(clReleaseMemObject(mem));
	ck_assert_uint_eq(claw_mem_references(mem), 1);
	ck_assert_msg(claw_witness_saw_nothing(&witness),
		      "the buffer went with a reference left");
	claw_must(clReleaseMemObject(mem));
	ck_assert_msg(claw_witness_sees_the_end(&witness),
		      "the buffer is not gone");
}
END_TEST

/* ---- kernels and programs -------------------------------------------- */

static cl_program build(void)
{
	static const char source[] =
		"kernel void nothing(global int *out) { out[0] = 0; }\n";
	const char *text = source;
	cl_int err = CL_SUCCESS;
	cl_program program = clCreateProgramWithSource(claw_dev.context, 1,
						       &text, NULL, &err);

	claw_expect_code("clCreateProgramWithSource", err, CL_SUCCESS);
	claw_must(clBuildProgram(program, 1, &claw_dev.device, "", NULL, NULL));
	return program;
}

static cl_kernel new_kernel(cl_program program)
{
	cl_int err = CL_SUCCESS;
	cl_kernel kernel = clCreateKernel(program, "nothing", &err);

	claw_expect_code("clCreateKernel", err, CL_SUCCESS);
	return kernel;
}

/* Right: a kernel a round, released in it: the program is as it was. */
START_TEST(kernels__released_in_the_loop_leave_the_program_alone)
{
	cl_program program = build();
	cl_uint before = claw_program_references(program);

	for (int i = 0; i < ROUNDS; i++) {
		cl_kernel kernel = new_kernel(program);

		ck_assert_uint_eq(claw_kernel_references(kernel), 1);
		claw_must(clReleaseKernel(kernel));
	}
	ck_assert_uint_eq(claw_program_references(program), before);
	claw_must(clReleaseProgram(program));
}
END_TEST

/* Wrong: "clCreateKernel in the frame's function" without a release. The
 * program is released and all kernels of it are alive, each with a reference,
 * and still say which program they are of. */
START_TEST(kernels__released_in_the_loop_leave_the_program_alone_bug)
{
	cl_program program = build();
	cl_kernel forgotten[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		forgotten[i] = new_kernel(program);
	claw_must(clReleaseProgram(program));
	for (int i = 0; i < ROUNDS; i++) {
		cl_program of = NULL;

		ck_assert_uint_eq(claw_kernel_references(forgotten[i]), 1);
		claw_must(clGetKernelInfo(forgotten[i], CL_KERNEL_PROGRAM,
					  sizeof(of), &of, NULL));
		ck_assert_ptr_eq(of, program);
	}
	for (int i = 0; i < ROUNDS; i++)
		claw_must(clReleaseKernel(forgotten[i]));
}
END_TEST

/* Right: a program that is built anew takes the old one's place. */
START_TEST(programs__built_anew_replace_the_old_one)
{
	cl_uint before = claw_context_references(claw_dev.context);

	for (int i = 0; i < ROUNDS / 4; i++) {
		cl_program program = build();
		cl_kernel kernel = new_kernel(program);

		claw_must(clReleaseKernel(kernel));
		ck_assert_uint_eq(claw_program_references(program), 1);
		claw_must(clReleaseProgram(program));
	}
	claw_comes_to(claw_context_references(claw_dev.context), before);
}
END_TEST

/* Wrong: the old program is never released. Every one has its reference and
 * its binaries still. */
START_TEST(programs__built_anew_replace_the_old_one_bug)
{
	cl_program forgotten[ROUNDS / 4];

	for (int i = 0; i < ROUNDS / 4; i++)
		forgotten[i] = build();
	for (int i = 0; i < ROUNDS / 4; i++) {
		size_t bytes = 0;

		ck_assert_uint_eq(claw_program_references(forgotten[i]), 1);
		claw_must(clGetProgramInfo(forgotten[i],
					   CL_PROGRAM_BINARY_SIZES,
					   sizeof(bytes), &bytes, NULL));
		ck_assert_uint_gt(bytes, 0);
		claw_must(clReleaseProgram(forgotten[i]));
	}
}
END_TEST

/* ---- queues ----------------------------------------------------------- */

/* Right: a queue a job, finished and released. */
START_TEST(queues__one_a_job_are_released)
{
	cl_mem mem = claw_new_ints(COUNT);
	cl_kernel kernel = add_one();
	cl_uint before = claw_context_references(claw_dev.context);

	for (int i = 0; i < ROUNDS; i++) {
		cl_command_queue queue = claw_new_queue(claw_dev.context);

		claw_must(claw_launch(queue, kernel, mem, COUNT, NULL, NULL));
		claw_must(clFinish(queue));
		claw_must(clReleaseCommandQueue(queue));
	}
	claw_expect_ints(claw_dev.queue, mem, COUNT, ROUNDS);
	claw_comes_to(claw_context_references(claw_dev.context), before);
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* Wrong: clFinish() is taken for the end of the queue. Each has its reference
 * still and belongs to the context that it keeps. */
START_TEST(queues__one_a_job_are_released_bug)
{
	cl_mem mem = claw_new_ints(COUNT);
	cl_kernel kernel = add_one();
	cl_command_queue forgotten[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		forgotten[i] = claw_new_queue(claw_dev.context);
		claw_must(claw_launch(forgotten[i], kernel, mem, COUNT, NULL,
				      NULL));
		claw_must(clFinish(forgotten[i]));
	}
	for (int i = 0; i < ROUNDS; i++) {
		cl_context of = NULL;

		ck_assert_uint_ge(claw_queue_references(forgotten[i]), 1);
		claw_must(clGetCommandQueueInfo(forgotten[i], CL_QUEUE_CONTEXT,
						sizeof(of), &of, NULL));
		ck_assert_ptr_eq(of, claw_dev.context);
	}
	for (int i = 0; i < ROUNDS; i++)
		claw_must(clReleaseCommandQueue(forgotten[i]));
	clReleaseKernel(kernel);
	claw_must(clReleaseMemObject(mem));
}
END_TEST

/* ---- mappings --------------------------------------------------------- */

static cl_int *map_ints(cl_mem mem)
{
	cl_int err = CL_SUCCESS;
	cl_int *ints = clEnqueueMapBuffer(claw_dev.queue, mem, CL_TRUE,
					  CL_MAP_READ | CL_MAP_WRITE, 0,
					  COUNT * sizeof(*ints), 0, NULL, NULL,
					  &err);

	claw_expect_code("clEnqueueMapBuffer", err, CL_SUCCESS);
	ck_assert_ptr_nonnull(ints);
	return ints;
}

static void unmap(cl_mem mem, void *ints)
{
	claw_must(clEnqueueUnmapMemObject(claw_dev.queue, mem, ints, 0, NULL,
					  NULL));
	claw_must(clFinish(claw_dev.queue));
}

/* Right: every mapping is unmapped, and the buffer goes with its release. */
START_TEST(maps__unmapped_in_the_loop_let_the_buffer_go)
{
	cl_mem mem = claw_new_ints(COUNT);
	struct claw_witness witness;

	claw_witness_mem(&witness, mem);
	for (cl_int i = 0; i < ROUNDS; i++) {
		cl_int *ints = map_ints(mem);

		ck_assert_int_eq(ints[0], i);
		ints[0]++;
		unmap(mem, ints);
		ck_assert_uint_eq(claw_mem_maps(mem), 0);
	}
	claw_must(clReleaseMemObject(mem));
	ck_assert_msg(claw_witness_sees_the_end(&witness),
		      "the buffer is not gone");
}
END_TEST

/* Wrong: the early return between map and unmap. The map count (OpenCL 3.0,
 * clGetMemObjectInfo: "for debugging") grows by one each time. */
START_TEST(maps__unmapped_in_the_loop_let_the_buffer_go_bug)
{
	cl_mem mem = claw_new_ints(COUNT);
	cl_int *forgotten[ROUNDS];
	struct claw_witness witness;

	claw_witness_mem(&witness, mem);
	for (cl_uint i = 0; i < ROUNDS; i++) {
		forgotten[i] = map_ints(mem);
		ck_assert_uint_eq(claw_mem_maps(mem), i + 1);
	}
	for (int i = 0; i < ROUNDS; i++)
		unmap(mem, forgotten[i]);
	ck_assert_uint_eq(claw_mem_maps(mem), 0);
	claw_must(clReleaseMemObject(mem));
	ck_assert_msg(claw_witness_sees_the_end(&witness),
		      "the buffer is not gone");
}
END_TEST

/* ---- sub-buffers ------------------------------------------------------ */

static cl_mem new_part(cl_mem parent)
{
	cl_buffer_region region = { 0, COUNT / 2 * sizeof(cl_int) };
	cl_int err = CL_SUCCESS;
	cl_mem part = clCreateSubBuffer(parent, 0,
					CL_BUFFER_CREATE_TYPE_REGION, &region,
					&err);

	claw_expect_code("clCreateSubBuffer", err, CL_SUCCESS);
	return part;
}

/* Right: parts first, then the parent, and both go. */
START_TEST(sub_buffers__released_first_let_the_parent_go)
{
	cl_mem parent = claw_new_ints(COUNT);
	struct claw_witness whole, half;

	claw_witness_mem(&whole, parent);
	for (int i = 0; i < ROUNDS; i++) {
		cl_mem part = new_part(parent);

		claw_witness_mem(&half, part);
		claw_must(clReleaseMemObject(part));
		ck_assert_msg(claw_witness_sees_the_end(&half),
			      "part %d is not gone", i);
	}
	ck_assert(claw_witness_saw_nothing(&whole));
	claw_must(clReleaseMemObject(parent));
	ck_assert_msg(claw_witness_sees_the_end(&whole),
		      "the parent is not gone");
}
END_TEST

/* Wrong: one small part is forgotten and keeps the whole parent, whose last
 * release frees nothing (OpenCL 3.0, clReleaseMemObject). */
START_TEST(sub_buffers__released_first_let_the_parent_go_bug)
{
	cl_mem parent = claw_new_ints(COUNT), of = NULL;
	cl_mem forgotten = new_part(parent);
	struct claw_witness whole;

	claw_witness_mem(&whole, parent);
	claw_must(clReleaseMemObject(parent));
	ck_assert_msg(claw_witness_saw_nothing(&whole),
		      "the parent went although a part of it is there");
	claw_must(clGetMemObjectInfo(forgotten, CL_MEM_ASSOCIATED_MEMOBJECT,
				     sizeof(of), &of, NULL));
	ck_assert_ptr_eq(of, parent);
	claw_must(clReleaseMemObject(forgotten));
	ck_assert_msg(claw_witness_sees_the_end(&whole),
		      "the parent is not gone with its last part");
}
END_TEST

/* ---- contexts --------------------------------------------------------- */

static cl_context new_context(void)
{
	cl_int err = CL_SUCCESS;
	cl_context context = clCreateContext(NULL, 1, &claw_dev.device, NULL,
					     NULL, &err);

	claw_expect_code("clCreateContext", err, CL_SUCCESS);
	return context;
}

static cl_event complete_marker(cl_command_queue queue)
{
	cl_event event = NULL;

	claw_must(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
	claw_must(clFinish(queue));
	return event;
}

/* Right: a session's context goes when its queue and events are released.
 * OpenCL 3.0 tells; before, its count of references does. */
START_TEST(contexts__go_with_their_last_object)
{
	cl_context context = new_context();
	cl_uint alone = claw_context_references(context);
	cl_command_queue queue = claw_new_queue(context);
	cl_event event = complete_marker(queue);
	struct claw_witness witness;
	bool told = claw_witness_context(&witness, context);

	claw_must(clReleaseEvent(event));
	claw_must(clReleaseCommandQueue(queue));
	claw_comes_to(claw_context_references(context), alone);
	claw_must(clReleaseContext(context));
	ck_assert_msg(!told || claw_witness_sees_the_end(&witness),
		      "the context is not gone");
}
END_TEST

/* Wrong: "clReleaseContext releases what is in it" (the third seed). One
 * forgotten event keeps it: the context still answers through the event. */
START_TEST(contexts__go_with_their_last_object_bug)
{
	cl_context context = new_context(), of = NULL;
	cl_command_queue queue = claw_new_queue(context);
	cl_event forgotten = complete_marker(queue);
	struct claw_witness witness;
	bool told = claw_witness_context(&witness, context);

	claw_must(clReleaseCommandQueue(queue));
	claw_must(clReleaseContext(context));
	ck_assert_msg(!told || claw_witness_saw_nothing(&witness),
		      "the context went although an event of it is there");
	claw_must(clGetEventInfo(forgotten, CL_EVENT_CONTEXT, sizeof(of), &of,
				 NULL));
	ck_assert_ptr_eq(of, context);
	ck_assert_uint_ge(claw_context_references(context), 1);
	claw_must(clReleaseEvent(forgotten));
	ck_assert_msg(!told || claw_witness_sees_the_end(&witness),
		      "the context is not gone with its last event");
}
END_TEST

static const char *const cases[] = {
	"events", "retains", "kernels_and_programs", "queues", "maps",
	"sub_buffers", "contexts", NULL,
};

/* Seen with Oclgrind 21.10 and rusticl 22.3.6 and 25.0.7. */
static const struct claw_suite_deviation deviations[] = {
	{ "maps__unmapped_in_the_loop_let_the_buffer_go_bug", CLAW_DRIVER_OCLGRIND,
	  "CL_MEM_MAP_COUNT is 0 whatever is mapped", false },
	{ "maps__unmapped_in_the_loop_let_the_buffer_go_bug", CLAW_DRIVER_RUSTICL_22,
	  "CL_MEM_MAP_COUNT is 0 whatever is mapped", false },
	{ "maps__unmapped_in_the_loop_let_the_buffer_go_bug", CLAW_DRIVER_RUSTICL_25,
	  "CL_MEM_MAP_COUNT is 0 whatever is mapped", false },
	{ "contexts__go_with_their_last_object_bug", CLAW_DRIVER_OCLGRIND,
	  "an event does not keep its context: what is released is gone, and "
	  "asking the event's context is a use of freed memory", true },
	{ "contexts__go_with_their_last_object_bug", CLAW_DRIVER_NVIDIA,
	  "the context that an event keeps says that it has 0 references",
	  false },
	{ NULL, NULL, NULL, false },
};

static void add_tests(void)
{
	claw_suite_add(cases[0],
		       events__released_in_the_loop_free_their_buffers);
	claw_suite_add(cases[0],
		       events__released_in_the_loop_free_their_buffers_bug);
	claw_suite_add(cases[0], events__chained_by_wait_lists_are_released);
	claw_suite_add(cases[0],
		       events__chained_by_wait_lists_are_released_bug);
	claw_suite_add(cases[1], retain__balanced_lets_the_buffer_go);
	claw_suite_add(cases[1], retain__balanced_lets_the_buffer_go_bug);
	claw_suite_add(cases[2],
		       kernels__released_in_the_loop_leave_the_program_alone);
	claw_suite_add(cases[2],
		kernels__released_in_the_loop_leave_the_program_alone_bug);
	claw_suite_add(cases[2], programs__built_anew_replace_the_old_one);
	claw_suite_add(cases[2], programs__built_anew_replace_the_old_one_bug);
	claw_suite_add(cases[3], queues__one_a_job_are_released);
	claw_suite_add(cases[3], queues__one_a_job_are_released_bug);
	claw_suite_add(cases[4],
		       maps__unmapped_in_the_loop_let_the_buffer_go);
	claw_suite_add(cases[4],
		       maps__unmapped_in_the_loop_let_the_buffer_go_bug);
	claw_suite_add(cases[5],
		       sub_buffers__released_first_let_the_parent_go);
	claw_suite_add(cases[5],
		       sub_buffers__released_first_let_the_parent_go_bug);
	claw_suite_add(cases[6], contexts__go_with_their_last_object);
	claw_suite_add(cases[6], contexts__go_with_their_last_object_bug);
}

static const struct claw_suite suite = {
	.name = "leak_loops",
	.cases = cases,
	.deviations = deviations,
	.add_tests = add_tests,
};

int main(int argc, char **argv)
{
	return claw_suite_main(&suite, argc, argv);
}
