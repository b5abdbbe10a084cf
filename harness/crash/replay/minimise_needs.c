/* SPDX-License-Identifier: Apache-2.0 */
/* What captured calls need of one another. */
#include "config.h"

#include "minimise.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/arena.h"
#include "harness/base/memory.h"

typedef void each_visit(const struct claw_trace *trace, claw_object_id id,
		   void *user);

/* Each object that a call uses, but the one that it makes. */
static void each_used(const struct claw_trace *trace,
		      const struct claw_trace_call *call, each_visit *visit,
		      void *user)
{
	for (uint32_t i = 0; i < call->arg_count; i++) {
		const struct claw_trace_arg *arg = &call->args[i];

		for (uint32_t n = 0; arg->objects && n < arg->count &&
		     arg->kind != CLAW_ARG_MADE; n++)
			if (arg->objects[n])
				visit(trace, arg->objects[n], user);
	}
	for (uint32_t i = 0; i < call->kernel_arg_count; i++)
		if (call->kernel_args[i].object)
			visit(trace, call->kernel_args[i].object, user);
}

/* ---- what is needed ---------------------------------------------------- */

struct adding {
	bool *keep;
	bool changed;
};

static void add_maker(const struct claw_trace *trace, claw_object_id id,
		      void *user)
{
	struct adding *adding = user;
	uint32_t made_by = trace->objects[id - 1].made_by;

	if (made_by && !adding->keep[made_by - 1]) {
		adding->keep[made_by - 1] = true;
		adding->changed = true;
	}
}

struct uses {
	const bool *objects;	/* index as in the trace */
	enum claw_obj type;
	bool found;
};

static void look_for(const struct claw_trace *trace, claw_object_id id,
		     void *user)
{
	struct uses *uses = user;

	if (uses->objects[id - 1] && trace->objects[id - 1].type == uses->type)
		uses->found = true;
}

static void mark_object(const struct claw_trace *trace, claw_object_id id,
			void *user)
{
	bool *objects = user;

	(void)trace;
	objects[id - 1] = true;
}

static bool uses_one(const struct claw_trace *trace,
		     const struct claw_trace_call *call, const bool *objects,
		     enum claw_obj type)
{
	struct uses uses = { .objects = objects, .type = type };

	each_used(trace, call, look_for, &uses);
	return uses.found;
}

/* May it put something into memory? */
static bool gives_data(const struct claw_trace_call *call)
{
	uint32_t groups;

	if (call->api >= CLAW_API_COUNT)
		return false;
	groups = claw_api_table[call->api].groups;
	return claw_api_is_launch(call->api) ||
	       (groups & CLAW_G_TRANSFER && groups & CLAW_G_ENQUEUE) ||
	       call->api == CLAW_API_clEnqueueUnmapMemObject;
}

/* Builds of the programs, writes of the memory that kept calls use. */
static void add_makers_of_state(const struct claw_trace *trace, bool with_data,
				bool *objects, struct adding *adding)
{
	memset(objects, 0, trace->object_count);
	for (uint32_t i = 0; i < trace->call_count; i++)
		if (adding->keep[i])
			each_used(trace, &trace->calls[i], mark_object,
				  objects);
	for (uint32_t i = 0; i < trace->call_count; i++) {
		const struct claw_trace_call *call = &trace->calls[i];
		bool builds = call->api < CLAW_API_COUNT &&
			claw_api_table[call->api].groups & CLAW_G_BUILD;

		if (adding->keep[i] ||
		    !((builds && uses_one(trace, call, objects,
					  CLAW_OBJ_PROGRAM)) ||
		      (with_data && gives_data(call) &&
		       uses_one(trace, call, objects, CLAW_OBJ_MEM))))
			continue;
		adding->keep[i] = true;
		adding->changed = true;
	}
}

void claw_needs_add(const struct claw_trace *trace, bool with_data, bool *keep)
{
	struct adding adding = { .keep = keep, .changed = true };
	bool *objects = claw_calloc(trace->object_count + 1, sizeof(*objects));

	while (adding.changed) {
		adding.changed = false;
		for (uint32_t i = 0; i < trace->call_count; i++)
			if (keep[i])
				each_used(trace, &trace->calls[i], add_maker,
					  &adding);
		add_makers_of_state(trace, with_data, objects, &adding);
	}
	free(objects);
}

/* ---- what has to go with it -------------------------------------------- */

struct dropping {
	const bool *keep;
	bool lacks;
};

static void look_at_maker(const struct claw_trace *trace, claw_object_id id,
			  void *user)
{
	struct dropping *dropping = user;
	const struct claw_trace_object *object = &trace->objects[id - 1];

	if (object->made_by && object->type != CLAW_OBJ_EVENT &&
	    !dropping->keep[object->made_by - 1])
		dropping->lacks = true;
}

/* A wait, or a question, about events of which none is left. */
static bool waits_for_none(const struct claw_trace *trace,
			   const struct claw_trace_call *call, const bool *keep)
{
	const struct claw_trace_arg *events =
		claw_trace_arg_find(call, CLAW_P_EVENTS);

	if (!events)
		events = claw_trace_arg_find(call, CLAW_P_EVENT);
	if (!events || !events->objects)
		return false;
	for (uint32_t n = 0; n < events->count; n++) {
		claw_object_id id = events->objects[n];

		if (!id || !trace->objects[id - 1].made_by ||
		    keep[trace->objects[id - 1].made_by - 1])
			return false;
	}
	return true;
}

void claw_needs_drop(const struct claw_trace *trace, bool *keep)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < trace->call_count; i++) {
			struct dropping dropping = { .keep = keep };

			if (!keep[i])
				continue;
			each_used(trace, &trace->calls[i], look_at_maker,
				  &dropping);
			if (dropping.lacks ||
			    waits_for_none(trace, &trace->calls[i], keep)) {
				keep[i] = false;
				changed = true;
			}
		}
	}
}

/* ---- a selection ------------------------------------------------------- */

/* The list without what was an object and is none now: a NULL of the program's
 * stays. whole: as it was. */
static void mend_list(struct claw_trace *selected,
		      const struct claw_trace_arg *whole,
		      struct claw_trace_call *call, unsigned int param)
{
	struct claw_trace_arg *list = &call->args[param];
	uint64_t *words = claw_arena_array(selected->memory, list->count,
					   sizeof(*words));
	uint32_t left = 0;

	for (uint32_t n = 0; n < list->count; n++) {
		if (whole->objects[n] && !list->objects[n])
			continue;
		if (list->bytes && list->size >= (n + 1) * sizeof(*words))
			memcpy(&words[left], (const char *)list->bytes +
			       n * sizeof(*words), sizeof(*words));
		list->objects[left++] = list->objects[n];
	}
	if (left == list->count)
		return;
	list->count = left;
	list->size = left * sizeof(*words);
	list->bytes = words;
	if (left == 0)
		*list = (struct claw_trace_arg) { .kind = CLAW_ARG_NULL };
	if (param > 0)
		call->args[param - 1].word = left;
}

static void mend_call(struct claw_trace *selected,
		      const struct claw_trace_call *whole,
		      struct claw_trace_call *call)
{
	const struct claw_api_info *info;

	if (call->api >= CLAW_API_COUNT)
		return;
	info = &claw_api_table[call->api];
	for (uint32_t n = 0; n < call->arg_count; n++)
		if ((info->roles[n] == CLAW_P_WAIT_LIST ||
		     info->roles[n] == CLAW_P_EVENTS) &&
		    call->args[n].kind == CLAW_ARG_OBJECTS)
			mend_list(selected, &whole->args[n], call, n);
}

void claw_needs_mend(const struct claw_trace *whole, const bool *keep,
		     struct claw_trace *selected)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < whole->call_count; i++)
		if (keep[i])
			mend_call(selected, &whole->calls[i],
				  &selected->calls[at++]);
}
