/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace in memory from its records: in the order of their positions, with
 * objects followed in the order of ticks, since what one thread releases the
 * driver may give another one before the first has come back.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "trace_parts.h"

enum { LEAST_COPY_BYTES = 1 << 20 };

enum moment_kind { ENTERS, LEAVES, ENDS };

/* Something at a time: a call's begin or end, a slot's owner gone. */
struct moment {
	uint64_t ticks;
	uint32_t index;		/* of the call, of the slot */
	enum moment_kind kind;
};

static void set_call(const struct claw_trace_raw *raw, uint32_t index,
		     struct claw_trace_call *call)
{
	const struct claw_trace_record *record = raw->record;

	call->api = raw->api;
	call->position = record->position;
	call->number = index + 1;
	call->ordinal = record->ordinal;
	call->thread = record->thread;
	call->site = record->site;
	call->flags = record->flags;
	call->rule = record->rule;
	call->fault = record->fault;
	call->result = record->result;
	call->returned = record->state == CLAW_TRACE_DONE;
	call->kept = raw->kept;
	call->begin_ticks = record->ticks;
	call->end_ticks = record->end_ticks;
}

static int set_calls(struct claw_trace_build *build)
{
	const struct claw_trace_records *records = build->records;
	struct claw_trace *trace = build->trace;

	if (records->count > UINT32_MAX / 4 ||
	    records->base_count > UINT32_MAX / 4)
		return -CLAW_E_LIMIT;
	trace->calls = claw_arena_array(build->arena, records->count,
					sizeof(*trace->calls));
	trace->call_count = (uint32_t)records->count;
	for (uint32_t i = 0; i < trace->call_count; i++)
		set_call(&records->list[i], i, &trace->calls[i]);
	return 0;
}

static void set_head(struct claw_trace_build *build)
{
	const struct claw_trace_records *records = build->records;
	const struct claw_trace_header *header = &records->header;
	uint64_t known = records->count - records->kept;
	struct claw_trace *trace = build->trace;

	trace->first_ring_call = (uint32_t)records->kept;
	trace->forgotten = header->calls > known ? header->calls - known : 0;
	trace->damaged = records->damaged;
	trace->contents_lost = header->contents_lost;
	memcpy(trace->unread, header->unread, sizeof(trace->unread));
	trace->redacted = header->redacted != 0;
	trace->buffers = header->buffers <= CLAW_CAPTURE_ALL ?
		(enum claw_capture_buffers)header->buffers : CLAW_CAPTURE_OFF;
	for (size_t i = records->kept; header->trigger_position &&
	     i < records->count; i++)
		if (records->list[i].record->position ==
		    header->trigger_position)
			trace->trigger = (uint32_t)i + 1;
}

/* ---- order of time */

static int compare_moments(const void *a, const void *b)
{
	const struct moment *first = a, *second = b;

	if (first->ticks != second->ticks)
		return first->ticks < second->ticks ? -1 : 1;
	if ((first->kind == ENDS) != (second->kind == ENDS))
		return first->kind == ENDS ? 1 : -1;
	if (first->index != second->index)
		return first->index < second->index ? -1 : 1;
	return (int)first->kind - (int)second->kind;
}

static size_t list_moments(const struct claw_trace_build *build,
			   struct moment *list)
{
	const struct claw_trace *trace = build->trace;
	const struct claw_trace_records *records = build->records;
	size_t count = 0;

	for (uint32_t i = 0; i < trace->call_count; i++) {
		const struct claw_trace_call *call = &trace->calls[i];

		list[count++] = (struct moment) {
			.ticks = call->begin_ticks, .index = i, .kind = ENTERS,
		};
		if (call->returned)
			list[count++] = (struct moment) {
				.ticks = call->end_ticks > call->begin_ticks ?
					call->end_ticks : call->begin_ticks,
				.index = i, .kind = LEAVES,
			};
	}
	for (size_t i = 0; i < records->slot_count; i++)
		if (records->slots[i].slot->state == CLAW_SLOT_GONE)
			list[count++] = (struct moment) {
				.ticks = records->slots[i].slot->gone_ticks,
				.index = (uint32_t)i, .kind = ENDS,
			};
	return count;
}

/* Does that call end objects of this handle? */
static bool ends_handle(const struct claw_trace_call *call, uint64_t handle)
{
	return call->api != CLAW_API_COUNT &&
		claw_api_table[call->api].effect == CLAW_RELEASES &&
		call->arg_count > 0 &&
		(call->args[0].word == handle ||
		 call->args[call->arg_count - 1].word == handle);
}

/*
 * The call (index + 1) after which a slot's owner was gone: the last of its
 * releases before gone_position; else whatever was last. What
 * claw_trace_write() made says it to the bit (doc/dump-format.md).
 */
static uint32_t find_end(const struct claw_trace_build *build,
			 const struct claw_trace_slot *slot)
{
	enum { LOOK_BACK = 64 };
	const struct claw_trace *trace = build->trace;
	uint32_t low = trace->first_ring_call, high = trace->call_count;
	uint32_t least;

	if (slot->gone_position % 8 == 1)
		low = 0;	/* exact, and kept ones have positions, too */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (trace->calls[middle].position < slot->gone_position)
			low = middle + 1;
		else
			high = middle;
	}
	if (slot->gone_position % 8 == 1)
		return low;
	least = low > LOOK_BACK ? low - LOOK_BACK : 0;
	for (uint32_t i = low; i > least; i--)
		if (ends_handle(&trace->calls[i - 1], slot->owner))
			return i;
	return low;
}

static void end_slot(struct claw_trace_build *build, uint32_t index)
{
	claw_trace_objects_end(build, build->slot_objects[index],
			       find_end(build,
					build->records->slots[index].slot));
}

static void pass(struct claw_trace_build *build, const struct moment *moment)
{
	switch (moment->kind) {
	case ENTERS:
		claw_trace_args_read(build, moment->index);
		claw_trace_objects_enter(build, moment->index);
		break;
	case LEAVES:
		claw_trace_objects_leave(build, moment->index);
		break;
	case ENDS:
		end_slot(build, moment->index);
		break;
	}
}

/* Go through all of it as it happened. */
static void follow(struct claw_trace_build *build)
{
	const struct claw_trace_records *records = build->records;
	size_t room = records->count * 2 + records->slot_count;
	struct moment *list = claw_malloc((room + 1) * sizeof(*list));
	size_t count;

	count = list_moments(build, list);
	if (count > 0)
		qsort(list, count, sizeof(*list), compare_moments);
	for (size_t i = 0; i < count; i++)
		pass(build, &list[i]);
	free(list);
	for (size_t i = 0; i < records->slot_count; i++)
		if (records->slots[i].slot->state == CLAW_SLOT_GONE)
			end_slot(build, (uint32_t)i);
}

static int make_trace(struct claw_trace_build *build,
		      const struct claw_trace_input *input)
{
	const struct claw_trace_records *records = build->records;
	int ret = set_calls(build);

	if (ret < 0)
		return ret;
	set_head(build);
	claw_trace_contents_read(input, records, build->arena, build->trace);
	build->slot_objects = claw_calloc(records->slot_count + 1,
					  sizeof(*build->slot_objects));
	build->copies = claw_calloc((size_t)build->trace->content_count + 1,
				    sizeof(*build->copies));
	build->latest = claw_calloc(records->count + records->base_count + 1,
				    sizeof(*build->latest));
	build->copy_budget = (uint64_t)input->size * 2 + LEAST_COPY_BYTES;
	build->look_budget = ((uint64_t)input->size + LEAST_COPY_BYTES) * 64;
	claw_trace_objects_init(build);
	follow(build);
	claw_trace_objects_finish(build);
	return 0;
}

int claw_trace_build(const struct claw_trace_input *input,
		     struct claw_trace **ret_trace)
{
	struct claw_trace_records records = { .list = NULL };
	struct claw_trace_build build = {
		.records = &records, .arena = claw_arena_new(),
	};
	int ret;

	build.trace = claw_calloc(1, sizeof(*build.trace));
	build.trace->memory = build.arena;
	ret = claw_trace_records_read(input, build.arena, &records);
	if (ret == 0)
		ret = make_trace(&build, input);
	claw_trace_objects_release(&build);
	free(build.slot_objects);
	free(build.latest);
	free(build.copies);
	claw_trace_records_release(&records);
	if (ret < 0)
		claw_trace_free(build.trace);
	else
		*ret_trace = build.trace;
	return ret;
}
