/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles told apart as objects: a driver gives the address of what is gone
 * away again. Whoever calls this goes through the calls' entries and returns
 * in the order of their ticks; what a handle is, is what was made last.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "trace_parts.h"

struct claw_trace_key {
	uint64_t handle;
	enum claw_obj type;
	claw_object_id now;	/* made last; 0: none yet */
};

struct claw_object_state {
	uint32_t references, children;
	bool is_gone;
	bool has_slot;		/* which says when it goes */
	claw_object_id before;	/* of a mapping: another at the same pointer */
};

/* Of shared memory: [start, end). */
struct range {
	uint64_t start, end;
	claw_object_id id;
};

/* ---- handles */

struct key_list {
	struct claw_trace_key *items;
	size_t count, room;
};

static void add_key(struct key_list *list, enum claw_obj type, uint64_t handle)
{
	if (handle == 0 || type == CLAW_OBJ_NONE)
		return;
	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 64;

		list->items = claw_grow(list->items, room,
					sizeof(*list->items));
		list->room = room;
	}
	list->items[list->count++] = (struct claw_trace_key) {
		.handle = handle, .type = type,
	};
}

/* What a call gives back, or CLAW_OBJ_NONE. */
static enum claw_obj returned_type(enum claw_api api)
{
	if (claw_api_is_map(api))
		return CLAW_OBJ_MAPPING;
	return claw_api_table[api].effect == CLAW_CREATES ?
		claw_api_table[api].object : CLAW_OBJ_NONE;
}

static void add_words(struct key_list *list, enum claw_obj type,
		      const struct claw_trace_payload *payload)
{
	for (size_t i = 0; i < payload->bytes / 8; i++)
		add_key(list, type, claw_payload_word(payload, i));
}

static void gather_payloads(const struct claw_trace_raw *raw,
			    struct key_list *list)
{
	const struct claw_api_info *info = &claw_api_table[raw->api];
	const struct claw_trace_payload *payload = NULL;

	while ((payload = claw_raw_next(raw, payload))) {
		uint8_t holds;

		if (payload->param >= info->param_count)
			continue;
		holds = info->holds[payload->param];
		if (holds == CLAW_HOLDS_PROPERTIES ||
		    holds == CLAW_HOLDS_PARTITION)
			add_words(list, CLAW_OBJ_PLATFORM, payload);
		else if (holds == CLAW_HOLDS_OBJECTS ||
			 payload->kind == CLAW_PAYLOAD_MADE)
			add_words(list, (enum claw_obj)
				  info->objects[payload->param], payload);
	}
}

static void gather_call(const struct claw_trace_raw *raw, struct key_list *list)
{
	const struct claw_api_info *info;

	if (raw->api == CLAW_API_COUNT)
		return;
	info = &claw_api_table[raw->api];
	add_key(list, returned_type(raw->api), raw->record->handle);
	for (unsigned int i = 0; i < info->param_count; i++)
		if (info->holds[i] == CLAW_HOLDS_OBJECT)
			add_key(list, (enum claw_obj)info->objects[i],
				claw_raw_word(raw, i));
	gather_payloads(raw, list);
}

static int compare_keys(const void *a, const void *b)
{
	const struct claw_trace_key *first = a, *second = b;
	int order = (first->handle > second->handle) -
		(first->handle < second->handle);

	return order ? order : (int)first->type - (int)second->type;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct range *first = a, *second = b;

	if (first->end <= second->start)
		return -1;
	return first->start >= second->end;
}

void claw_trace_objects_init(struct claw_trace_build *build)
{
	const struct claw_trace_records *records = build->records;
	struct key_list list = { .items = NULL };
	size_t count = 0;

	for (size_t i = 0; i < records->count; i++)
		gather_call(&records->list[i], &list);
	if (list.count > 0)
		qsort(list.items, list.count, sizeof(*list.items),
		      compare_keys);
	for (size_t i = 0; i < list.count; i++)
		if (count == 0 || compare_keys(&list.items[count - 1],
					       &list.items[i]))
			list.items[count++] = list.items[i];
	build->keys = list.items;
	build->key_count = count;
}

void claw_trace_objects_release(struct claw_trace_build *build)
{
	tdestroy(build->svm, free);
	free(build->keys);
	free(build->states);
}

static struct claw_trace_key *find_key(const struct claw_trace_build *build,
				       enum claw_obj type, uint64_t handle)
{
	const struct claw_trace_key wanted = {
		.handle = handle, .type = type,
	};

	return build->key_count == 0 ? NULL :
		bsearch(&wanted, build->keys, build->key_count, sizeof(wanted),
			compare_keys);
}

claw_object_id claw_trace_objects_find(const struct claw_trace_build *build,
				       enum claw_obj type, uint64_t handle)
{
	const struct claw_trace_key *key = find_key(build, type, handle);

	return key ? key->now : 0;
}

claw_object_id claw_trace_objects_find_svm(const struct claw_trace_build *build,
					   uint64_t address,
					   uint64_t *ret_offset)
{
	const struct range wanted = {
		.start = address, .end = address + (address != UINT64_MAX),
	};
	claw_object_id exact = claw_trace_objects_find(build, CLAW_OBJ_SVM,
						       address);
	struct range *const *found;

	*ret_offset = 0;
	if (exact)
		return exact;	/* also one that is gone */
	found = tfind(&wanted, &build->svm, compare_ranges);
	*ret_offset = found ? address - (*found)->start : 0;
	return found ? (*found)->id : 0;
}

/* ---- lives */

static struct claw_trace_object *object_of(const struct claw_trace_build *build,
					   claw_object_id id)
{
	return &build->trace->objects[id - 1];
}

/* It is gone, and with it whatever only it kept. call: index + 1. */
static void drop(struct claw_trace_build *build, claw_object_id id,
		 uint32_t call)
{
	while (id) {
		struct claw_trace_object *object = object_of(build, id);
		struct claw_object_state *state = &build->states[id - 1];
		struct claw_trace_key *key = find_key(build, object->type,
						      object->handle);

		if (state->is_gone)
			return;
		state->is_gone = true;
		object->gone_by = call;
		if (key && key->now == id && state->before &&
		    !build->states[state->before - 1].is_gone)
			key->now = state->before;
		id = object->parent;
		if (!id)
			return;
		state = &build->states[id - 1];
		if (--state->children > 0 || state->references > 0 ||
		    state->has_slot || !object_of(build, id)->made_by)
			return;
	}
}

/* Room for one more. */
static void grow(struct claw_trace_build *build)
{
	size_t room = build->object_room ? build->object_room * 2 : 64;
	struct claw_trace_object *objects;
	struct claw_object_state *states;

	if (build->trace->object_count < build->object_room)
		return;
	objects = claw_arena_array(build->arena, room, sizeof(*objects));
	states = claw_grow(build->states, room, sizeof(*states));
	build->states = states;
	if (build->trace->object_count > 0)
		memcpy(objects, build->trace->objects,
		       build->trace->object_count * sizeof(*objects));
	build->trace->objects = objects;
	build->object_room = room;
}

/* Another object of that handle, from now on. */
static void add_object(struct claw_trace_build *build,
		       const struct claw_trace_object *made,
		       claw_object_id *ret_id)
{
	struct claw_trace_key *key = find_key(build, made->type, made->handle);
	struct claw_object_state state = { .references = 1 };
	claw_object_id id;

	*ret_id = 0;
	if (!key)
		return;
	grow(build);
	id = ++build->trace->object_count;
	*object_of(build, id) = *made;
	if (key->now && made->type == CLAW_OBJ_MAPPING)
		state.before = key->now;
	build->states[id - 1] = state;
	if (made->parent)
		build->states[made->parent - 1].children++;
	if (key->now && made->type != CLAW_OBJ_MAPPING &&
	    !build->states[key->now - 1].has_slot)
		drop(build, key->now, made->made_by);
	key->now = id;
	*ret_id = id;
}

void claw_trace_objects_get(struct claw_trace_build *build, enum claw_obj type,
			    uint64_t handle, claw_object_id *ret_id)
{
	const struct claw_trace_object made = {
		.type = type, .handle = handle,
	};

	*ret_id = claw_trace_objects_find(build, type, handle);
	if (*ret_id || handle == 0)
		return;
	add_object(build, &made, ret_id);
}

/* Does a slot say when what the call made goes? Then it is told which. */
static bool has_slot(struct claw_trace_build *build, uint64_t position,
		     uint64_t owner, claw_object_id id)
{
	const struct claw_trace_raw_slot *slots = build->records->slots;
	size_t low = 0, high = build->records->slot_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (slots[middle].position < position ||
		    (slots[middle].position == position &&
		     slots[middle].slot->owner < owner))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == build->records->slot_count ||
	    slots[low].position != position ||
	    slots[low].slot->owner != owner)
		return false;
	build->slot_objects[low] = id;
	return true;
}

/* ---- what calls do to them */

/* The first argument that has that role, as an object. */
static claw_object_id arg_object(const struct claw_trace_call *call,
				 enum claw_role role)
{
	const struct claw_trace_arg *arg = claw_trace_arg_find(call, role);

	return arg && arg->objects && arg->count > 0 ? arg->objects[0] : 0;
}

/* What a new object keeps alive: the narrowest of what it is made from. */
static claw_object_id find_parent(const struct claw_trace_build *build,
				  const struct claw_trace_call *call,
				  enum claw_obj type)
{
	static const enum claw_role roles[] = {
		CLAW_P_MEM, CLAW_P_PROGRAM, CLAW_P_CONTEXT, CLAW_P_QUEUES,
		CLAW_P_DEVICE, CLAW_P_PLATFORM,
	};
	int desc = claw_api_find_name(call->api, "image_desc");
	claw_object_id found = 0;

	if (type == CLAW_OBJ_EVENT)
		found = arg_object(call, CLAW_P_QUEUE);
	if (call->api == CLAW_API_clCloneKernel && call->args[0].objects &&
	    call->args[0].objects[0])
		found = object_of(build, call->args[0].objects[0])->parent;
	if (desc >= 0 && call->args[desc].objects)
		found = call->args[desc].objects[0];
	for (size_t i = 0; !found && i < sizeof(roles) / sizeof(*roles); i++)
		found = arg_object(call, roles[i]);
	return found;
}

static void add_range(struct claw_trace_build *build, claw_object_id id)
{
	const struct claw_trace_object *object = object_of(build, id);
	struct range *range = claw_malloc(sizeof(*range));
	void *const *old;

	*range = (struct range) { .start = object->handle, .id = id };
	if (__builtin_add_overflow(range->start,
				   object->bytes ? object->bytes : 1,
				   &range->end))
		range->end = UINT64_MAX;
	while ((old = tfind(range, &build->svm, compare_ranges))) {
		void *node = *old;

		tdelete(node, &build->svm, compare_ranges);
		free(node);
	}
	claw_made(tsearch(range, &build->svm, compare_ranges));
}

/* A call made something: an object of its own. */
static void make(struct claw_trace_build *build, uint32_t index,
		 enum claw_obj type, uint64_t handle, claw_object_id *ret_id)
{
	const struct claw_trace_call *call = &build->trace->calls[index];
	struct claw_trace_object made = {
		.type = type, .handle = handle, .made_by = index + 1,
		.parent = find_parent(build, call, type),
	};

	if (type == CLAW_OBJ_MEM || type == CLAW_OBJ_SVM ||
	    type == CLAW_OBJ_MAPPING)
		made.bytes = claw_trace_mem_bytes(build->trace, call);
	add_object(build, &made, ret_id);
	if (!*ret_id)
		return;
	build->states[*ret_id - 1].has_slot =
		has_slot(build, call->position, handle, *ret_id);
	if (type == CLAW_OBJ_SVM)
		add_range(build, *ret_id);
}

/* Handles that came through a pointer. Platforms and devices that are asked
 * for are the same each time. */
static void make_list(struct claw_trace_build *build, uint32_t index,
		      const struct claw_trace_payload *payload)
{
	struct claw_trace_call *call = &build->trace->calls[index];
	enum claw_obj type = (enum claw_obj)
		claw_api_table[call->api].objects[payload->param];
	struct claw_trace_arg *arg = &call->args[payload->param];
	bool asks = call->api == CLAW_API_clGetPlatformIDs ||
		call->api == CLAW_API_clGetDeviceIDs;

	for (uint32_t i = 0; arg->objects && i < arg->count; i++) {
		uint64_t handle = claw_payload_word(payload, i);

		if (handle == 0)
			continue;
		if (asks)
			claw_trace_objects_get(build, type, handle,
					       &arg->objects[i]);
		else
			make(build, index, type, handle, &arg->objects[i]);
	}
}

static bool succeeded(const struct claw_trace_call *call)
{
	return call->returned && call->result == CL_SUCCESS;
}

static void unreference(struct claw_trace_build *build, claw_object_id id,
			uint32_t index)
{
	struct claw_object_state *state;

	if (!id || !object_of(build, id)->made_by)
		return;
	state = &build->states[id - 1];
	if (state->references > 0)
		state->references--;
	if (state->references == 0)
		object_of(build, id)->released_by = index + 1;
	if (state->references == 0 && state->children == 0 && !state->has_slot)
		drop(build, id, index + 1);
}

/* clEnqueueSVMFree without a callback frees them. */
static void free_list(struct claw_trace_build *build, uint32_t index)
{
	const struct claw_trace_call *call = &build->trace->calls[index];
	const struct claw_trace_arg *list = &call->args[2];

	if (call->args[3].kind == CLAW_ARG_CALLBACK)
		return;
	for (uint32_t i = 0; list->objects && i < list->count; i++)
		unreference(build, list->objects[i], index);
}

void claw_trace_objects_enter(struct claw_trace_build *build, uint32_t index)
{
	const struct claw_trace_call *call = &build->trace->calls[index];
	const struct claw_api_info *info;
	const struct claw_trace_arg *arg = &call->args[0];

	if (call->api == CLAW_API_COUNT || !succeeded(call))
		return;
	info = &claw_api_table[call->api];
	if (call->api == CLAW_API_clEnqueueSVMFree) {
		free_list(build, index);
		return;
	}
	if (call->api == CLAW_API_clEnqueueUnmapMemObject)
		arg = &call->args[2];
	else if (info->effect != CLAW_RELEASES)
		return;
	else if (info->object == CLAW_OBJ_SVM && info->param_count > 0)
		arg = &call->args[info->param_count - 1];
	if (arg->objects && arg->count > 0)
		unreference(build, arg->objects[0], index);
}

void claw_trace_objects_leave(struct claw_trace_build *build, uint32_t index)
{
	const struct claw_trace_raw *raw = &build->records->list[index];
	struct claw_trace_call *call = &build->trace->calls[index];
	const struct claw_trace_payload *payload = NULL;
	enum claw_obj type;

	if (call->api == CLAW_API_COUNT)
		return;
	type = returned_type(call->api);
	if (type != CLAW_OBJ_NONE && raw->record->handle)
		make(build, index, type, raw->record->handle, &call->made);
	while ((payload = claw_raw_next(raw, payload)))
		if (payload->kind == CLAW_PAYLOAD_MADE &&
		    payload->param < call->arg_count)
			make_list(build, index, payload);
	if (claw_api_table[call->api].effect == CLAW_RETAINS &&
	    succeeded(call) && call->args[0].objects &&
	    call->args[0].objects[0])
		build->states[call->args[0].objects[0] - 1].references++;
}

/* ---- what slots know */

void claw_trace_objects_end(struct claw_trace_build *build, claw_object_id id,
			    uint32_t call)
{
	if (id)
		drop(build, id, call);
}

/* The last content before the first call of the ring; what changed it since
 * is in the ring, or is the reason that it is not known. */
static void set_first_content(const struct claw_trace_build *build,
			      const struct claw_trace_slot *slot,
			      struct claw_trace_object *object)
{
	const struct claw_trace_records *records = build->records;
	uint64_t first = records->kept < records->count ?
		records->list[records->kept].record->position : UINT64_MAX;
	bool changed = slot->changed_position &&
		slot->changed_position < first;

	if (object->type != CLAW_OBJ_MEM && object->type != CLAW_OBJ_SVM)
		return;
	if (!object->made_by ||
	    !build->trace->calls[object->made_by - 1].kept)
		return;
	if (slot->content.length > 0 && slot->content_position < first &&
	    !changed)
		object->first_content =
			claw_trace_contents_find(build->trace, &slot->content);
	else
		object->first_content_lost = changed ||
			slot->content_position >= first;
}

void claw_trace_objects_finish(struct claw_trace_build *build)
{
	for (size_t i = 0; i < build->records->slot_count; i++) {
		claw_object_id id = build->slot_objects[i];

		if (id)
			set_first_content(build, build->records->slots[i].slot,
					  object_of(build, id));
	}
}
