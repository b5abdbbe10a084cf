/* SPDX-License-Identifier: Apache-2.0 */
/* Add up what the objects of a trace take. */
#include "config.h"

#include "crash_memory.h"

#include <stdlib.h>

#include "harness/base/memory.h"

bool claw_crash_is_memory(const struct claw_trace *trace,
			  const struct claw_trace_object *object)
{
	const struct claw_trace_object *parent =
		claw_trace_object_get(trace, object->parent);

	if (object->type == CLAW_OBJ_SVM)
		return true;
	return object->type == CLAW_OBJ_MEM &&
	       (!parent || parent->type != CLAW_OBJ_MEM);
}

uint64_t claw_crash_memory_alive(const struct claw_crash_facts *facts,
				 uint32_t call, uint32_t *ret_objects)
{
	const struct claw_trace *trace = facts->trace;
	uint64_t bytes = 0;

	*ret_objects = 0;
	for (uint32_t i = 0; i < trace->object_count; i++) {
		const struct claw_trace_object *object = &trace->objects[i];

		if (!claw_crash_is_memory(trace, object) ||
		    object->made_by >= call ||
		    (object->gone_by && object->gone_by < call))
			continue;
		bytes += object->bytes;
		++*ret_objects;
	}
	return bytes;
}

static int by_call(const void *a, const void *b)
{
	const struct claw_crash_moment *x = a, *y = b;

	return (x->call > y->call) - (x->call < y->call);
}

static void add(struct claw_crash_memory *memory, uint32_t call,
		int64_t change, uint64_t asked)
{
	memory->moments[memory->count++] = (struct claw_crash_moment){
		.call = call, .change = change, .asked = asked,
	};
}

/* Allocations that were refused. */
static void add_refused(const struct claw_crash_facts *f,
			struct claw_crash_memory *memory)
{
	for (uint32_t i = 0; i < f->trace->call_count; i++) {
		const struct claw_trace_call *call = &f->trace->calls[i];
		const struct claw_trace_arg *size;

		if (!claw_crash_is_call(call) || !claw_crash_has_failed(call) ||
		    !(claw_api_table[call->api].groups & CLAW_G_ALLOC))
			continue;
		size = claw_trace_arg_find(call, CLAW_P_SIZE);
		add(memory, i + 1, 0, size ? size->word : 0);
	}
}

static void add_up(struct claw_crash_memory *memory)
{
	uint64_t alive = memory->before;
	uint32_t objects = 0;

	memory->peak = alive;
	qsort(memory->moments, memory->count, sizeof(*memory->moments),
	      by_call);
	for (size_t i = 0; i < memory->count; i++) {
		struct claw_crash_moment *moment = &memory->moments[i];

		alive += (uint64_t)moment->change;
		objects += moment->change > 0;
		objects -= moment->change < 0;
		moment->alive = alive;
		moment->objects = objects;
		if (alive > memory->peak)
			memory->peak = alive;
	}
}

void claw_crash_memory_follow(const struct claw_crash_facts *facts,
			      struct claw_crash_memory *ret_memory)
{
	const struct claw_trace *trace = facts->trace;
	size_t most = (size_t)trace->object_count * 2 + trace->call_count + 1;

	*ret_memory = (struct claw_crash_memory){
		.moments = claw_calloc(most, sizeof(*ret_memory->moments)),
	};
	for (uint32_t i = 0; i < trace->object_count; i++) {
		const struct claw_trace_object *object = &trace->objects[i];

		/* No size of a real one has the highest bit. */
		if (!claw_crash_is_memory(trace, object) || !object->bytes ||
		    object->bytes > INT64_MAX)
			continue;
		if (object->made_by)
			add(ret_memory, object->made_by,
			    (int64_t)object->bytes, 0);
		else
			ret_memory->before += object->bytes;
		if (object->gone_by)
			add(ret_memory, object->gone_by,
			    -(int64_t)object->bytes, 0);
	}
	add_refused(facts, ret_memory);
	add_up(ret_memory);
}

void claw_crash_memory_release(struct claw_crash_memory *memory)
{
	free(memory->moments);
	*memory = (struct claw_crash_memory){ .moments = NULL };
}

static const json_t *first_device(const struct claw_dump *dump)
{
	const json_t *platforms = json_object_get(
		json_object_get(dump->meta, "opencl"), "platforms");
	const json_t *device = NULL;

	for (size_t i = 0; !device && i < json_array_size(platforms); i++)
		device = json_array_get(json_object_get(
			json_array_get(platforms, i), "devices"), 0);
	return device;
}

uint64_t claw_crash_device_memory(const struct claw_dump *dump)
{
	return (uint64_t)json_integer_value(
		json_object_get(first_device(dump), "memory_bytes"));
}

uint64_t claw_crash_local_memory(const struct claw_dump *dump)
{
	return (uint64_t)json_integer_value(
		json_object_get(first_device(dump), "local_memory_bytes"));
}

const char *claw_crash_device_name(const struct claw_dump *dump)
{
	return json_string_value(json_object_get(first_device(dump), "name"));
}
