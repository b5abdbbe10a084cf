/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of a call, from the words and payloads of its record and what
 * handles are at that time. A payload that does not fit its parameter is
 * left out.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "trace_parts.h"
#include "trace_shape.h"

/* The argument that is being filled. */
struct filling {
	struct claw_trace_build *build;
	const struct claw_trace_raw *raw;
	struct claw_trace_call *call;
	struct claw_trace_arg *arg;
	const struct claw_shape *shape;
	unsigned int param;
};

static const struct claw_trace_payload *
payload_of(const struct filling *filling, enum claw_payload_kind kind)
{
	return claw_raw_find(filling->raw, kind, filling->param);
}

/* May a handle that nothing made be an object? Platforms and devices come
 * from queries, which are not kept; the rest when something was dropped. */
static bool may_be_older(const struct filling *filling, enum claw_obj type)
{
	const struct claw_trace_call *call = filling->call;

	if (type == CLAW_OBJ_PLATFORM)
		return call->result != CL_INVALID_PLATFORM;
	if (type == CLAW_OBJ_DEVICE)
		return call->result != CL_INVALID_DEVICE;
	return filling->build->records->header.slots_dropped > 0 &&
		call->returned && call->result == CL_SUCCESS;
}

static int get_object(const struct filling *filling, enum claw_obj type,
		      uint64_t handle, claw_object_id *ret_id)
{
	if (may_be_older(filling, type))
		return claw_trace_objects_get(filling->build, type, handle,
					      ret_id);
	*ret_id = claw_trace_objects_find(filling->build, type, handle);
	return 0;
}

static int alloc_objects(const struct filling *filling, uint32_t count)
{
	filling->arg->objects = claw_arena_array(filling->build->arena, count,
						 sizeof(claw_object_id));
	if (!filling->arg->objects)
		return -CLAW_E_NO_MEMORY;
	filling->arg->count = count;
	return 0;
}

static int copy_bytes(const struct filling *filling, const void *bytes,
		      size_t size)
{
	filling->arg->bytes = claw_arena_copy(filling->build->arena, bytes,
					      size);
	filling->arg->size = size;
	return filling->arg->bytes ? 0 : -CLAW_E_NO_MEMORY;
}

/* ---- bytes */

static uint32_t find_content(const struct filling *filling,
			     const struct claw_trace_payload *payload,
			     uint32_t number)
{
	return claw_trace_payload_content(filling->build->trace, payload,
					  number);
}

/* A content where it is aligned and ends with a NUL: one copy of each, and no
 * more of all than was given. */
static int copy_content(const struct filling *filling, uint32_t content)
{
	struct claw_trace_build *build = filling->build;
	const struct claw_trace_bytes *bytes =
		&build->trace->contents[content - 1];
	const void **copy = &build->copies[content - 1];

	if (!*copy && bytes->bytes && bytes->length <= build->copy_budget) {
		*copy = claw_arena_copy(build->arena, bytes->bytes,
					(size_t)bytes->length);
		if (!*copy)
			return -CLAW_E_NO_MEMORY;
		build->copy_budget -= bytes->length;
	}
	if (*copy) {
		filling->arg->bytes = *copy;
		filling->arg->size = (size_t)bytes->length;
	}
	return 0;
}

/* What the pointer pointed at, whether in the record or a content. */
static int fill_bytes(const struct filling *filling)
{
	const struct claw_trace_payload *payload =
		payload_of(filling, CLAW_PAYLOAD_BYTES);
	struct claw_trace_arg *arg = filling->arg;
	uint32_t content;

	arg->kind = CLAW_ARG_BYTES;
	if (payload)
		return copy_bytes(filling, payload + 1, payload->bytes);
	payload = payload_of(filling, CLAW_PAYLOAD_CONTENT);
	if (!payload || payload->bytes < sizeof(struct claw_trace_content))
		return 0;
	content = find_content(filling, payload, 0);
	return content ? copy_content(filling, content) : 0;
}

/* Word number index of the bytes that the argument has. */
static uint64_t word_at(const struct claw_trace_arg *arg, size_t index)
{
	uint64_t word;

	memcpy(&word, (const char *)arg->bytes + index * 8, sizeof(word));
	return word;
}

/* ---- by kind */

static int fill_object(const struct filling *filling)
{
	filling->arg->kind = CLAW_ARG_OBJECT;
	if (alloc_objects(filling, 1) < 0)
		return -CLAW_E_NO_MEMORY;
	return get_object(filling, filling->shape->object, filling->arg->word,
			  &filling->arg->objects[0]);
}

/* Bytes that are words, and an object for each. */
static int fill_words(const struct filling *filling)
{
	int ret = fill_bytes(filling);

	if (ret < 0 || !filling->arg->bytes)
		return ret;
	return alloc_objects(filling, (uint32_t)(filling->arg->size / 8));
}

/* A list of handles; its words stay beside them. */
static int fill_objects(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;
	int ret = fill_words(filling);

	arg->kind = CLAW_ARG_OBJECTS;
	for (uint32_t i = 0; ret == 0 && i < arg->count; i++)
		ret = get_object(filling, filling->shape->object,
				 word_at(arg, i), &arg->objects[i]);
	return ret;
}

/* Handles that the call will give out: known when it returns. */
static int fill_made(const struct filling *filling)
{
	const struct claw_trace_payload *payload =
		payload_of(filling, CLAW_PAYLOAD_MADE);

	filling->arg->kind = CLAW_ARG_MADE;
	return payload ? alloc_objects(filling, payload->bytes / 8) : 0;
}

/* contents: all of a payload; none: one that is not known. */
static int fill_contents(const struct filling *filling,
			 enum claw_arg_kind kind)
{
	const struct claw_trace_payload *payload =
		payload_of(filling, CLAW_PAYLOAD_TEXTS);
	struct claw_trace_arg *arg = filling->arg;
	uint32_t count = 1;

	if (!payload)
		payload = payload_of(filling, CLAW_PAYLOAD_CONTENT);
	if (payload)
		count = payload->bytes / sizeof(struct claw_trace_content);
	if (count == 0 && kind == CLAW_ARG_CONTENT) {
		payload = NULL;
		count = 1;
	}
	arg->kind = kind;
	arg->contents = claw_arena_array(filling->build->arena, count,
					 sizeof(*arg->contents));
	if (!arg->contents)
		return -CLAW_E_NO_MEMORY;
	arg->count = count;
	for (uint32_t i = 0; payload && i < count; i++)
		arg->contents[i] = find_content(filling, payload, i);
	if (kind == CLAW_ARG_CONTENT && count > 0 && arg->contents[0])
		arg->size = filling->build->trace->
			contents[arg->contents[0] - 1].length;
	return 0;
}

/* One handle in bytes of another kind: objects[0]. */
static int set_inner(const struct filling *filling, enum claw_obj type,
		     uint64_t handle)
{
	claw_object_id id = claw_trace_objects_find(filling->build, type,
						    handle);

	if (handle == 0 || !id)
		return 0;
	if (alloc_objects(filling, 1) < 0)
		return -CLAW_E_NO_MEMORY;
	filling->arg->objects[0] = id;
	return 0;
}

/* clSetKernelArg: its value may be an object. */
static int set_arg_value(const struct filling *filling)
{
	static const enum claw_obj types[] = {
		CLAW_OBJ_MEM, CLAW_OBJ_SAMPLER, CLAW_OBJ_QUEUE,
	};
	uint64_t handle;
	int ret = 0;

	if (filling->arg->size != sizeof(handle))
		return 0;
	memcpy(&handle, filling->arg->bytes, sizeof(handle));
	for (size_t i = 0; ret == 0 && !filling->arg->objects &&
	     i < sizeof(types) / sizeof(*types); i++)
		ret = set_inner(filling, types[i], handle);
	return ret;
}

/* Addresses in shared memory, an object for each that is one. */
static int set_svm_pointers(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;
	uint64_t offset;

	if (arg->size % 8)
		return 0;
	if (alloc_objects(filling, (uint32_t)(arg->size / 8)) < 0)
		return -CLAW_E_NO_MEMORY;
	for (uint32_t i = 0; i < arg->count; i++)
		arg->objects[i] = claw_trace_objects_find_svm(filling->build, word_at(arg, i), &offset);
	return 0;
}

/* A description or value that may name an object. */
static int fill_in(const struct filling *filling)
{
	const char *name =
		claw_api_table[filling->raw->api].params[filling->param];
	cl_image_desc desc;
	int ret = fill_bytes(filling);

	if (ret < 0 || !filling->arg->bytes)
		return ret;
	if (filling->raw->api == CLAW_API_clSetKernelArg)
		return set_arg_value(filling);
	if (filling->raw->api == CLAW_API_clSetKernelExecInfo)
		return set_svm_pointers(filling);
	if (!strcmp(name, "image_desc") && filling->arg->size >= sizeof(desc)) {
		memcpy(&desc, filling->arg->bytes, sizeof(desc));
		return set_inner(filling, CLAW_OBJ_MEM,
				 (uint64_t)(uintptr_t)desc.mem_object);
	}
	return 0;
}

/* A platform where it is asked for one, and handles of devices. */
static int fill_properties(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;
	int ret = fill_words(filling);

	arg->kind = CLAW_ARG_PROPERTIES;
	for (uint32_t i = 0; ret == 0 && i < arg->count; i++)
		if (i > 0 && word_at(arg, i - 1) == CL_CONTEXT_PLATFORM)
			ret = get_object(filling, CLAW_OBJ_PLATFORM,
					 word_at(arg, i), &arg->objects[i]);
		else
			arg->objects[i] = claw_trace_objects_find(
				filling->build, CLAW_OBJ_DEVICE,
				word_at(arg, i));
	return ret;
}

/* The lengths of texts are told by the texts. */
static int fill_lengths(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;
	const struct claw_trace *trace = filling->build->trace;
	const struct claw_trace_payload *payload =
		payload_of(filling, CLAW_PAYLOAD_BYTES);
	uint64_t *lengths;

	arg->kind = CLAW_ARG_LENGTHS;
	if (payload)
		return copy_bytes(filling, payload + 1, payload->bytes);
	for (unsigned int i = 0; i < filling->call->arg_count; i++) {
		uint32_t count;

		if (claw_shape_get(filling->raw->api, i)->kind !=
		    CLAW_SHAPE_TEXTS)
			continue;
		payload = claw_raw_find(filling->raw, CLAW_PAYLOAD_TEXTS, i);
		count = payload ? payload->bytes /
			(uint32_t)sizeof(struct claw_trace_content) : 0;
		lengths = claw_arena_array(filling->build->arena, count,
					   sizeof(*lengths));
		if (!lengths)
			return -CLAW_E_NO_MEMORY;
		for (uint32_t n = 0; n < count; n++) {
			uint32_t content = find_content(filling, payload, n);

			if (content)
				lengths[n] = trace->contents[content - 1].length;
		}
		arg->bytes = lengths;
		arg->size = count * sizeof(*lengths);
		return 0;
	}
	return 0;
}

/* Beside an object: what the program put into its memory there. */
static int set_content(const struct filling *filling)
{
	const struct claw_trace_payload *payload =
		payload_of(filling, CLAW_PAYLOAD_CONTENT);

	if (!payload || payload->bytes < sizeof(struct claw_trace_content))
		return 0;
	filling->arg->contents = claw_arena_array(filling->build->arena, 1,
						  sizeof(uint32_t));
	if (!filling->arg->contents)
		return -CLAW_E_NO_MEMORY;
	filling->arg->contents[0] = find_content(filling, payload, 0);
	return 0;
}

static int fill_svm(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;
	const struct claw_api_info *info = &claw_api_table[filling->raw->api];
	bool is_source = !strcmp(info->params[filling->param], "src_ptr");
	int size = claw_api_find_param(filling->raw->api, CLAW_P_SIZE);
	uint64_t offset;
	claw_object_id id = claw_trace_objects_find_svm(filling->build, arg->word, &offset);

	if (id) {
		arg->kind = CLAW_ARG_SVM;
		arg->word = offset;
		if (alloc_objects(filling, 1) < 0)
			return -CLAW_E_NO_MEMORY;
		arg->objects[0] = id;
		return set_content(filling);
	}
	/* The program's own memory. */
	if (is_source)
		return fill_contents(filling, CLAW_ARG_CONTENT);
	arg->kind = CLAW_ARG_OUT;
	arg->size = size >= 0 ? claw_raw_word(filling->raw, (unsigned)size) : 0;
	return 0;
}

static int fill_svm_list(const struct filling *filling)
{
	int ret = fill_bytes(filling);

	filling->arg->kind = CLAW_ARG_OBJECTS;
	return ret < 0 || !filling->arg->bytes ? ret :
		set_svm_pointers(filling);
}

static int fill_mapped(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;

	arg->kind = CLAW_ARG_MAPPED;
	if (alloc_objects(filling, 1) < 0)
		return -CLAW_E_NO_MEMORY;
	arg->objects[0] = claw_trace_objects_find(filling->build,
						  CLAW_OBJ_MAPPING, arg->word);
	if (arg->objects[0])
		arg->word = 0;
	return set_content(filling);
}

/* Where the driver writes; the parameter before it may say how much. */
static void fill_out(const struct filling *filling)
{
	const struct claw_shape *shape = filling->shape;
	uint64_t before = filling->param > 0 ?
		claw_raw_word(filling->raw, filling->param - 1) : 0;
	struct claw_trace_arg *arg = filling->arg;
	int count = claw_shape_find_count(filling->raw->api, filling->param);

	arg->kind = CLAW_ARG_OUT;
	if (shape->kind == CLAW_SHAPE_VALUE_OUT)
		arg->size = before;
	else if (shape->is_list && count >= 0)
		arg->size = (claw_raw_word(filling->raw, (unsigned int)count) &
			     UINT32_MAX) * shape->element_bytes;
	else
		arg->size = shape->element_bytes;
}

static int fill_pointer(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;

	switch (filling->shape->kind) {
	case CLAW_SHAPE_OBJECTS:
		return fill_objects(filling);
	case CLAW_SHAPE_OBJECTS_OUT:
		return fill_made(filling);
	case CLAW_SHAPE_IN:
		return fill_in(filling);
	case CLAW_SHAPE_PROPERTIES:
		return fill_properties(filling);
	case CLAW_SHAPE_DATA_IN:
		return fill_contents(filling, CLAW_ARG_CONTENT);
	case CLAW_SHAPE_TEXTS:
		return fill_contents(filling, CLAW_ARG_TEXTS);
	case CLAW_SHAPE_LENGTHS:
		return fill_lengths(filling);
	case CLAW_SHAPE_SVM:
		return fill_svm(filling);
	case CLAW_SHAPE_SVM_LIST:
		return fill_svm_list(filling);
	case CLAW_SHAPE_MAPPED:
		return fill_mapped(filling);
	case CLAW_SHAPE_DATA_OUT:
		arg->kind = CLAW_ARG_OUT;
		return 0;	/* its size when all of them are known */
	case CLAW_SHAPE_VALUE_OUT:
	case CLAW_SHAPE_OUT:
		fill_out(filling);
		return 0;
	case CLAW_SHAPE_ERRCODE:
		arg->kind = CLAW_ARG_ERRCODE;
		return 0;
	case CLAW_SHAPE_CALLBACK:
		arg->kind = CLAW_ARG_CALLBACK;
		return 0;
	case CLAW_SHAPE_USER_DATA:
		arg->kind = CLAW_ARG_USER_DATA;
		return 0;
	case CLAW_SHAPE_OBJECT:
		return fill_object(filling);
	case CLAW_SHAPE_WORD:
		break;
	}
	arg->kind = CLAW_ARG_WORD;
	return 0;
}

static int fill(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;

	arg->word = claw_raw_word(filling->raw, filling->param);
	if (arg->word == 0 && (filling->shape->is_pointer ||
			       filling->shape->kind == CLAW_SHAPE_OBJECT)) {
		arg->kind = CLAW_ARG_NULL;
		return 0;
	}
	return fill_pointer(filling);
}

/* ---- asynchronous records: what it was told of, and the text */

static int fill_told(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;
	const struct claw_trace_payload *payload =
		payload_of(filling, CLAW_PAYLOAD_BYTES);

	arg->kind = CLAW_ARG_OBJECT;
	arg->word = filling->raw->record->handle;
	if (alloc_objects(filling, 1) < 0)
		return -CLAW_E_NO_MEMORY;
	arg->objects[0] = claw_trace_objects_find(filling->build,
						  CLAW_OBJ_EVENT, arg->word);
	if (!arg->objects[0])
		arg->objects[0] = claw_trace_objects_find(filling->build,
						CLAW_OBJ_CONTEXT, arg->word);
	return payload ? copy_bytes(filling, payload + 1, payload->bytes) : 0;
}

int claw_trace_args_read(struct claw_trace_build *build, uint32_t index)
{
	struct claw_trace_call *call = &build->trace->calls[index];
	struct filling filling = {
		.build = build, .raw = &build->records->list[index],
		.call = call, .arg = &call->args[0],
	};
	int out = -1, ret = 0;

	if (call->api == CLAW_API_COUNT) {
		call->arg_count = 1;
		return fill_told(&filling);
	}
	call->arg_count = claw_api_table[call->api].param_count;
	for (unsigned int i = 0; ret == 0 && i < call->arg_count; i++) {
		filling.arg = &call->args[i];
		filling.shape = claw_shape_get(call->api, i);
		filling.param = i;
		if (filling.shape->kind == CLAW_SHAPE_DATA_OUT)
			out = (int)i;
		ret = fill(&filling);
	}
	if (ret == 0 && out >= 0 && call->args[out].kind == CLAW_ARG_OUT)
		call->args[out].size = claw_trace_read_bytes(build->trace,
							     call);
	if (ret == 0 && claw_api_is_launch(call->api))
		ret = claw_trace_kernel_args_read(build, index);
	return ret;
}
