/* SPDX-License-Identifier: Apache-2.0 */
/* Handles that tell the objects of a trace apart. */
#include "config.h"

#include "trace_handles.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* Made-up ones are no addresses of any machine. */
#define FIRST_MADE_UP	UINT64_C(0x7c1a000000000000)
#define MOST_BYTES	(UINT64_C(1) << 40)
#define GAP		UINT64_C(64)

/* An object (0: a word that is none) and where it is. */
struct place {
	uint64_t start, end;
	claw_object_id id;
};

struct places {
	struct place *list;
	size_t count, room;
};

static void add(struct places *places, struct place place)
{
	if (places->count == places->room) {
		size_t room = places->room ? places->room * 2 : 64;

		places->list = claw_grow(places->list, room,
					 sizeof(*places->list));
		places->room = room;
	}
	places->list[places->count++] = place;
}

/* Words where a handle should be that are no object's. */
static void add_unknown(const struct claw_trace_arg *arg, struct places *places)
{
	if (arg->kind == CLAW_ARG_OBJECT && arg->objects && !arg->objects[0]) {
		add(places, (struct place) {
			.start = arg->word, .end = arg->word,
		});
		return;
	}
	for (uint32_t i = 0; arg->kind == CLAW_ARG_OBJECTS &&
	     arg->objects && i < arg->count; i++) {
		struct place place = { .id = 0 };

		if (arg->objects[i] || arg->size < (i + 1) * 8u)
			continue;
		memcpy(&place.start, (const char *)arg->bytes + i * 8u, 8);
		place.end = place.start;
		add(places, place);
	}
}

static void gather(const struct claw_trace *trace, struct places *places)
{
	for (uint32_t i = 0; i < trace->call_count; i++)
		for (uint32_t n = 0; n < trace->calls[i].arg_count; n++)
			add_unknown(&trace->calls[i].args[n], places);
	for (uint32_t i = 0; i < trace->object_count; i++) {
		const struct claw_trace_object *object = &trace->objects[i];
		struct place place = {
			.start = object->handle, .end = object->handle,
			.id = i + 1,
		};

		if (object->type == CLAW_OBJ_SVM && object->bytes &&
		    __builtin_add_overflow(place.start, object->bytes - 1,
					   &place.end))
			place.end = UINT64_MAX;
		add(places, place);
	}
}

/* Unknown words before objects at the same place. */
static int compare(const void *a, const void *b)
{
	const struct place *first = a, *second = b;

	if (first->start != second->start)
		return first->start < second->start ? -1 : 1;
	return (first->id > second->id) - (first->id < second->id);
}

static uint64_t make_up(const struct claw_trace_object *object, uint64_t *next)
{
	uint64_t handle = *next;
	uint64_t bytes = object->bytes < MOST_BYTES ? object->bytes :
		MOST_BYTES;

	*next += (bytes / GAP + 2) * GAP;
	return handle;
}

static void assign(struct claw_trace_handles *handles,
		   const struct places *places, bool unique)
{
	uint64_t next = FIRST_MADE_UP, end = 0, unknown = 0;

	for (size_t i = 0; i < places->count; i++) {
		const struct place *place = &places->list[i];
		bool is_taken = unique && i > 0 && place->start <= end;

		if (place->end > end || i == 0)
			end = place->end;
		if (!place->id) {
			unknown = place->start;
			continue;
		}
		if (is_taken || place->start == 0 || place->start == unknown)
			handles->list[place->id - 1] =
				make_up(&handles->trace->objects[place->id - 1],
					&next);
		else
			handles->list[place->id - 1] = place->start;
	}
}

void claw_trace_handles_init(struct claw_trace_handles *handles,
			     const struct claw_trace *trace, bool unique)
{
	struct places places = { .list = NULL };

	handles->trace = trace;
	handles->list = claw_calloc((size_t)trace->object_count + 1,
				    sizeof(*handles->list));
	gather(trace, &places);
	if (places.count > 0) {
		qsort(places.list, places.count, sizeof(*places.list), compare);
		assign(handles, &places, unique);
	}
	free(places.list);
}

void claw_trace_handles_release(struct claw_trace_handles *handles)
{
	free(handles->list);
	handles->list = NULL;
}

uint64_t claw_trace_handles_get(const struct claw_trace_handles *handles,
				claw_object_id id, uint64_t word)
{
	const struct claw_trace_object *object =
		claw_trace_object_get(handles->trace, id);

	if (!object)
		return word;
	if (object->type == CLAW_OBJ_SVM && word > object->handle &&
	    word - object->handle < object->bytes)
		return handles->list[id - 1] + (word - object->handle);
	return handles->list[id - 1];
}
