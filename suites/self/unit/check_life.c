/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the corpus of lifetime errors (suites/lifetime) does not have: what a
 * program could notice of releases that are held back, addresses that are
 * given again, the codes of answered calls, exact counts with many threads,
 * forked children.
 */
#include "config.h"

#include "suites/self/lib/life_program.h"

#include <pthread.h>
#include <sys/wait.h>

#include "harness/readers/ledger_reader.h"

enum { THREADS = 8 };
#ifdef CLAW_SANITIZERS
enum { PAIRS = 10000 };
#else
enum { PAIRS = 100000 };
#endif

static cl_uint references(cl_context of)
{
	cl_uint count = 0;

	ck_assert_int_eq(clGetContextInfo(of, CL_CONTEXT_REFERENCE_COUNT,
					  sizeof(count), &count, NULL),
			 CL_SUCCESS);
	return count;
}

/* ---- what a program can notice, on every driver */

static int destroyed;

static void CL_CALLBACK count_end(cl_mem mem, void *nothing)
{
	(void)mem, (void)nothing;
	destroyed++;
}

START_TEST(notice__a_destructor_is_called_at_once)
{
	cl_buffer_region part = { 0, 128 };
	cl_mem whole, subs[2];

	begin(_i, LOOK);
	whole = make(BYTES);
	for (int i = 0; i < 2; i++) {
		subs[i] = clCreateSubBuffer(whole, CL_MEM_READ_WRITE,
			CL_BUFFER_CREATE_TYPE_REGION, &part, NULL);
		ck_assert_ptr_nonnull(subs[i]);
	}
	drop(subs[0]);		/* before anybody could know */
	ck_assert_int_eq(clSetMemObjectDestructorCallback(whole, count_end,
							  NULL), CL_SUCCESS);
	drop(whole);
	ck_assert_int_eq(destroyed, 0);
	drop(subs[1]);
	ck_assert_int_eq(destroyed, 1);
	ck_assert_nothing_found();
}
END_TEST

START_TEST(notice__reference_counts_are_right)
{
	cl_uint before;

	begin(_i, LOOK);
	before = references(context);
	for (int i = 0; i < 10; i++)
		drop(make(BYTES));
	ck_assert_uint_eq(references(context), before);
	ck_assert_nothing_found();
}
END_TEST

START_TEST(notice__a_handle_from_a_query_may_be_retained)
{
	cl_context of_queue = NULL;

	begin(_i, LOOK);
	ck_assert_int_eq(clReleaseContext(context), CL_SUCCESS);
	ck_assert_int_eq(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT,
					       sizeof(of_queue), &of_queue,
					       NULL), CL_SUCCESS);
	ck_assert_ptr_eq(of_queue, context);
	drop(make(BYTES));			/* used, without a reference */
	ck_assert_int_eq(clRetainContext(of_queue), CL_SUCCESS);
	ck_assert_int_eq(clReleaseCommandQueue(queue), CL_SUCCESS);
	drop(make(BYTES));
	ck_assert_uint_eq(references(of_queue), 1);
	ck_assert_nothing_found();
	ck_assert_int_eq(clReleaseContext(of_queue), CL_SUCCESS);
	ck_assert_nothing_found();
	ck_assert_int_eq(clReleaseContext(of_queue), CL_INVALID_CONTEXT);
	ck_assert_found(CLAW_FOUND_RELEASE_RELEASED, 1);
}
END_TEST

START_TEST(notice__an_address_is_given_again_and_is_a_new_object)
{
	cl_mem first, mem = NULL;
	int rounds = 0;

	begin(_i, LOOK);
	first = make(SMALL);
	drop(first);
	for (int i = 1; i < HELD_MAX; i++) {
		mem = make(SMALL);
		ck_assert_ptr_ne(mem, first);
		drop(mem);
	}
	for (mem = NULL; mem != first && rounds < 4 * HELD_MAX; rounds++) {
		mem = make(SMALL);
		ck_assert_int_eq(clRetainMemObject(mem), CL_SUCCESS);
		drop(mem);
		drop(mem);
	}
	ck_assert_nothing_found();
}
END_TEST

/* ---- answers */

START_TEST(answers__a_second_release_never_reaches_the_driver)
{
	cl_mem mem;

	begin(_i, LOOK);
	mem = make(BYTES);
	drop(mem);
	for (int i = 0; i < 100; i++)
		ck_assert_int_eq(clReleaseMemObject(mem),
				 CL_INVALID_MEM_OBJECT);
	ck_assert_int_eq(clRetainMemObject(mem), CL_INVALID_MEM_OBJECT);
	ck_assert_found(CLAW_FOUND_RELEASE_RELEASED, 100);
	ck_assert_found(CLAW_FOUND_RETAIN_RELEASED, 1);
	for (size_t i = 0; i < found.count; i++)
		ck_assert_uint_eq(found.entries[i].answered, 1);
}
END_TEST

START_TEST(answers__a_protected_driver_gets_nothing_wrong)
{
	cl_int err = CL_SUCCESS;
	cl_event event;
	cl_mem mem, none;
	char byte = 0;

	begin(_i, LOOK "protect=1\n");
	mem = make(BYTES);
	event = clCreateUserEvent(context, &err);
	ck_assert_int_eq(err, CL_SUCCESS);
	drop(mem);
	ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
	ck_assert_int_eq(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, 1, &byte,
					      0, NULL, NULL),
			 CL_INVALID_MEM_OBJECT);
	ck_assert_ptr_null(clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_READ,
					      0, 1, 0, NULL, NULL, &err));
	ck_assert_int_eq(err, CL_INVALID_MEM_OBJECT);
	ck_assert_int_eq(clWaitForEvents(1, &event), CL_INVALID_EVENT);
	ck_assert_int_eq(clEnqueueMarkerWithWaitList(queue, 1, &event, NULL),
			 CL_INVALID_EVENT_WAIT_LIST);
	ck_assert_found(CLAW_FOUND_USE_RELEASED, 4);
	ck_assert_int_eq(clGetMemObjectInfo((cl_mem)queue, CL_MEM_SIZE, 0, NULL,
					    NULL), CL_INVALID_MEM_OBJECT);
	ck_assert_int_eq(clReleaseKernel((cl_kernel)context),
			 CL_INVALID_KERNEL);
	ck_assert_found(CLAW_FOUND_WRONG_TYPE, 2);
	none = clCreateBuffer(context, CL_MEM_READ_WRITE, 0, NULL, &err);
	ck_assert_ptr_null(none);
	ck_assert_int_eq(clEnqueueReadBuffer(queue, none, CL_TRUE, 0, 1, &byte,
					     0, NULL, NULL),
			 CL_INVALID_MEM_OBJECT);
	ck_assert_found(CLAW_FOUND_NULL_USED, 1);
	ck_assert_int_eq((cl_int)found.entries[found.count - 1].values[0], err);
	for (size_t i = 0; i < found.count; i++)
		ck_assert_uint_eq(found.entries[i].answered, 1);
}
END_TEST

/* ---- threads and forks */

static cl_mem shared;

static void *work(void *nothing)
{
	for (int i = 0; i < PAIRS; i++) {
		cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, 64,
					    NULL, NULL);

		if (clRetainMemObject(mem) || clReleaseMemObject(mem) ||
		    clReleaseMemObject(mem) || clRetainMemObject(shared) ||
		    clReleaseMemObject(shared))
			return &shared;
	}
	return clReleaseMemObject(shared) ? &shared : nothing;
}

static void ck_assert_ledger(uint64_t alive)
{
	struct claw_ledger ledger;
	char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/ledger.%ld.0", session,
		 (long)getpid());
	ck_assert_int_eq(claw_ledger_read(path, &ledger), 0);
	ck_assert_uint_eq(ledger.count, alive);
	ck_assert_uint_eq(ledger.unknown, 0);
	ck_assert_uint_eq(ledger.dropped, 0);
	claw_ledger_release(&ledger);
}

START_TEST(threads__counts_are_exact)
{
	pthread_t threads[THREADS];
	void *failed = NULL;
	cl_ulong asked;

	begin(0, LOOK);
	shared = make(BYTES);
	for (int i = 0; i < THREADS; i++) {
		ck_assert_int_eq(clRetainMemObject(shared), CL_SUCCESS);
		ck_assert_int_eq(pthread_create(&threads[i], NULL, work, NULL),
				 0);
	}
	drop(shared);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &failed);
		ck_assert_ptr_null(failed);
	}
	ck_assert_nothing_found();
	ck_assert_uint_eq(found.counts[CLAW_COUNT_HELD_BACK],
			  (uint64_t)THREADS * PAIRS + 1);
	ck_assert_ledger(2);
	/* What the driver was not asked for yet is what is held. */
	asked = stub_calls("clReleaseMemObject");
	ck_assert_uint_eq(asked - (THREADS * (2u * PAIRS + 1)),
			  (uint64_t)THREADS * PAIRS + 1 - HELD_MAX);
}
END_TEST

/* ---- events */

enum { FOLLOWED = 16384, BEYOND = 100 };	/* CLAW_EVENTS */

static cl_event copy(cl_command_queue in, cl_mem from, cl_mem to,
		     cl_uint count, const cl_event *after)
{
	cl_event event = NULL;

	ck_assert_int_eq(clEnqueueCopyBuffer(in, from, to, 0, 0, SMALL, count,
					     after, &event), CL_SUCCESS);
	return event;
}

static cl_command_queue make_queue(void)
{
	cl_int err;
	cl_command_queue made = clCreateCommandQueue(context, device, 0, &err);

	ck_assert_int_eq(err, CL_SUCCESS);
	return made;
}

static void end_event(cl_event event)
{
	ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
}

static uint64_t lost_commands(void)
{
	look();
	return found.counts[CLAW_COUNT_COMMANDS_LOST];
}

/* Of what waits for an event that is not followed nothing false is said; it is
 * counted, what has no order is still found, and so is all that comes when
 * there is room again. */
START_TEST(events__more_than_are_followed_make_no_finding)
{
	static cl_event events[FOLLOWED + BEYOND];
	cl_command_queue second, third;
	cl_mem from, to, rest, last;
	uint64_t lost;

	begin(_i, LOOK);
	second = make_queue();
	third = make_queue();
	from = make(BYTES);
	to = make(BYTES);
	rest = make(BYTES);
	last = make(BYTES);
	for (int i = 0; i < FOLLOWED + BEYOND; i++)
		events[i] = copy(queue, from, to, 0, NULL);
	lost = lost_commands();
	end_event(copy(second, to, rest, 1, &events[FOLLOWED + BEYOND - 1]));
	ck_assert_nothing_found();
	ck_assert_uint_gt(lost_commands(), lost);
	end_event(copy(third, from, to, 0, NULL));
	ck_assert_found(CLAW_FOUND_UNORDERED, 1);
	for (int i = 0; i < FOLLOWED; i++)
		end_event(events[i]);
	ck_assert_int_eq(clFinish(second), CL_SUCCESS);
	ck_assert_int_eq(clFinish(third), CL_SUCCESS);
	ck_assert_int_eq(clFinish(queue), CL_SUCCESS);
	lost = lost_commands();
	events[0] = copy(queue, from, last, 0, NULL);
	end_event(copy(third, last, from, 1, &events[0]));
	end_event(events[0]);
	ck_assert_uint_eq(lost_commands(), lost);
	ck_assert_found(CLAW_FOUND_UNORDERED, 1);
	end_event(copy(second, from, last, 0, NULL));
	ck_assert_found(CLAW_FOUND_UNORDERED, 1 + 2);	/* with either */
	ck_assert_int_eq(clWaitForEvents(1, &events[FOLLOWED]), CL_SUCCESS);
	for (int i = FOLLOWED; i < FOLLOWED + BEYOND; i++)
		end_event(events[i]);
	ck_assert_int_eq(clFinish(second), CL_SUCCESS);
	ck_assert_int_eq(clFinish(third), CL_SUCCESS);
	ck_assert_int_eq(clFinish(queue), CL_SUCCESS);
	drop(from);
	drop(to);
	drop(rest);
	drop(last);
	ck_assert_int_eq(clReleaseCommandQueue(second), CL_SUCCESS);
	ck_assert_int_eq(clReleaseCommandQueue(third), CL_SUCCESS);
}
END_TEST

START_TEST(forks__a_child_starts_afresh)
{
	cl_mem mem, alive;
	int status = 1;
	pid_t child;

	begin(0, LOOK);
	mem = make(BYTES);
	alive = make(BYTES);
	drop(mem);
	child = fork();
	if (child == 0) {
		/* Not the child's to judge; then one of its own. */
		clGetMemObjectInfo(mem, CL_MEM_SIZE, 0, NULL, NULL);
		clRetainMemObject(alive);
		mem = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL,
				     NULL);
		clReleaseMemObject(mem);
		_exit(clReleaseMemObject(mem) != CL_INVALID_MEM_OBJECT);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	look_in(child);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_uint_eq(found.entries[0].kind, CLAW_FOUND_RELEASE_RELEASED);
	ck_assert_nothing_found();
	drop(alive);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("life");
	TCase *tcase = tcase_create("notice");

	tcase_set_timeout(tcase, TIMEOUT_S);
	tcase_add_loop_test(tcase, notice__a_destructor_is_called_at_once,
			    0, driver_count);
	tcase_add_loop_test(tcase, notice__reference_counts_are_right, 0,
			    driver_count);
	tcase_add_loop_test(tcase, notice__a_handle_from_a_query_may_be_retained,
			    0, driver_count);
	tcase_add_loop_test(tcase,
		notice__an_address_is_given_again_and_is_a_new_object, 0,
		driver_count);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("answers");
	tcase_set_timeout(tcase, TIMEOUT_S);
	tcase_add_loop_test(tcase,
		answers__a_second_release_never_reaches_the_driver, 0,
		driver_count);
	tcase_add_loop_test(tcase,
		answers__a_protected_driver_gets_nothing_wrong, 0,
		driver_count);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("threads");
	tcase_set_timeout(tcase, TIMEOUT_S);
	tcase_add_test(tcase, threads__counts_are_exact);
	tcase_add_test(tcase, forks__a_child_starts_afresh);
	tcase_add_loop_test(tcase,
		events__more_than_are_followed_make_no_finding, 0,
		driver_count);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run(make_suite);
}
