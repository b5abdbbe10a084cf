/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which captured calls need which, and what is left of wait lists: on traces
 * made by hand. Real ones are in minimise.test.
 */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "harness/crash/replay/minimise.h"
#include "suites/self/lib/trace_maker.h"
#include "suites/self/lib/run_suite.h"

static struct made_trace made;
static bool keep[MADE_CALLS];
static claw_object_id context, queue, kernel;
static uint32_t build;		/* call, index + 1 */
static const uint64_t words[4] = { 0x11, 0x22, 0x33, 0x44 };

static void setup(void)
{
	struct claw_trace_call *call;
	claw_object_id program;

	made_init(&made, "exit", 0);
	memset(keep, 0, sizeof(keep));
	context = made_create(&made, CLAW_API_clCreateContext, 0);
	queue = made_create(&made, CLAW_API_clCreateCommandQueue, 0);
	made_use(&made.calls[1], "context", context);
	kernel = made_kernel(&made, "kernel void k() {}", "k");
	program = made.objects[kernel - 1].parent;
	made_use(&made.calls[2], "context", context);
	made_use(&made.calls[3], "program", program);
	call = made_call(&made, CLAW_API_clBuildProgram, 0);
	made_use(call, "program", program);
	build = made_number(&made, call);
}

static void teardown(void)
{
	made_release(&made);
}

static uint32_t maker(claw_object_id object)
{
	return made.objects[object - 1].made_by;
}

static bool keeps(uint32_t number)
{
	return keep[number - 1];
}

static void take(uint32_t number)
{
	keep[number - 1] = true;
}

static void keep_all(void)
{
	memset(keep, true, made.trace.call_count);
}

static claw_object_id new_buffer(void)
{
	claw_object_id buffer = made_create(&made, CLAW_API_clCreateBuffer, 64);

	made_use(&made.calls[maker(buffer) - 1], "context", context);
	return buffer;
}

static claw_object_id new_part(claw_object_id buffer)
{
	claw_object_id part = made_create(&made, CLAW_API_clCreateSubBuffer,
					  16);

	made_use(&made.calls[maker(part) - 1], "buffer", buffer);
	return part;
}

static uint32_t new_write(claw_object_id buffer)
{
	struct claw_trace_call *call =
		made_call(&made, CLAW_API_clEnqueueWriteBuffer, 0);

	made_use(call, "command_queue", queue);
	made_use(call, "buffer", buffer);
	return made_number(&made, call);
}

static struct claw_trace_call *new_launch(claw_object_id argument)
{
	struct claw_trace_call *call = made_launch(&made, queue, kernel, 64, 0);

	made_kernel_arg(call, argument);
	return call;
}

/* A marker, and the event that it gives out. */
static claw_object_id new_event(void)
{
	struct claw_trace_call *call =
		made_call(&made, CLAW_API_clEnqueueMarkerWithWaitList, 0);
	claw_object_id event = made_object(&made, call, CLAW_OBJ_EVENT, 0);
	struct claw_trace_arg *arg = made_arg(call, "event");

	call->made = 0;
	made_use(call, "command_queue", queue);
	arg->kind = CLAW_ARG_MADE;
	arg->count = 1;
	arg->objects[0] = event;
	return event;
}

/* A list of count objects, of which each may be 0. */
static struct claw_trace_arg *set_list(struct claw_trace_call *call,
				       const char *name, uint32_t count,
				       claw_object_id a, claw_object_id b,
				       claw_object_id c)
{
	struct claw_trace_arg *list = made_arg(call, name);

	list->kind = CLAW_ARG_OBJECTS;
	list->count = count;
	list->bytes = words;
	list->size = count * sizeof(*words);
	list->objects[0] = a;
	list->objects[1] = b;
	list->objects[2] = c;
	list[-1].word = count;
	return list;
}

/* ---- what is needed --------------------------------------------------- */

START_TEST(add__a_launch_needs_its_makers_and_the_build)
{
	claw_object_id buffer = new_buffer(), other = new_buffer();
	uint32_t launch = made_number(&made, new_launch(buffer));

	take(launch);
	claw_needs_add(&made.trace, false, keep);
	ck_assert(keeps(maker(context)));
	ck_assert(keeps(maker(queue)));
	ck_assert(keeps(maker(kernel)));
	ck_assert(keeps(build));
	ck_assert(keeps(maker(buffer)));
	ck_assert(!keeps(maker(other)));
}
END_TEST

START_TEST(add__writes_only_with_the_data)
{
	claw_object_id buffer = new_buffer(), other = new_buffer();
	uint32_t write = new_write(buffer), elsewhere = new_write(other);

	take(made_number(&made, new_launch(buffer)));
	claw_needs_add(&made.trace, false, keep);
	ck_assert(!keeps(write));
	claw_needs_add(&made.trace, true, keep);
	ck_assert(keeps(write));
	ck_assert(!keeps(elsewhere));
}
END_TEST

START_TEST(add__a_part_needs_its_whole)
{
	claw_object_id buffer = new_buffer(), part = new_part(buffer);

	take(made_number(&made, new_launch(part)));
	claw_needs_add(&made.trace, false, keep);
	ck_assert(keeps(maker(part)));
	ck_assert(keeps(maker(buffer)));
}
END_TEST

START_TEST(add__an_event_needs_its_command)
{
	claw_object_id event = new_event(), other = new_event();
	struct claw_trace_call *launch = new_launch(0);

	set_list(launch, "event_wait_list", 2, 0, event, 0);
	take(made_number(&made, launch));
	claw_needs_add(&made.trace, false, keep);
	ck_assert(keeps(maker(event)));
	ck_assert(!keeps(maker(other)));
}
END_TEST

/* ---- what goes with it ------------------------------------------------ */

START_TEST(drop__a_part_and_its_users_go_with_the_whole)
{
	claw_object_id buffer = new_buffer(), part = new_part(buffer);
	uint32_t launch = made_number(&made, new_launch(part));
	uint32_t null = made_number(&made, new_launch(0));

	keep_all();
	keep[maker(buffer) - 1] = false;
	claw_needs_drop(&made.trace, keep);
	ck_assert(!keeps(maker(part)));
	ck_assert(!keeps(launch));
	ck_assert(keeps(null));
	ck_assert(keeps(maker(kernel)));
}
END_TEST

START_TEST(drop__what_is_older_than_the_trace_is_there)
{
	claw_object_id device = made_object(&made, NULL, CLAW_OBJ_DEVICE, 0);

	made_use(&made.calls[1], "device", device);
	keep_all();
	claw_needs_drop(&made.trace, keep);
	ck_assert(keeps(maker(queue)));
}
END_TEST

START_TEST(drop__a_launch_does_not_go_with_an_event)
{
	claw_object_id event = new_event();
	struct claw_trace_call *launch = new_launch(0);

	set_list(launch, "event_wait_list", 1, event, 0, 0);
	keep_all();
	keep[maker(event) - 1] = false;
	claw_needs_drop(&made.trace, keep);
	ck_assert(keeps(made_number(&made, launch)));
}
END_TEST

START_TEST(drop__a_wait_goes_with_the_last_of_its_events)
{
	claw_object_id a = new_event(), b = new_event();
	struct claw_trace_call *wait =
		made_call(&made, CLAW_API_clWaitForEvents, 0);
	struct claw_trace_call *null =
		made_call(&made, CLAW_API_clWaitForEvents, -58);

	set_list(wait, "event_list", 2, a, b, 0);
	set_list(null, "event_list", 2, a, 0, 0);
	keep_all();
	keep[maker(a) - 1] = false;
	claw_needs_drop(&made.trace, keep);
	ck_assert(keeps(made_number(&made, wait)));
	keep[maker(b) - 1] = false;
	claw_needs_drop(&made.trace, keep);
	ck_assert(!keeps(made_number(&made, wait)));
	ck_assert(keeps(made_number(&made, null)));
}
END_TEST

/* ---- a selection ------------------------------------------------------ */

/* Without the command that gave out the event, the last call's list. */
static struct claw_trace *select_without(claw_object_id event,
					 const char *name,
					 const struct claw_trace_arg **ret_list)
{
	struct claw_trace *selected = NULL;

	keep_all();
	if (event)
		keep[maker(event) - 1] = false;
	selected = claw_trace_select(&made.trace, keep);
	claw_needs_mend(&made.trace, keep, selected);
	*ret_list = made_arg(&selected->calls[selected->call_count - 1], name);
	return selected;
}

START_TEST(mend__a_list_loses_the_event_that_is_gone)
{
	claw_object_id a = new_event(), b = new_event(), c = new_event();
	const struct claw_trace_arg *list;
	struct claw_trace *selected;
	uint64_t left[2];

	set_list(new_launch(0), "event_wait_list", 3, a, b, c);
	selected = select_without(b, "event_wait_list", &list);
	ck_assert_uint_eq(list->count, 2);
	ck_assert_uint_eq(list[-1].word, 2);
	ck_assert_uint_eq(list->size, sizeof(left));
	memcpy(left, list->bytes, sizeof(left));
	ck_assert_uint_eq(left[0], words[0]);
	ck_assert_uint_eq(left[1], words[2]);
	ck_assert_uint_eq(list->objects[0], a);
	ck_assert_uint_eq(list->objects[1], c - 1);
	claw_trace_free(selected);
}
END_TEST

START_TEST(mend__an_empty_list_is_none)
{
	claw_object_id event = new_event();
	const struct claw_trace_arg *list;
	struct claw_trace *selected;

	set_list(new_launch(0), "event_wait_list", 1, event, 0, 0);
	selected = select_without(event, "event_wait_list", &list);
	ck_assert_int_eq(list->kind, CLAW_ARG_NULL);
	ck_assert_uint_eq(list[-1].word, 0);
	claw_trace_free(selected);
}
END_TEST

START_TEST(mend__a_null_of_the_programs_stays)
{
	claw_object_id a = new_event(), b = new_event();
	const struct claw_trace_arg *list;
	struct claw_trace *selected;

	set_list(new_launch(0), "event_wait_list", 3, a, 0, b);
	selected = select_without(a, "event_wait_list", &list);
	ck_assert_uint_eq(list->count, 2);
	ck_assert_uint_eq(list[-1].word, 2);
	ck_assert_uint_eq(list->objects[0], 0);
	ck_assert_uint_eq(list->objects[1], b - 1);
	claw_trace_free(selected);
	selected = select_without(0, "event_wait_list", &list);
	ck_assert_uint_eq(list->count, 3);
	claw_trace_free(selected);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("minimise");
	TCase *tests = tcase_create("minimise");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, add__a_launch_needs_its_makers_and_the_build);
	tcase_add_test(tests, add__writes_only_with_the_data);
	tcase_add_test(tests, add__a_part_needs_its_whole);
	tcase_add_test(tests, add__an_event_needs_its_command);
	tcase_add_test(tests, drop__a_part_and_its_users_go_with_the_whole);
	tcase_add_test(tests, drop__what_is_older_than_the_trace_is_there);
	tcase_add_test(tests, drop__a_launch_does_not_go_with_an_event);
	tcase_add_test(tests, drop__a_wait_goes_with_the_last_of_its_events);
	tcase_add_test(tests, mend__a_list_loses_the_event_that_is_gone);
	tcase_add_test(tests, mend__an_empty_list_is_none);
	tcase_add_test(tests, mend__a_null_of_the_programs_stays);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
