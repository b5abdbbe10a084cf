/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls before the launch are replayed with a wait for all queues and a
 * read of each buffer behind them; then, where the launch did well, it and
 * the same reads again.
 */
#include "config.h"

#include "emit_clw_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/crash/replay/minimise.h"
#include "harness/files/outside_file.h"
#include "harness/crash/player/replay_order.h"
#include "harness/session/session.h"
#include "faults/shared/api.h"

enum { TIMEOUT_MS = 30 * 1000 };

/* Where reads go in the program: nowhere that it has memory. */
#define READ_ADDRESS(number_)	(UINT64_C(1) << 56 | (uint64_t)(number_) << 40)

/* A call of ours, with what its arguments point to. */
struct added {
	claw_object_id objects[2];
};

struct finding {
	const struct claw_emit_clw *spec;
	struct claw_emit_memories *memories;
	bool with_after;
	struct claw_trace *selected;	/* up to the launch, that included */
	uint32_t launch;		/* in it (index + 1) */
	struct claw_trace longer;	/* with the reads */
	struct added *added;
	size_t added_count;
	uint32_t *before, *after;	/* numbers of reads, by memory */
	char *directory;
};

/* Is the object gone when the call is made? */
static bool is_gone(const struct claw_trace *trace, claw_object_id object,
		    uint32_t call)
{
	const struct claw_trace_object *about =
		claw_trace_object_get(trace, object);

	return about && about->gone_by && about->gone_by < call;
}

const struct claw_emit_memory *
claw_emit_memories_get(const struct claw_emit_memories *memories,
		       claw_object_id object)
{
	for (size_t i = 0; i < memories->count; i++)
		if (memories->items[i].object == object)
			return &memories->items[i];
	return NULL;
}

uint32_t claw_emit_find(const struct claw_trace *smaller,
			const struct claw_trace *whole, uint32_t call)
{
	if (!call || call > whole->call_count)
		return 0;
	for (uint32_t i = 0; i < smaller->call_count; i++)
		if (smaller->calls[i].position ==
		    whole->calls[call - 1].position &&
		    smaller->calls[i].kept == whole->calls[call - 1].kept)
			return i + 1;
	return 0;
}

/* ---- which ------------------------------------------------------------ */

static unsigned char *copy_of(const struct claw_trace *trace, uint32_t content,
			      uint64_t bytes)
{
	const struct claw_trace_bytes *from = content ?
		&trace->contents[content - 1] : NULL;
	unsigned char *copy;

	if (!from || !from->bytes || from->length < bytes)
		return NULL;
	copy = claw_malloc((size_t)bytes + 1);
	if (bytes)
		memcpy(copy, from->bytes, (size_t)bytes);
	return copy;
}

static void list_memories(struct finding *f)
{
	const struct claw_trace *trace = f->spec->trace;
	const struct claw_trace_call *call =
		&trace->calls[f->spec->launch - 1];

	f->memories->items = claw_calloc(call->kernel_arg_count + 1u,
					 sizeof(*f->memories->items));
	for (uint32_t i = 0; i < call->kernel_arg_count; i++) {
		const struct claw_trace_kernel_arg *arg = &call->kernel_args[i];
		const struct claw_trace_object *object =
			claw_trace_object_get(trace, arg->object);

		if (!object || object->type != CLAW_OBJ_MEM ||
		    claw_emit_memories_get(f->memories, arg->object) ||
		    is_gone(trace, arg->object, f->spec->launch))
			continue;
		f->memories->items[f->memories->count++] =
			(struct claw_emit_memory) {
				.object = arg->object, .bytes = object->bytes,
				.before = copy_of(trace, arg->before,
						  object->bytes),
			};
	}
}

/* ---- the calls before it ---------------------------------------------- */

static void select_before(struct finding *f)
{
	const struct claw_trace *trace = f->spec->trace;
	uint32_t *order = claw_replay_order(trace);
	bool *keep = claw_calloc(trace->call_count + 1u, sizeof(*keep));

	for (uint32_t i = 0; i < trace->call_count; i++) {
		keep[order[i]] = true;
		if (order[i] == f->spec->launch - 1)
			break;
	}
	f->selected = claw_trace_select(trace, keep);
	claw_needs_mend(trace, keep, f->selected);
	f->launch = claw_emit_find(f->selected, trace, f->spec->launch);
	free(order);
	free(keep);
}

/* The object of the selection that this one of the whole is: both lists are in
 * one order, and what is used by the launch is in both. */
static claw_object_id selected_id(const struct finding *f, claw_object_id id)
{
	const struct claw_trace_call *from =
		&f->spec->trace->calls[f->spec->launch - 1];
	const struct claw_trace_call *to =
		&f->selected->calls[f->launch - 1];

	for (uint32_t i = 0; i < from->kernel_arg_count; i++)
		if (from->kernel_args[i].object == id)
			return to->kernel_args[i].object;
	return 0;
}

/* ---- calls of ours ---------------------------------------------------- */

static struct claw_trace_call *add_call(struct finding *f, enum claw_api api,
					uint64_t ticks)
{
	struct claw_trace_call *call =
		&f->longer.calls[f->longer.call_count++];

	*call = (struct claw_trace_call) {
		.api = api, .position = UINT64_MAX - f->longer.call_count,
		.number = f->longer.call_count, .returned = true,
		.thread = 1, .begin_ticks = ticks, .end_ticks = ticks,
		.arg_count = claw_api_table[api].param_count,
	};
	for (unsigned int i = 0; i < call->arg_count; i++)
		call->args[i].kind = claw_api_is_pointer(api, i) ?
			CLAW_ARG_NULL : CLAW_ARG_WORD;
	return call;
}

static void set_object(struct finding *f, struct claw_trace_call *call,
		       unsigned int param, claw_object_id id)
{
	claw_object_id *object = &f->added[f->added_count++].objects[0];

	*object = id;
	call->args[param] = (struct claw_trace_arg) {
		.kind = CLAW_ARG_OBJECT, .count = 1, .objects = object,
		.word = f->longer.objects[id - 1].handle,
	};
}

static void add_finishes(struct finding *f, uint64_t ticks)
{
	for (claw_object_id id = 1; id <= f->longer.object_count; id++)
		if (f->longer.objects[id - 1].type == CLAW_OBJ_QUEUE &&
		    !is_gone(f->selected, id, f->launch))
			set_object(f, add_call(f, CLAW_API_clFinish, ticks), 0,
				   id);
}

static uint32_t add_read(struct finding *f, claw_object_id queue,
			 const struct claw_emit_memory *memory, uint64_t ticks)
{
	struct claw_trace_call *call =
		add_call(f, CLAW_API_clEnqueueReadBuffer, ticks);
	enum { QUEUE, BUFFER, BLOCKING, OFFSET, SIZE, PTR };

	set_object(f, call, QUEUE, queue);
	set_object(f, call, BUFFER, selected_id(f, memory->object));
	call->args[BLOCKING].word = 1;
	call->args[SIZE].word = memory->bytes;
	call->args[PTR] = (struct claw_trace_arg) {
		.kind = CLAW_ARG_OUT, .word = READ_ADDRESS(call->number),
		.size = (size_t)memory->bytes,
	};
	return call->number;
}

static void add_reads(struct finding *f, uint32_t *numbers, uint64_t ticks)
{
	const struct claw_trace_arg *queue = claw_trace_arg_find(
		&f->selected->calls[f->launch - 1], CLAW_P_QUEUE);

	add_finishes(f, ticks);
	for (size_t i = 0; i < f->memories->count; i++)
		numbers[i] = add_read(f, queue->objects[0],
				      &f->memories->items[i], ticks);
}

/* Calls behind the inserted ones have other numbers. */
static void renumber_objects(struct finding *f, uint32_t inserted)
{
	for (uint32_t i = 0; i < f->longer.object_count; i++) {
		struct claw_trace_object *object = &f->longer.objects[i];

		if (object->made_by >= f->launch)
			object->made_by += inserted;
		if (object->gone_by >= f->launch)
			object->gone_by += inserted;
	}
}

static void make_room(struct finding *f)
{
	const struct claw_trace *from = f->selected;
	size_t more = 2 * (f->memories->count + from->object_count);

	f->longer = *from;
	f->longer.memory = NULL;
	f->longer.trigger = 0;
	f->longer.calls = claw_calloc(from->call_count + more + 1,
				      sizeof(*f->longer.calls));
	f->longer.objects = claw_calloc(from->object_count + 1u,
					sizeof(*f->longer.objects));
	f->added = claw_calloc(2 * more + 1, sizeof(*f->added));
	f->before = claw_calloc(f->memories->count + 1, sizeof(*f->before));
	f->after = claw_calloc(f->memories->count + 1, sizeof(*f->after));
	for (uint32_t i = 0; i < from->object_count; i++)
		f->longer.objects[i] = from->objects[i];
}

/* What was before, the reads, the launch, the reads. */
static void make_longer(struct finding *f)
{
	const struct claw_trace_call *launch =
		&f->selected->calls[f->launch - 1];
	uint64_t ticks = launch->begin_ticks;

	f->longer.call_count = 0;
	for (uint32_t i = 0; i < f->selected->call_count; i++) {
		if (i == f->launch - 1) {
			add_reads(f, f->before, ticks);
			renumber_objects(f, f->longer.call_count - i);
		}
		if (i == f->launch - 1 && !f->with_after)
			continue;
		f->longer.calls[f->longer.call_count] = f->selected->calls[i];
		f->longer.call_count++;
		f->longer.calls[f->longer.call_count - 1].number =
			f->longer.call_count;
	}
	if (f->with_after)
		add_reads(f, f->after, launch->end_ticks > ticks ?
			  launch->end_ticks : ticks);
}

/* ---- the replay ------------------------------------------------------- */

static unsigned char *read_file(const struct finding *f, uint32_t number,
				uint64_t bytes)
{
	unsigned char *content = malloc((size_t)bytes + 1);	/* much? */
	char *path = claw_format("%s/%u", f->directory, number);
	FILE *in = claw_outside_fopen(path);

	if (!content || !in || fread(content, 1, (size_t)bytes, in) != bytes) {
		free(content);
		content = NULL;
	}
	if (in)
		fclose(in);
	free(path);
	return content;
}

static void take_reads(struct finding *f)
{
	for (size_t i = 0; i < f->memories->count; i++) {
		struct claw_emit_memory *memory = &f->memories->items[i];

		if (!memory->before)
			memory->before = read_file(f, f->before[i],
						   memory->bytes);
		if (f->with_after)
			memory->after = read_file(f, f->after[i],
						  memory->bytes);
		if (!memory->before || (f->with_after && !memory->after)) {
			f->memories->why = claw_format(
				"what is in %s could not be read in a replay "
				"of the calls before", claw_trace_object_name(
				f->spec->trace, memory->object));
			return;
		}
	}
}

static int replay(struct finding *f)
{
	struct claw_replay_spec spec = *f->spec->replay;
	struct claw_replay_result result;
	int ret;

	spec.trace = &f->longer;
	spec.dump_path = NULL;
	spec.no_faults = true;
	spec.timeout_ms = TIMEOUT_MS;
	spec.reads = f->directory;
	spec.wanted_calls = spec.wanted_kernel = NULL;
	ret = claw_replay_run(&spec, "", &result);
	if (ret == 0 && result.end == CLAW_REPLAY_INFRA)
		f->memories->why = claw_format(
			"a replay of the calls before it cannot be done: %s",
			result.why);
	else if (ret == 0)
		take_reads(f);
	f->memories->made_up = result.synthesised;
	claw_replay_result_release(&result);
	return ret;
}

static int make_directory(struct finding *f)
{
	f->directory = claw_format("%s/openclaw-reads.XXXXXX",
				   claw_session_temporary_base());
	return mkdtemp(f->directory) ? 0 : -CLAW_E_IO;
}

static bool is_all_known(const struct finding *f)
{
	if (f->with_after)
		return f->memories->count == 0;
	for (size_t i = 0; i < f->memories->count; i++)
		if (!f->memories->items[i].before)
			return false;
	return true;
}

static void release(struct finding *f)
{
	if (f->directory)
		claw_directory_remove(f->directory);
	free(f->directory);
	free(f->before);
	free(f->after);
	free(f->added);
	free(f->longer.calls);
	free(f->longer.objects);
	if (f->selected)
		claw_trace_free(f->selected);
}

int claw_emit_memories_find(const struct claw_emit_clw *spec, bool with_after,
			    struct claw_emit_memories *ret_memories)
{
	struct finding f = {
		.spec = spec, .memories = ret_memories,
		.with_after = with_after,
	};
	int ret;

	*ret_memories = (struct claw_emit_memories) { .count = 0 };
	list_memories(&f);
	if (is_all_known(&f)) {
		release(&f);
		return 0;
	}
	select_before(&f);
	make_room(&f);
	ret = make_directory(&f);
	if (ret == 0) {
		make_longer(&f);
		ret = replay(&f);
	}
	release(&f);
	return ret;
}

void claw_emit_memories_release(struct claw_emit_memories *memories)
{
	for (size_t i = 0; i < memories->count; i++) {
		free(memories->items[i].before);
		free(memories->items[i].after);
	}
	free(memories->items);
	free(memories->why);
	*memories = (struct claw_emit_memories) { .count = 0 };
}
