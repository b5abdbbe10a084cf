/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments that a kernel had at a launch. */
#include "config.h"

#include <stdlib.h>

#include "trace_parts.h"

enum {
	HANDLES = CLAW_PAYLOAD_IS_MEM | CLAW_PAYLOAD_IS_HANDLE |
		  CLAW_PAYLOAD_IS_SVM,
};

static int compare_kernel_args(const void *a, const void *b)
{
	const struct claw_trace_kernel_arg *first = a, *second = b;

	return (first->index > second->index) - (first->index < second->index);
}

static claw_object_id find_handle(const struct claw_trace_build *build,
				  const struct claw_trace_payload *payload,
				  struct claw_trace_kernel_arg *arg)
{
	static const enum claw_obj types[] = {
		CLAW_OBJ_MEM, CLAW_OBJ_SAMPLER, CLAW_OBJ_QUEUE,
	};
	uint64_t handle = claw_payload_word(payload, 0);
	claw_object_id id = 0;

	arg->is_null = handle == 0;
	if (payload->flags & CLAW_PAYLOAD_IS_SVM)
		return claw_trace_objects_find_svm(build, handle, &arg->offset);
	for (size_t i = 0; !id && i < sizeof(types) / sizeof(*types); i++)
		id = claw_trace_objects_find(build, types[i], handle);
	return id;
}

static void fill_kernel_arg(struct claw_trace_build *build,
			    struct claw_trace_call *call,
			    const struct claw_trace_payload *payload,
			    struct claw_trace_kernel_arg *arg)
{
	arg->index = payload->index;
	arg->size = payload->value;
	arg->is_local = payload->flags & CLAW_PAYLOAD_IS_LOCAL;
	arg->is_svm = payload->flags & CLAW_PAYLOAD_IS_SVM;
	if (arg->is_local)
		return;
	if (payload->flags & HANDLES && payload->bytes >= 8) {
		arg->object = find_handle(build, payload, arg);
		if (arg->object || arg->is_null)
			return;
	}
	if (payload->flags & CLAW_PAYLOAD_CUT || payload->bytes < arg->size) {
		call->args_unknown = true;
		return;
	}
	arg->value = claw_arena_copy(build->arena, payload + 1,
				     payload->bytes);
}

/* What was read back before the launch; args are sorted. */
static void set_before(const struct claw_trace_build *build,
		       const struct claw_trace_call *call,
		       const struct claw_trace_payload *payload)
{
	const struct claw_trace_kernel_arg wanted = {
		.index = payload->index,
	};
	struct claw_trace_kernel_arg *arg =
		call->kernel_arg_count == 0 ? NULL :
		bsearch(&wanted, call->kernel_args, call->kernel_arg_count,
			sizeof(wanted), compare_kernel_args);

	if (arg && payload->bytes >= sizeof(struct claw_trace_content))
		arg->before = claw_trace_payload_content(build->trace,
							  payload, 0);
}

/* ---- those of an earlier launch */

static const struct claw_trace_payload *
find_same(const struct claw_trace_raw *raw)
{
	const struct claw_trace_payload *payload = NULL;

	while ((payload = claw_raw_next(raw, payload)))
		if (payload->kind == CLAW_PAYLOAD_SAME)
			return payload;
	return NULL;
}

static int compare_positions(const void *key, const void *item)
{
	uint64_t position = *(const uint64_t *)key;
	const struct claw_trace_raw *raw = item;

	return (position > raw->record->position) -
		(position < raw->record->position);
}

static int compare_base(const void *key, const void *item)
{
	uint64_t position = *(const uint64_t *)key;
	const struct claw_trace_raw_base *base = item;

	return (position > base->position) - (position < base->position);
}

/* What has the arguments: a launch, or behind all calls a base. */
static const struct claw_trace_raw *
base_at(const struct claw_trace_build *build, uint32_t number)
{
	const struct claw_trace_records *records = build->records;

	return number < records->count ? &records->list[number] :
		&records->bases[number - records->count].raw;
}

/* The number of the earlier launch of that kernel, or of what was written of
 * it once more; UINT32_MAX: the ring has forgotten both, or it is none. */
static uint32_t find_base(const struct claw_trace_build *build,
			  uint32_t index, uint64_t position)
{
	const struct claw_trace_records *records = build->records;
	const struct claw_trace_raw *raw = &records->list[index], *found;
	const struct claw_trace_raw_base *again = NULL;

	if (index < records->kept || raw->record->position <= position)
		return UINT32_MAX;
	found = bsearch(&position, records->list + records->kept,
			records->count - records->kept,
			sizeof(*records->list), compare_positions);
	if (!found && records->base_count > 0)
		again = bsearch(&position, records->bases, records->base_count,
				sizeof(*records->bases), compare_base);
	if (again)
		found = &again->raw;
	if (!found || found->api >= CLAW_API_COUNT ||
	    !claw_api_is_launch(found->api) ||
	    claw_raw_word(found, 1) != claw_raw_word(raw, 1))
		return UINT32_MAX;
	return (uint32_t)(again ? records->count + (size_t)(again -
							    records->bases) :
			  (size_t)(found - records->list));
}

/* Are the handles that the launch names still those objects? */
static bool is_still(const struct claw_trace_build *build,
		     const struct claw_trace_raw *base,
		     const struct claw_trace_call *call)
{
	const struct claw_trace_payload *payload = NULL;

	while ((payload = claw_raw_next(base, payload))) {
		struct claw_trace_kernel_arg probe = {
			.index = payload->index,
		};
		const struct claw_trace_kernel_arg *arg;

		if (payload->kind == CLAW_PAYLOAD_BEFORE)
			return false;
		if (payload->kind != CLAW_PAYLOAD_ARGUMENT ||
		    !(payload->flags & HANDLES) || payload->bytes < 8)
			continue;
		arg = call->kernel_arg_count == 0 ? NULL :
			bsearch(&probe, call->kernel_args,
				call->kernel_arg_count, sizeof(probe),
				compare_kernel_args);
		probe.object = find_handle(build, payload, &probe);
		if (!arg || arg->object != probe.object ||
		    arg->offset != probe.offset)
			return false;
	}
	return true;
}

/* Arguments as the payloads of that record say. */
static void read_args(struct claw_trace_build *build,
		      struct claw_trace_call *call,
		      const struct claw_trace_raw *raw)
{
	const struct claw_trace_payload *payload = NULL;
	uint32_t count = 0;

	while ((payload = claw_raw_next(raw, payload)))
		count += payload->kind == CLAW_PAYLOAD_ARGUMENT;
	if (count == 0)
		return;
	call->kernel_args = claw_arena_array(build->arena, count,
					     sizeof(*call->kernel_args));
	while ((payload = claw_raw_next(raw, payload)))
		if (payload->kind == CLAW_PAYLOAD_ARGUMENT)
			fill_kernel_arg(build, call, payload,
				&call->kernel_args[call->kernel_arg_count++]);
	qsort(call->kernel_args, count, sizeof(*call->kernel_args),
	      compare_kernel_args);
}

/*
 * The launches with the same arguments share them, for as long as the handles
 * are the same objects. A trace that says so of many launches and many objects
 * takes no more memory and time than it may.
 */
static void read_same(struct claw_trace_build *build, uint32_t index,
		      uint64_t position)
{
	struct claw_trace_call *call = &build->trace->calls[index];
	uint32_t base = find_base(build, index, position);
	const struct claw_trace_raw *raw =
		base == UINT32_MAX ? NULL : base_at(build, base);
	const struct claw_trace_call *from;
	uint64_t bytes = raw ? raw->record->bytes : UINT64_MAX;

	if (bytes > build->look_budget) {
		call->args_unknown = true;
		return;
	}
	build->look_budget -= bytes;
	if (!build->latest[base] && base < build->records->count)
		build->latest[base] = base + 1;
	from = build->latest[base] ?
		&build->trace->calls[build->latest[base] - 1] : NULL;
	if (from && is_still(build, raw, from)) {
		call->kernel_args = from->kernel_args;
		call->kernel_arg_count = from->kernel_arg_count;
		call->args_unknown |= from->args_unknown;
		return;
	}
	bytes *= 4;
	if (bytes > build->copy_budget) {
		call->args_unknown = true;
		return;
	}
	build->copy_budget -= bytes;
	build->latest[base] = index + 1;
	read_args(build, call, raw);
}

void claw_trace_kernel_args_read(struct claw_trace_build *build, uint32_t index)
{
	const struct claw_trace_raw *raw = &build->records->list[index];
	struct claw_trace_call *call = &build->trace->calls[index];
	const struct claw_trace_payload *payload = find_same(raw);

	call->args_unknown = build->trace->redacted;
	if (payload) {
		read_same(build, index, payload->value);
		return;
	}
	read_args(build, call, raw);
	while ((payload = claw_raw_next(raw, payload)))
		if (payload->kind == CLAW_PAYLOAD_BEFORE)
			set_before(build, call, payload);
}
