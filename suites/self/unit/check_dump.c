/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces as they are read, made smaller and written again, and dumps: what is
 * whole comes back as it was, what is damaged or cut off anywhere gives the
 * sections that are intact, what is hostile gives an error.
 */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "harness/crash/dump/dump_frame.h"
#include "harness/base/errors.h"
#include "suites/self/lib/dump_maker.h"
#include "suites/self/lib/trace_use.h"
#include "suites/self/lib/run_suite.h"

enum { TIMEOUT_S = 120 };

static struct made_trace made;
static struct claw_trace *trace;
static struct claw_dump *dump;
static char directory[] = "/tmp/check-dump.XXXXXX", path[64];

static void setup(void)
{
	memcpy(directory + sizeof(directory) - 7, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/a.dmp", directory);
	trace = NULL;
	dump = NULL;
}

static void teardown(void)
{
	claw_trace_free(trace);
	claw_dump_free(dump);
	unlink(path);
	ck_assert_int_eq(rmdir(directory), 0);	/* nothing else is there */
}

static void read_made(void)
{
	claw_trace_free(trace);
	trace = made_read(&made);
	ck_assert_ptr_nonnull(trace);
	use_trace(trace);
}

/* The first call of that function from an index on. */
static const struct claw_trace_call *call_of(enum claw_api api, uint32_t from)
{
	for (uint32_t i = from; i < trace->call_count; i++)
		if (trace->calls[i].api == api)
			return &trace->calls[i];
	ck_abort_msg("no call of %s", claw_api_table[api].name);
}

static const struct claw_trace_object *object_of(claw_object_id id)
{
	const struct claw_trace_object *object = claw_trace_object_get(trace,
								       id);

	ck_assert_ptr_nonnull(object);
	return object;
}

/* ---- traces */

START_TEST(trace__a_program_is_read_with_its_objects)
{
	const struct claw_trace_call *launch, *context;

	made_program(&made);
	read_made();
	ck_assert_uint_eq(trace->call_count, 20);
	ck_assert_uint_eq(trace->damaged, 0);
	ck_assert_uint_eq(trace->forgotten, 0);
	ck_assert_uint_eq(trace->trigger, 19);
	context = call_of(CLAW_API_clCreateContext, 0);
	ck_assert_uint_eq(object_of(context->args[0].objects[1])->type,
			  CLAW_OBJ_PLATFORM);
	ck_assert_uint_eq(object_of(context->args[2].objects[0])->handle,
			  MADE_DEVICE);
	launch = call_of(CLAW_API_clEnqueueNDRangeKernel, 0);
	ck_assert_str_eq(claw_trace_kernel_name(trace,
				claw_trace_launched(launch)), "blur");
	ck_assert_uint_eq(launch->kernel_arg_count, 3);
	ck_assert_uint_eq(object_of(launch->kernel_args[0].object)->handle,
			  MADE_BUFFER);
	ck_assert_int_eq(*(const int *)launch->kernel_args[1].value, 7);
	ck_assert(launch->kernel_args[2].is_local);
	ck_assert_uint_eq(launch->kernel_args[2].size, 256);
	ck_assert(!trace->calls[19].returned);
}
END_TEST

static void add_same_launch(uint64_t position)
{
	made_same(&made, MADE_QUEUE, MADE_KERNEL, position);
}

static const struct claw_trace_call *last_call(uint32_t before)
{
	return &trace->calls[trace->call_count - 1 - before];
}

START_TEST(trace__launches_share_their_arguments)
{
	const struct claw_trace_call *first, *call;
	uint64_t position, other;

	made_program(&made);
	read_made();
	position = call_of(CLAW_API_clEnqueueNDRangeKernel, 0)->position;
	other = call_of(CLAW_API_clBuildProgram, 0)->position;
	add_same_launch(position);
	add_same_launch(position);
	/* What is none, and what is no earlier one. */
	add_same_launch(position + 8);
	add_same_launch(made.header.ring_used);
	add_same_launch(other);
	read_made();
	first = call_of(CLAW_API_clEnqueueNDRangeKernel, 0);
	for (uint32_t i = 3; i < 5; i++) {
		call = last_call(i);
		ck_assert_uint_eq(call->kernel_arg_count, 3);
		ck_assert(!call->args_unknown);
		ck_assert_int_eq(*(const int *)call->kernel_args[1].value, 7);
		ck_assert_uint_eq(call->kernel_args[0].object,
				  first->kernel_args[0].object);
	}
	for (uint32_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(last_call(i)->kernel_arg_count, 0);
		ck_assert(last_call(i)->args_unknown);
	}
}
END_TEST

/* Of what is forgotten there is a base; of another kernel's it is none. */
START_TEST(trace__launches_have_forgotten_arguments)
{
	made_program(&made);
	add_same_launch(8);
	add_same_launch(16);
	made_base(&made, MADE_QUEUE, MADE_KERNEL, 8, 7);
	made_base(&made, MADE_QUEUE, MADE_KERNEL + 8, 16, 7);
	read_made();
	ck_assert_uint_eq(trace->call_count, 22);
	ck_assert_uint_eq(trace->damaged, 0);
	ck_assert_uint_eq(trace->forgotten, 0);
	ck_assert(!last_call(1)->args_unknown);
	ck_assert_uint_eq(last_call(1)->kernel_arg_count, 1);
	ck_assert_int_eq(*(const int *)last_call(1)->kernel_args[0].value, 7);
	ck_assert(last_call(0)->args_unknown);
}
END_TEST

/* Of the first version, which has no such launches. */
START_TEST(trace__first_version_is_read)
{
	made_program(&made);
	made.header.version = 1;
	read_made();
	ck_assert_uint_eq(trace->call_count, 20);
	ck_assert_uint_eq(call_of(CLAW_API_clEnqueueNDRangeKernel, 0)
			  ->kernel_arg_count, 3);
}
END_TEST

START_TEST(trace__what_it_points_at_is_told)
{
	const struct claw_trace_call *call;

	made_program(&made);
	read_made();
	call = call_of(CLAW_API_clBuildProgram, 0);
	ck_assert_str_eq(call->args[3].bytes, "-DN=4");
	call = call_of(CLAW_API_clCreateProgramWithSource, 0);
	ck_assert_int_eq(call->args[2].kind, CLAW_ARG_TEXTS);
	ck_assert_int_eq(memcmp(trace->contents[call->args[2].contents[0] - 1]
				.bytes, "kernel void", 11), 0);
	call = call_of(CLAW_API_clEnqueueReadBuffer, 0);
	ck_assert_int_eq(call->args[5].kind, CLAW_ARG_OUT);
	ck_assert_uint_eq(call->args[5].size, 64);
	ck_assert_int_eq(object_of(call->args[7].objects[0])->type,
			 CLAW_OBJ_EVENT);
	call = call_of(CLAW_API_clEnqueueSVMMemcpy, 0);
	ck_assert_int_eq(call->args[2].kind, CLAW_ARG_SVM);
	ck_assert_uint_eq(call->args[2].word, 64);
	ck_assert_int_eq(call->args[3].kind, CLAW_ARG_CONTENT);
	call = call_of(CLAW_API_clEnqueueUnmapMemObject, 0);
	ck_assert_int_eq(call->args[2].kind, CLAW_ARG_MAPPED);
	ck_assert_uint_eq(call->args[2].contents[0] != 0, true);
}
END_TEST

/* The second buffer goes, and another one gets its address. */
START_TEST(trace__a_handle_that_comes_again_is_another_object)
{
	const struct claw_trace_call *first, *second, *use;

	made_program(&made);
	read_made();
	first = &trace->calls[6];
	second = call_of(CLAW_API_clCreateBuffer, 7);
	use = call_of(CLAW_API_clEnqueueReadBuffer, second->number);
	ck_assert_uint_ne(first->made, second->made);
	ck_assert_uint_eq(object_of(first->made)->handle, MADE_SECOND);
	ck_assert_uint_eq(object_of(second->made)->handle, MADE_SECOND);
	ck_assert_uint_eq(object_of(first->made)->gone_by, 16);
	ck_assert_uint_eq(object_of(second->made)->gone_by, 0);
	ck_assert_uint_eq(use->args[1].objects[0], second->made);
	ck_assert_uint_eq(trace->calls[15].args[0].objects[0], first->made);
}
END_TEST

/* Another thread gets the address while the release has not come back: it was
 * claimed before, by its ticks it is after. */
START_TEST(trace__ticks_tell_what_positions_do_not)
{
	struct claw_trace_record *create, *release, *use;

	made_trace_init(&made);
	MADE_CALL(&made, clCreateBuffer, 0x100, 1, 64, 0, 0);
	made_end(&made, 0, 0x500);			/* ticks 1 to 2 */
	MADE_CALL(&made, clCreateBuffer, 0x100, 1, 32, 0, 0);
	made_end(&made, 0, 0x500);
	create = made.last;
	MADE_CALL(&made, clReleaseMemObject, 0x500);
	made_end(&made, 0, 0);
	release = made.last;
	MADE_CALL(&made, clFlush, 0x500);
	made_end(&made, 0, 0);
	MADE_CALL(&made, clReleaseMemObject, 0x500);
	made_end(&made, 0, 0);
	use = made.last;
	create->thread = 2;
	create->ticks = 5;
	create->end_ticks = 8;
	release->ticks = 4;
	release->end_ticks = 10;
	use->ticks = 9;
	use->end_ticks = 11;
	create->check = claw_trace_record_check(create);
	release->check = claw_trace_record_check(release);
	use->check = claw_trace_record_check(use);
	read_made();
	ck_assert_uint_eq(trace->damaged, 0);
	ck_assert_uint_eq(trace->calls[2].args[0].objects[0],
			  trace->calls[0].made);
	ck_assert_uint_eq(trace->calls[4].args[0].objects[0],
			  trace->calls[1].made);
	ck_assert_uint_eq(object_of(trace->calls[0].made)->gone_by, 3);
	ck_assert_uint_eq(object_of(trace->calls[1].made)->gone_by, 5);
	/* No queue has this handle: it is none of the buffers. */
	ck_assert_uint_eq(trace->calls[3].args[0].objects[0], 0);
	ck_assert_uint_eq(trace->calls[3].args[0].word, 0x500);
}
END_TEST

START_TEST(trace__references_and_children_keep_an_object)
{
	claw_object_id context;

	made_trace_init(&made);
	MADE_CALL(&made, clCreateContext, 0, 0, 0, 0, 0, 0);
	made_end(&made, 0, 0x100);
	MADE_CALL(&made, clCreateCommandQueue, 0x100, 0x20, 0, 0);
	made_end(&made, 0, 0x200);
	MADE_CALL(&made, clRetainContext, 0x100);
	made_end(&made, 0, 0);
	MADE_CALL(&made, clReleaseContext, 0x100);
	made_end(&made, 0, 0);
	MADE_CALL(&made, clReleaseContext, 0x100);
	made_end(&made, 0, 0);
	MADE_CALL(&made, clReleaseCommandQueue, 0x200);
	made_end(&made, 0, 0);
	MADE_CALL(&made, clReleaseContext, 0x100);	/* once too often */
	made_end(&made, CL_INVALID_CONTEXT, 0);
	MADE_CALL(&made, clCreateBuffer, 0x100, 1, 64, 0, 0);
	made_end(&made, 0, 0x500);
	MADE_CALL(&made, clRetainMemObject, 0x500);
	made_end(&made, 0, 0);
	MADE_CALL(&made, clReleaseMemObject, 0x500);
	made_end(&made, 0, 0);
	read_made();
	ck_assert_uint_eq(object_of(trace->calls[7].made)->gone_by, 0);
	context = trace->calls[0].made;
	ck_assert_uint_eq(object_of(trace->calls[1].made)->parent, context);
	ck_assert_uint_eq(object_of(trace->calls[1].made)->gone_by, 6);
	ck_assert_uint_eq(object_of(context)->gone_by, 6);
	/* What it was is still told. */
	ck_assert_uint_eq(trace->calls[6].args[0].objects[0], context);
}
END_TEST

START_TEST(trace__a_ring_that_came_round_has_the_live_ones)
{
	const struct claw_trace_call *launch;

	made_program(&made);
	made_forget(&made);
	made_commands(&made);
	read_made();
	ck_assert_uint_eq(trace->call_count, 10);
	ck_assert_uint_eq(trace->first_ring_call, 6);
	ck_assert_uint_eq(trace->forgotten, 20);
	ck_assert_uint_eq(trace->damaged, 0);
	ck_assert(trace->calls[5].kept && !trace->calls[6].kept);
	launch = call_of(CLAW_API_clEnqueueNDRangeKernel, 6);
	ck_assert_uint_eq(launch->kernel_args[0].object, trace->calls[5].made);
	ck_assert_str_eq(claw_trace_kernel_name(trace,
				claw_trace_launched(launch)), "blur");
}
END_TEST

START_TEST(trace__the_first_content_is_known_until_it_is_changed)
{
	const struct claw_trace_object *buffer;
	struct claw_trace_slot *slot = (void *)made.slots[5];

	made_program(&made);
	made_forget(&made);
	made_commands(&made);
	read_made();
	buffer = object_of(trace->calls[5].made);
	ck_assert_uint_ne(buffer->first_content, 0);
	ck_assert_uint_eq(trace->contents[buffer->first_content - 1].length,
			  128);
	/* A kernel wrote to it before the ring begins, and within it. */
	slot->changed_position = slot->content_position + 8;
	read_made();
	buffer = object_of(trace->calls[5].made);
	ck_assert_uint_eq(buffer->first_content, 0);
	ck_assert(buffer->first_content_lost);
	slot->changed_position = made.last->position;
	read_made();
	buffer = object_of(trace->calls[5].made);
	ck_assert_uint_ne(buffer->first_content, 0);
	ck_assert(!buffer->first_content_lost);
}
END_TEST

START_TEST(trace__a_torn_record_is_counted_and_left_out)
{
	made_program(&made);
	made.last->check ^= 1;
	((struct claw_trace_slot *)(void *)made.slots[0])->owner ^= 1;
	read_made();
	ck_assert_uint_eq(trace->call_count, 19);
	ck_assert_uint_eq(trace->damaged, 2);
	ck_assert_uint_eq(trace->forgotten, 1);
}
END_TEST

/* Of bytes that end anywhere nothing is read behind their end (ASan). */
START_TEST(trace__it_may_end_anywhere)
{
	const size_t ring = MADE_TRACE_BYTES - MADE_RING_BYTES / 2;
	uint32_t calls = 0;

	made_program(&made);
	for (size_t cut = 0; cut < ring + 4096; cut += cut < ring ? 97 : 1) {
		struct claw_trace *part = NULL;
		unsigned char *bytes = malloc(cut + 1);
		int ret;

		memcpy(bytes, &made, cut);
		bytes = realloc(bytes, cut ? cut : 1);
		ret = claw_trace_read_memory(bytes, cut, made.contents,
					     made.contents_used, NULL, NULL,
					     &part);
		ck_assert_int_eq(ret, cut < sizeof(made.header) ?
				 -CLAW_E_DAMAGED : 0);
		if (part) {
			use_trace(part);
			if (part->call_count > calls)
				calls = part->call_count;
		}
		claw_trace_free(part);
		free(bytes);
	}
	ck_assert_uint_eq(calls, 20);
}
END_TEST

/* ---- made smaller, written, read again */

static void same_arg(const struct claw_trace_arg *a,
		     const struct claw_trace_arg *b)
{
	ck_assert_int_eq(a->kind, b->kind);
	ck_assert_uint_eq(a->word, b->word);
	ck_assert_uint_eq(a->count, b->count);
	ck_assert_uint_eq(a->size, b->size);
	ck_assert_int_eq(!a->bytes, !b->bytes);
	ck_assert_int_eq(!a->objects, !b->objects);
	ck_assert_int_eq(!a->contents, !b->contents);
	if (a->bytes)
		ck_assert_int_eq(memcmp(a->bytes, b->bytes, a->size), 0);
	for (uint32_t i = 0; a->objects && i < a->count; i++)
		ck_assert_uint_eq(a->objects[i], b->objects[i]);
	for (uint32_t i = 0; a->contents && i < a->count; i++)
		ck_assert_uint_eq(a->contents[i], b->contents[i]);
}

static void same_kernel_arg(const struct claw_trace_kernel_arg *a,
			    const struct claw_trace_kernel_arg *b)
{
	ck_assert_uint_eq(a->index, b->index);
	ck_assert_uint_eq(a->object, b->object);
	ck_assert_uint_eq(a->offset, b->offset);
	ck_assert_uint_eq(a->size, b->size);
	ck_assert_uint_eq(a->before, b->before);
	ck_assert(a->is_local == b->is_local && a->is_svm == b->is_svm &&
		  a->is_null == b->is_null && !a->value == !b->value);
	if (a->value)
		ck_assert_int_eq(memcmp(a->value, b->value, a->size), 0);
}

static void same_call(const struct claw_trace_call *a,
		      const struct claw_trace_call *b)
{
	ck_assert_int_eq(a->api, b->api);
	ck_assert_uint_eq(a->number, b->number);
	ck_assert_uint_eq(a->ordinal, b->ordinal);
	ck_assert_uint_eq(a->thread, b->thread);
	ck_assert_uint_eq(a->site, b->site);
	ck_assert_uint_eq(a->flags, b->flags);
	ck_assert_int_eq(a->result, b->result);
	ck_assert(a->returned == b->returned && a->kept == b->kept &&
		  a->args_unknown == b->args_unknown);
	ck_assert_uint_eq(a->begin_ticks, b->begin_ticks);
	ck_assert_uint_eq(a->end_ticks, b->end_ticks);
	ck_assert_uint_eq(a->made, b->made);
	ck_assert_uint_eq(a->arg_count, b->arg_count);
	for (uint32_t i = 0; i < a->arg_count; i++)
		same_arg(&a->args[i], &b->args[i]);
	ck_assert_uint_eq(a->kernel_arg_count, b->kernel_arg_count);
	for (uint32_t i = 0; i < a->kernel_arg_count; i++)
		same_kernel_arg(&a->kernel_args[i], &b->kernel_args[i]);
}

static void same_object(const struct claw_trace_object *a,
			const struct claw_trace_object *b)
{
	ck_assert_int_eq(a->type, b->type);
	ck_assert_uint_eq(a->handle, b->handle);
	ck_assert_uint_eq(a->made_by, b->made_by);
	ck_assert_uint_eq(a->gone_by, b->gone_by);
	ck_assert_uint_eq(a->parent, b->parent);
	ck_assert_uint_eq(a->bytes, b->bytes);
	ck_assert_uint_eq(a->first_content, b->first_content);
	ck_assert(a->first_content_lost == b->first_content_lost);
}

/* But for positions, which are where it lies. */
static void same_trace(const struct claw_trace *a, const struct claw_trace *b)
{
	ck_assert_uint_eq(a->call_count, b->call_count);
	ck_assert_uint_eq(a->object_count, b->object_count);
	ck_assert_uint_eq(a->content_count, b->content_count);
	ck_assert_uint_eq(a->first_ring_call, b->first_ring_call);
	ck_assert_uint_eq(a->forgotten, b->forgotten);
	ck_assert_uint_eq(b->damaged, 0);
	ck_assert_uint_eq(a->trigger, b->trigger);
	ck_assert(a->redacted == b->redacted && a->buffers == b->buffers);
	for (uint32_t i = 0; i < a->call_count; i++)
		same_call(&a->calls[i], &b->calls[i]);
	for (uint32_t i = 0; i < a->object_count; i++)
		same_object(&a->objects[i], &b->objects[i]);
	for (uint32_t i = 0; i < a->content_count; i++) {
		const struct claw_trace_bytes *c = &a->contents[i];

		ck_assert_uint_eq(c->length, b->contents[i].length);
		ck_assert_int_eq(!c->bytes, !b->contents[i].bytes);
		if (c->bytes)
			ck_assert_int_eq(memcmp(c->bytes, b->contents[i].bytes,
						c->length), 0);
	}
}

/* What is in a dump of it. */
static void write_and_read(const struct claw_trace *what)
{
	struct claw_dump_writer *writer;

	claw_dump_free(dump);
	dump = NULL;
	ck_assert_int_eq(claw_dump_writer_new(path, "", &writer), 0);
	ck_assert_int_eq(claw_dump_write_trace(writer, what), 0);
	ck_assert_int_eq(claw_dump_writer_finish(writer), 0);
	ck_assert_int_eq(claw_dump_read(path, NULL, &dump), 0);
	ck_assert(dump->whole);
	ck_assert_ptr_nonnull(dump->trace);
}

START_TEST(write__a_trace_comes_back_as_it_was)
{
	made_program(&made);
	read_made();
	write_and_read(trace);
	same_trace(trace, dump->trace);
}
END_TEST

/* With the content that was in the buffer, and without. */
START_TEST(write__kept_calls_come_back_as_kept)
{
	made_program(&made);
	if (_i)
		((struct claw_trace_slot *)(void *)made.slots[5])
			->changed_position = made.last->position;
	made_forget(&made);
	made_commands(&made);
	read_made();
	ck_assert_int_eq(!object_of(trace->calls[5].made)->first_content, _i);
	write_and_read(trace);
	same_trace(trace, dump->trace);
}
END_TEST

/* Longer than what a record holds: a content of its own. */
START_TEST(write__long_arguments_come_back)
{
	static char options[8000];
	uint64_t events[600];

	memset(options, 'x', sizeof(options) - 1);
	made_trace_init(&made);
	MADE_CALL(&made, clBuildProgram, 0x300, 0, 0, 0x7ff0, 0, 0);
	made_bytes(&made, 3, options, 3000);
	made_end(&made, 0, 0);
	for (uint64_t i = 0; i < 500; i++) {
		MADE_CALL(&made, clCreateUserEvent, 0x100, 0);
		events[i] = 0x10000 + i * 16;
		made_end(&made, 0, events[i]);
	}
	MADE_CALL(&made, clWaitForEvents, 480, 0x7ff0);
	made_bytes(&made, 1, events, 480 * 8);
	made_end(&made, 0, 0);
	read_made();
	ck_assert_uint_eq(trace->calls[501].args[1].objects[479],
			  trace->calls[480].made);
	write_and_read(trace);
	/* Whether a content or not, the arguments are the same. */
	for (uint32_t i = 0; i < trace->call_count; i++)
		same_call(&trace->calls[i], &dump->trace->calls[i]);
}
END_TEST

START_TEST(select__what_is_left_refers_to_what_is_left)
{
	struct claw_trace *some = NULL;
	bool keep[20];

	made_program(&made);
	read_made();
	for (unsigned int i = 0; i < 20; i++)
		keep[i] = true;
	keep[6] = keep[11] = keep[15] = false;	/* a buffer, shared memory */
	some = claw_trace_select(trace, keep);
	use_trace(some);
	ck_assert_uint_eq(some->call_count, 17);
	ck_assert_uint_eq(some->object_count, trace->object_count - 2);
	/* SVMMemcpy into what is not made any more. */
	ck_assert_int_eq(some->calls[10].api, CLAW_API_clEnqueueSVMMemcpy);
	ck_assert_uint_eq(some->calls[10].args[2].objects[0], 0);
	ck_assert_uint_eq(some->trigger, 16);
	ck_assert_str_eq(claw_trace_kernel_name(some,
			 claw_trace_launched(&some->calls[7])), "blur");
	write_and_read(some);
	ck_assert_uint_eq(dump->trace->call_count, 17);
	ck_assert_uint_eq(dump->trace->object_count, some->object_count);
	ck_assert_uint_eq(dump->trace->content_count, some->content_count);
	claw_trace_free(some);
	keep[5] = false;	/* the kernel's buffer */
	some = claw_trace_select(trace, keep);
	ck_assert_uint_eq(some->calls[6].kernel_arg_count, 3);
	ck_assert_uint_eq(some->calls[6].kernel_args[0].object, 0);
	claw_trace_free(some);
}
END_TEST

START_TEST(select__contents_that_nothing_needs_are_left_out)
{
	struct claw_trace *some = NULL;
	bool keep[20] = { true, true };

	made_program(&made);
	read_made();
	some = claw_trace_select(trace, keep);
	ck_assert_uint_eq(some->call_count, 2);
	ck_assert_uint_eq(some->content_count, 0);
	ck_assert_uint_eq(some->object_count, 4);	/* and its device */
	claw_trace_free(some);
}
END_TEST

/* A trace that nobody measured, whose objects all have one handle. */
START_TEST(write__it_needs_neither_ticks_nor_handles)
{
	static claw_object_id first = 1, second = 2;
	static struct claw_trace_call calls[] = {
		{ .api = CLAW_API_clCreateUserEvent, .number = 1,
		  .returned = true, .made = 1, .arg_count = 2,
		  .args[1] = { .kind = CLAW_ARG_NULL } },
		{ .api = CLAW_API_clCreateUserEvent, .number = 2,
		  .returned = true, .made = 2, .arg_count = 2,
		  .args[1] = { .kind = CLAW_ARG_NULL } },
		{ .api = CLAW_API_clReleaseEvent, .number = 3,
		  .returned = true, .arg_count = 1,
		  .args[0] = { .kind = CLAW_ARG_OBJECT, .count = 1,
			       .objects = &first } },
		{ .api = CLAW_API_clReleaseEvent, .number = 4,
		  .returned = true, .arg_count = 1,
		  .args[0] = { .kind = CLAW_ARG_OBJECT, .count = 1,
			       .objects = &second } },
	};
	static struct claw_trace_object objects[] = {
		{ .type = CLAW_OBJ_EVENT, .handle = 16, .made_by = 1,
		  .gone_by = 3 },
		{ .type = CLAW_OBJ_EVENT, .handle = 16, .made_by = 2,
		  .gone_by = 4 },
	};
	const struct claw_trace bare = {
		.calls = calls, .call_count = 4,
		.objects = objects, .object_count = 2,
	};

	write_and_read(&bare);
	ck_assert_uint_eq(dump->trace->calls[2].args[0].objects[0], 1);
	ck_assert_uint_eq(dump->trace->calls[3].args[0].objects[0], 2);
	ck_assert_uint_eq(dump->trace->objects[0].gone_by, 3);
	ck_assert_uint_eq(dump->trace->objects[1].gone_by, 4);
}
END_TEST

/* ---- dumps */

/* All of a file; the caller frees it. */
static unsigned char *read_file(size_t *ret_size)
{
	FILE *file = fopen(path, "rb");
	struct stat st;
	unsigned char *bytes;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fstat(fileno(file), &st), 0);
	bytes = malloc((size_t)st.st_size + 1);
	ck_assert_uint_eq(fread(bytes, 1, (size_t)st.st_size, file),
			  (size_t)st.st_size);
	fclose(file);
	*ret_size = (size_t)st.st_size;
	return bytes;
}

static void make_dump(int (*more)(struct claw_dump_writer *writer, void *user))
{
	made_program(&made);
	ck_assert_int_eq(made_dump(&made, path, more, NULL), 0);
}

START_TEST(dump__what_was_written_is_read)
{
	unsigned char *bytes;
	struct stat st;
	size_t size;

	make_dump(NULL);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0600);
	ck_assert_int_eq(claw_dump_read(path, NULL, &dump), 0);
	ck_assert(dump->whole);
	ck_assert_uint_eq(dump->damaged, 0);
	ck_assert_int_eq(json_integer_value(json_object_get(dump->meta,
							    "pid")), 4711);
	ck_assert_ptr_nonnull(json_object_get(dump->sites, "1"));
	ck_assert_str_eq(dump->err, "CL_OUT_OF_RESOURCES\n");
	ck_assert_uint_eq(dump->err_size, 20);
	ck_assert_ptr_null(dump->out);
	read_made();
	same_trace(trace, dump->trace);
	ck_assert_uint_eq(dump->part_count, 9);
	ck_assert_int_eq(dump->parts[0].section, CLAW_DUMP_META);
	ck_assert_int_eq(dump->parts[8].section, CLAW_DUMP_END);
	bytes = read_file(&size);
	bytes[size] = '\0';
	ck_assert_int_eq(memcmp(bytes, "OPENCLAW DUMP 1\nprogram: /bin/made\n",
				35), 0);
	free(bytes);
}
END_TEST

/* Of a file and of bytes the same is read. */
START_TEST(dump__a_section_larger_than_a_chunk_comes_back)
{
	enum { MANY = 3 << 20 };
	struct claw_dump_writer *writer;
	unsigned char *noise = malloc(MANY), *bytes;
	uint32_t state = 1;
	size_t size;

	for (size_t i = 0; i < MANY; i++) {
		state = state * 1664525u + 1013904223u;
		noise[i] = i < MANY / 2 ? (unsigned char)(state >> 24) : 7;
	}
	ck_assert_int_eq(claw_dump_writer_new(path, "x", &writer), 0);
	claw_dump_write(writer, CLAW_DUMP_LEDGER, noise, MANY);
	claw_dump_write(writer, CLAW_DUMP_FOUND, noise, 0);
	ck_assert_int_eq(claw_dump_writer_finish(writer), 0);
	bytes = read_file(&size);
	ck_assert_uint_lt(size, MANY);
	for (unsigned int from_file = 0; from_file < 2; from_file++) {
		ck_assert_int_eq(from_file ? claw_dump_read(path, NULL, &dump) :
			claw_dump_read_memory(bytes, size, NULL, &dump), 0);
		ck_assert(dump->whole);
		ck_assert_uint_eq(dump->ledger_size, MANY);
		ck_assert_int_eq(memcmp(dump->ledger, noise, MANY), 0);
		ck_assert_uint_eq(dump->found_size, 0);
		claw_dump_free(dump);
		dump = NULL;
	}
	free(bytes);
	free(noise);
}
END_TEST

/* How many sections of that dump are intact, and of each what it says. */
static size_t use_dump(const unsigned char *bytes, size_t size,
		       uint32_t least_damaged)
{
	struct claw_dump *part = NULL;
	size_t intact = 0;
	int ret = claw_dump_read_memory(bytes, size, NULL, &part);

	if (ret != 0) {
		ck_assert_int_eq(ret, -CLAW_E_DAMAGED);
		return 0;
	}
	ck_assert(!part->whole);
	ck_assert_uint_ge(part->damaged, least_damaged);
	for (size_t i = 0; i < part->part_count; i++)
		intact += part->parts[i].intact;
	if (part->err)
		ck_assert_str_eq(part->err, "CL_OUT_OF_RESOURCES\n");
	if (part->trace) {
		use_trace(part->trace);
		ck_assert_uint_eq(part->trace->call_count, 20);
	}
	claw_dump_free(part);
	return intact;
}

/* What is before the cut is read. */
START_TEST(dump__it_may_be_cut_off_at_every_byte)
{
	unsigned char *bytes;
	size_t size, before = 0;

	make_dump(NULL);
	bytes = read_file(&size);
	for (size_t cut = 0; cut < size; cut++) {
		/* Of exactly that size, for the sanitizers. */
		unsigned char *part = malloc(cut ? cut : 1);
		size_t intact;

		memcpy(part, bytes, cut);
		intact = use_dump(part, cut, 0);
		ck_assert_uint_ge(intact, before);
		before = intact;
		free(part);
	}
	ck_assert_uint_eq(before, 8);	/* all but the end */
	free(bytes);
}
END_TEST

/* One byte is another: one section is lost, or it is the text. */
START_TEST(dump__every_byte_may_be_damaged)
{
	static const size_t first_line = sizeof(CLAW_DUMP_FIRST_LINE) - 1;
	const unsigned char *text_end;
	unsigned char *bytes;
	size_t size;

	make_dump(NULL);
	bytes = read_file(&size);
	text_end = memmem(bytes, size, CLAW_DUMP_SYNC, CLAW_DUMP_SYNC_BYTES);
	for (size_t at = (size_t)(text_end - bytes); at < size; at++) {
		bytes[at] ^= 0x55;
		ck_assert_uint_ge(use_dump(bytes, size, 1), 8);
		bytes[at] ^= 0x55;
	}
	/* Its first line: another version, or damaged. */
	for (size_t at = 0; at < first_line; at++) {
		int ret;

		bytes[at] ^= 0x55;
		ret = claw_dump_read_memory(bytes, size, NULL, &dump);
		ck_assert_int_eq(ret, at < sizeof(CLAW_DUMP_FIRST_WORD) - 1 ?
				 0 : -CLAW_E_VERSION);
		if (ret == 0) {
			ck_assert_uint_eq(dump->damaged, 1);
			ck_assert_uint_eq(dump->trace->call_count, 20);
		}
		claw_dump_free(dump);
		dump = NULL;
		bytes[at] ^= 0x55;
	}
	free(bytes);
}
END_TEST

/* Does a header begin in these bytes, or are they in the middle of one? */
static bool has_header(const unsigned char *bytes, size_t at, size_t size)
{
	size_t start = at - sizeof(struct claw_dump_frame);

	return memmem(bytes + start, sizeof(struct claw_dump_frame) + size +
		      CLAW_DUMP_SYNC_BYTES, CLAW_DUMP_SYNC,
		      CLAW_DUMP_SYNC_BYTES);
}

/* Bytes that are gone or too many in the middle move all that is behind. */
START_TEST(dump__sections_behind_a_gap_are_found)
{
	unsigned char *bytes;
	size_t size;

	make_dump(NULL);
	bytes = read_file(&size);
	for (size_t at = 120; at + 64 < size; at += 13) {
		unsigned char *part = malloc(size + 16);

		memcpy(part, bytes, at);
		memcpy(part + at, bytes + at + 16, size - at - 16);
		ck_assert_uint_ge(use_dump(part, size - 16, 1),
				  has_header(bytes, at, 16) ? 7 : 8);
		memset(part + at, 0xa5, 16);
		memcpy(part + at + 16, bytes + at, size - at);
		ck_assert_uint_ge(use_dump(part, size + 16, 1), 8);
		free(part);
	}
	free(bytes);
}
END_TEST

/* A whole frame is gone, or one behind the end: nothing else is wrong. */
START_TEST(dump__the_end_knows_how_many_there_were)
{
	unsigned char *bytes, *second, *third, *last;
	size_t size, length;

	make_dump(NULL);
	bytes = read_file(&size);
	bytes = realloc(bytes, size * 2);
	second = memmem(bytes, size, CLAW_DUMP_SYNC, CLAW_DUMP_SYNC_BYTES);
	second = memmem(second + 1, size - (size_t)(second + 1 - bytes),
			CLAW_DUMP_SYNC, CLAW_DUMP_SYNC_BYTES);
	third = memmem(second + 1, size - (size_t)(second + 1 - bytes),
		       CLAW_DUMP_SYNC, CLAW_DUMP_SYNC_BYTES);
	length = (size_t)(third - second);
	memcpy(bytes + size, second, length);
	ck_assert_uint_ge(use_dump(bytes, size + length, 0), 9);
	last = bytes + size - length;
	memmove(second, third, (size_t)(last + length - third));
	ck_assert_uint_eq(use_dump(bytes, size - length, 0), 8);
	free(bytes);
}
END_TEST

START_TEST(dump__what_is_none_is_damaged)
{
	static const char *const others[] = {
		"", "OPENCLAW", "hello\n", "OPENCLAW DUMP",
		("\x7f" "ELF...."),
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		ck_assert_int_ne(claw_dump_read_memory(others[i],
				 strlen(others[i]), NULL, &dump), 0);
	ck_assert_int_eq(claw_dump_read_memory("OPENCLAW DUMP 2\nx", 17, NULL,
					       &dump), -CLAW_E_VERSION);
	ck_assert_int_eq(claw_dump_read("/proc/nonexistent", NULL, &dump),
			 -CLAW_E_IO);
	/* Nothing but the text: a dump without sections. */
	ck_assert_int_eq(claw_dump_read_memory(CLAW_DUMP_FIRST_LINE,
			 strlen(CLAW_DUMP_FIRST_LINE), NULL, &dump), 0);
	ck_assert(!dump->whole);
	ck_assert_uint_eq(json_object_size(dump->meta), 0);
}
END_TEST

/* ---- hostile dumps */

/* A dump of one frame, which says what it likes, but with right checks. */
static unsigned char *make_frame(struct claw_dump_frame frame,
				 const void *stored, size_t *ret_size)
{
	size_t line = strlen(CLAW_DUMP_FIRST_LINE);
	unsigned char *bytes = malloc(line + sizeof(frame) + frame.stored);

	memcpy(frame.sync, CLAW_DUMP_SYNC, sizeof(frame.sync));
	frame.endian = CLAW_JOURNAL_ENDIAN;
	frame.number = 1;
	frame.stored_check = (uint32_t)crc32_z(0, stored, frame.stored);
	frame.check = claw_dump_frame_check(&frame);
	memcpy(bytes, CLAW_DUMP_FIRST_LINE, line);
	memcpy(bytes + line, &frame, sizeof(frame));
	memcpy(bytes + line + sizeof(frame), stored, frame.stored);
	*ret_size = line + sizeof(frame) + frame.stored;
	return bytes;
}

/* Says it is 1 TiB, and is 5 bytes. */
START_TEST(hostile__a_size_that_is_not_there_is_an_error)
{
	static const struct claw_dump_limits limits = {
		.max_bytes = UINT64_C(2) << 40,
	};
	size_t size;
	unsigned char *bytes = make_frame((struct claw_dump_frame) {
		.section = CLAW_DUMP_LEDGER, .stored = 5,
		.bytes = UINT64_C(1) << 40,
	}, "bytes", &size);

	ck_assert_int_eq(claw_dump_read_memory(bytes, size, NULL, &dump),
			 -CLAW_E_LIMIT);
	/* Even where so much is allowed, it is not taken first. */
	ck_assert_int_eq(claw_dump_read_memory(bytes, size, &limits, &dump), 0);
	ck_assert_uint_eq(dump->damaged, 1);
	ck_assert_ptr_null(dump->ledger);
	free(bytes);
}
END_TEST

/* So many zeros, packed, that say that they are others. */
static unsigned char *make_zeros(size_t many, uint64_t said, size_t *ret_size)
{
	void *zeros = calloc(1, many);
	size_t room = ZSTD_compressBound(many);
	void *packed = malloc(room);
	size_t length = ZSTD_compress(packed, room, zeros, many, 3);
	unsigned char *bytes = make_frame((struct claw_dump_frame) {
		.section = CLAW_DUMP_LEDGER, .flags = CLAW_DUMP_ZSTD,
		.stored = length, .bytes = said,
	}, packed, ret_size);

	ck_assert_uint_lt(length, 16 << 10);
	free(packed);
	free(zeros);
	return bytes;
}

static unsigned char *make_small(uint64_t said, size_t *ret_size)
{
	return make_zeros(60, said, ret_size);
}

/* 64 MiB of nothing in 6 KiB. */
static unsigned char *make_bomb(uint64_t said, size_t *ret_size)
{
	return make_zeros(64 << 20, said, ret_size);
}

START_TEST(hostile__what_is_packed_is_no_larger_than_it_says)
{
	static const uint64_t said[] = {
		0, 1, 4096, (64 << 20) - 1, (64 << 20) + 1, 100 << 20,
	};
	static const struct claw_dump_limits limits = { .max_bytes = 1 << 20 };
	unsigned char *bytes;
	size_t size;

	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++) {
		bytes = make_bomb(said[i], &size);
		ck_assert_int_eq(claw_dump_read_memory(bytes, size, NULL,
						       &dump), 0);
		ck_assert_uint_eq(dump->damaged, 1);
		ck_assert_ptr_null(dump->ledger);
		claw_dump_free(dump);
		dump = NULL;
		free(bytes);
	}
	bytes = make_small(61, &size);
	ck_assert_int_eq(claw_dump_read_memory(bytes, size, NULL, &dump), 0);
	ck_assert_uint_eq(dump->damaged, 1);
	claw_dump_free(dump);
	dump = NULL;
	free(bytes);
	bytes = make_small(60, &size);
	ck_assert_int_eq(claw_dump_read_memory(bytes, size, NULL, &dump), 0);
	ck_assert_uint_eq(dump->ledger_size, 60);
	claw_dump_free(dump);
	dump = NULL;
	free(bytes);
	bytes = make_bomb(64 << 20, &size);
	ck_assert_int_eq(claw_dump_read_memory(bytes, size, &limits, &dump),
			 -CLAW_E_LIMIT);
	ck_assert_int_eq(claw_dump_read_memory(bytes, size, NULL, &dump), 0);
	ck_assert_uint_eq(dump->ledger_size, 64 << 20);
	free(bytes);
}
END_TEST

START_TEST(hostile__there_may_be_no_more_sections_than_allowed)
{
	struct claw_dump_limits limits = { .max_sections = 8 };

	make_dump(NULL);
	ck_assert_int_eq(claw_dump_read(path, &limits, &dump), -CLAW_E_LIMIT);
	limits.max_sections = 9;
	ck_assert_int_eq(claw_dump_read(path, &limits, &dump), 0);
}
END_TEST

static int add_bad_ones(struct claw_dump_writer *writer, void *user)
{
	(void)user;
	claw_dump_write(writer, CLAW_DUMP_META, "{\"pid\": 1}", 10);
	claw_dump_write(writer, CLAW_DUMP_STACKS, "{", 1);
	claw_dump_write(writer, CLAW_DUMP_JOURNAL, "CLAWJRNL", 8);
	claw_dump_write(writer, CLAW_DUMP_CONTENT, "short", 5);
	return claw_dump_write(writer, (enum claw_dump_section)99, "new", 3);
}

/* A second META, JSON and a journal that are none; of a later version one. */
START_TEST(hostile__what_is_not_what_it_should_be_is_left_out)
{
	make_dump(add_bad_ones);
	ck_assert_int_eq(claw_dump_read(path, NULL, &dump), 0);
	ck_assert(!dump->whole);
	ck_assert_uint_eq(dump->damaged, 4);
	ck_assert_int_eq(json_integer_value(json_object_get(dump->meta,
							    "pid")), 4711);
	ck_assert_ptr_null(dump->stacks);
	ck_assert_ptr_null(dump->journal);
	ck_assert_uint_eq(dump->trace->call_count, 20);
	ck_assert(dump->parts[dump->part_count - 2].intact);
}
END_TEST

/* ---- writing */

START_TEST(writer__nothing_is_there_before_it_is_whole)
{
	struct claw_dump_writer *writer;

	ck_assert_int_eq(claw_dump_writer_new(path, "x", &writer), 0);
	ck_assert_int_eq(claw_dump_write(writer, CLAW_DUMP_STDOUT, "a", 1), 0);
	ck_assert_int_ne(access(path, F_OK), 0);
	claw_dump_writer_cancel(writer);
	ck_assert_int_ne(access(path, F_OK), 0);
	ck_assert_int_eq(claw_dump_writer_new("/proc/nonexistent/a.dmp", "x",
					      &writer), -CLAW_E_IO);
}
END_TEST

static void write_file(const char *name, const void *bytes, size_t size)
{
	char file_path[128];
	FILE *file;

	snprintf(file_path, sizeof(file_path), "%s/%s", directory, name);
	file = fopen(file_path, "wb");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
}

static void unlink_file(const char *name)
{
	char file_path[128];

	snprintf(file_path, sizeof(file_path), "%s/%s", directory, name);
	unlink(file_path);
}

/* Of a session's files only what is used; a content that is not what it says
 * (a hole) is lost, not wrong. */
START_TEST(writer__the_files_of_a_session_are_taken)
{
	char trace_path[128];
	struct claw_dump_writer *writer;
	unsigned char *hole;
	size_t missing = 0;

	made_program(&made);
	write_file("trace.7.0", &made, MADE_TRACE_BYTES);
	hole = memmem(made.contents, made.contents_used, "kernel void", 11);
	memset(hole, 0, 64);
	write_file("contents.7.0", made.contents, made.contents_used);
	snprintf(trace_path, sizeof(trace_path), "%s/trace.7.0", directory);
	ck_assert_int_eq(claw_dump_writer_new(path, "", &writer), 0);
	ck_assert_int_eq(claw_dump_write_trace_file(writer, trace_path,
						    NULL), 0);
	ck_assert_int_eq(claw_dump_writer_finish(writer), 0);
	unlink_file("trace.7.0");
	unlink_file("contents.7.0");
	ck_assert_int_eq(claw_dump_read(path, NULL, &dump), 0);
	ck_assert(dump->whole);
	ck_assert_uint_lt(dump->parts[dump->part_count - 2].bytes,
			  MADE_TRACE_BYTES);
	ck_assert_uint_eq(dump->trace->contents_lost, 1);
	ck_assert_uint_eq(dump->trace->call_count, 20);
	ck_assert_uint_eq(dump->trace->damaged, 0);
	for (uint32_t i = 0; i < dump->trace->content_count; i++)
		missing += !dump->trace->contents[i].bytes;
	ck_assert_uint_eq(missing, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dump");
	TCase *tcase = tcase_create("trace");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, TIMEOUT_S);
	tcase_add_test(tcase, trace__a_program_is_read_with_its_objects);
	tcase_add_test(tcase, trace__launches_share_their_arguments);
	tcase_add_test(tcase, trace__launches_have_forgotten_arguments);
	tcase_add_test(tcase, trace__first_version_is_read);
	tcase_add_test(tcase, trace__what_it_points_at_is_told);
	tcase_add_test(tcase, trace__a_handle_that_comes_again_is_another_object);
	tcase_add_test(tcase, trace__ticks_tell_what_positions_do_not);
	tcase_add_test(tcase, trace__references_and_children_keep_an_object);
	tcase_add_test(tcase, trace__a_ring_that_came_round_has_the_live_ones);
	tcase_add_test(tcase,
		       trace__the_first_content_is_known_until_it_is_changed);
	tcase_add_test(tcase, trace__a_torn_record_is_counted_and_left_out);
	tcase_add_test(tcase, trace__it_may_end_anywhere);
	tcase_add_test(tcase, write__a_trace_comes_back_as_it_was);
	tcase_add_loop_test(tcase, write__kept_calls_come_back_as_kept, 0, 2);
	tcase_add_test(tcase, write__long_arguments_come_back);
	tcase_add_test(tcase, write__it_needs_neither_ticks_nor_handles);
	tcase_add_test(tcase, select__what_is_left_refers_to_what_is_left);
	tcase_add_test(tcase,
		       select__contents_that_nothing_needs_are_left_out);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("dump");
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, TIMEOUT_S);
	tcase_add_test(tcase, dump__what_was_written_is_read);
	tcase_add_test(tcase, dump__a_section_larger_than_a_chunk_comes_back);
	tcase_add_test(tcase, dump__it_may_be_cut_off_at_every_byte);
	tcase_add_test(tcase, dump__every_byte_may_be_damaged);
	tcase_add_test(tcase, dump__sections_behind_a_gap_are_found);
	tcase_add_test(tcase, dump__the_end_knows_how_many_there_were);
	tcase_add_test(tcase, dump__what_is_none_is_damaged);
	tcase_add_test(tcase, hostile__a_size_that_is_not_there_is_an_error);
	tcase_add_test(tcase, hostile__what_is_packed_is_no_larger_than_it_says);
	tcase_add_test(tcase,
		       hostile__there_may_be_no_more_sections_than_allowed);
	tcase_add_test(tcase,
		       hostile__what_is_not_what_it_should_be_is_left_out);
	tcase_add_test(tcase, writer__nothing_is_there_before_it_is_whole);
	tcase_add_test(tcase, writer__the_files_of_a_session_are_taken);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
