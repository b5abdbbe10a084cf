/* SPDX-License-Identifier: Apache-2.0 */
/* A trace without some of its calls. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/arena.h"
#include "harness/base/memory.h"
#include "trace.h"

/* New numbers by old ones (0: left out), each with a number 0 that is 0. */
struct selection {
	const struct claw_trace *from;
	const bool *keep;
	struct claw_trace *to;
	struct claw_arena *arena;
	uint32_t *calls;	/* index + 1 */
	claw_object_id *objects;
	uint32_t *contents;	/* index + 1 */
};

/* ---- which */

static uint32_t number_calls(const struct selection *selection)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < selection->from->call_count; i++)
		if (selection->keep[i])
			selection->calls[i + 1] = ++count;
	return count;
}

/* What no call made stays: a device, a platform. */
static uint32_t number_objects(const struct selection *selection)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < selection->from->object_count; i++) {
		uint32_t made_by = selection->from->objects[i].made_by;

		if (!made_by || selection->calls[made_by])
			selection->objects[i + 1] = ++count;
	}
	return count;
}

static void mark_call(const struct selection *selection,
		      const struct claw_trace_call *call)
{
	for (uint32_t i = 0; i < call->arg_count; i++) {
		const struct claw_trace_arg *arg = &call->args[i];

		for (uint32_t n = 0; arg->contents && n < arg->count; n++)
			selection->contents[arg->contents[n]] = 1;
	}
	for (uint32_t i = 0; i < call->kernel_arg_count; i++)
		selection->contents[call->kernel_args[i].before] = 1;
}

static uint32_t number_contents(const struct selection *selection)
{
	const struct claw_trace *from = selection->from;
	uint32_t count = 0;

	for (uint32_t i = 0; i < from->call_count; i++)
		if (selection->keep[i])
			mark_call(selection, &from->calls[i]);
	for (uint32_t i = 0; i < from->object_count; i++)
		if (selection->objects[i + 1])
			selection->contents[from->objects[i].first_content] = 1;
	selection->contents[0] = 0;
	for (uint32_t i = 1; i <= from->content_count; i++)
		if (selection->contents[i])
			selection->contents[i] = ++count;
	return count;
}

/* ---- copies */

/* Old numbers as new ones; NULL for none. */
static void copy_numbers(const struct selection *selection, const uint32_t *map,
			 const uint32_t *numbers, uint32_t count,
			 uint32_t **ret_numbers)
{
	*ret_numbers = NULL;
	if (!numbers)
		return;
	*ret_numbers = claw_arena_array(selection->arena, count,
					sizeof(*numbers));
	for (uint32_t i = 0; i < count; i++)
		(*ret_numbers)[i] = map[numbers[i]];
}

static void copy_kernel_args(const struct selection *selection,
			     struct claw_trace_call *call)
{
	struct claw_trace_kernel_arg *args;

	if (call->kernel_arg_count == 0)
		return;
	args = claw_arena_array(selection->arena, call->kernel_arg_count,
				sizeof(*args));
	memcpy(args, call->kernel_args, call->kernel_arg_count * sizeof(*args));
	for (uint32_t i = 0; i < call->kernel_arg_count; i++) {
		args[i].object = selection->objects[args[i].object];
		args[i].before = selection->contents[args[i].before];
	}
	call->kernel_args = args;
}

static void copy_call(const struct selection *selection, uint32_t index)
{
	uint32_t number = selection->calls[index + 1];
	struct claw_trace_call *call = &selection->to->calls[number - 1];

	*call = selection->from->calls[index];
	call->number = number;
	call->made = selection->objects[call->made];
	for (uint32_t i = 0; i < call->arg_count; i++) {
		struct claw_trace_arg *arg = &call->args[i];

		copy_numbers(selection, selection->objects, arg->objects,
			     arg->count, &arg->objects);
		copy_numbers(selection, selection->contents, arg->contents,
			     arg->count, &arg->contents);
	}
	copy_kernel_args(selection, call);
}

static void copy_object(const struct selection *selection, uint32_t index)
{
	claw_object_id id = selection->objects[index + 1];
	struct claw_trace_object *object = &selection->to->objects[id - 1];

	*object = selection->from->objects[index];
	object->made_by = selection->calls[object->made_by];
	object->gone_by = selection->calls[object->gone_by];
	object->released_by = selection->calls[object->released_by];
	object->parent = selection->objects[object->parent];
	object->first_content = selection->contents[object->first_content];
}

static void copy_all(const struct selection *selection)
{
	const struct claw_trace *from = selection->from;
	struct claw_trace *to = selection->to;

	for (uint32_t i = 0; i < from->call_count; i++)
		if (selection->keep[i])
			copy_call(selection, i);
	for (uint32_t i = 0; i < from->object_count; i++)
		if (selection->objects[i + 1])
			copy_object(selection, i);
	for (uint32_t i = 0; i < from->content_count; i++)
		if (selection->contents[i + 1])
			to->contents[selection->contents[i + 1] - 1] =
				from->contents[i];
	to->trigger = selection->calls[from->trigger];
	for (uint32_t i = 0; i < to->call_count && to->calls[i].kept; i++)
		to->first_ring_call = i + 1;
}

static void select_calls(struct selection *selection)
{
	const struct claw_trace *from = selection->from;
	struct claw_trace *to = selection->to;

	selection->calls = claw_calloc((size_t)from->call_count + 1,
				       sizeof(uint32_t));
	selection->objects = claw_calloc((size_t)from->object_count + 1,
					 sizeof(uint32_t));
	selection->contents = claw_calloc((size_t)from->content_count + 1,
					  sizeof(uint32_t));
	to->call_count = number_calls(selection);
	to->object_count = number_objects(selection);
	to->content_count = number_contents(selection);
	to->calls = claw_arena_array(selection->arena, to->call_count,
				     sizeof(*to->calls));
	to->objects = claw_arena_array(selection->arena, to->object_count,
				       sizeof(*to->objects));
	to->contents = claw_arena_array(selection->arena, to->content_count,
					sizeof(*to->contents));
	copy_all(selection);
}

struct claw_trace *claw_trace_select(const struct claw_trace *trace,
				     const bool *keep)
{
	struct selection selection = {
		.from = trace, .keep = keep, .arena = claw_arena_new(),
		.to = claw_calloc(1, sizeof(*selection.to)),
	};

	*selection.to = (struct claw_trace) {
		.forgotten = trace->forgotten,
		.damaged = trace->damaged,
		.contents_lost = trace->contents_lost,
		.redacted = trace->redacted,
		.buffers = trace->buffers,
		.memory = selection.arena,
	};
	memcpy(selection.to->unread, trace->unread, sizeof(trace->unread));
	select_calls(&selection);
	free(selection.calls);
	free(selection.objects);
	free(selection.contents);
	return selection.to;
}
