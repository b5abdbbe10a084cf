/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of a call, from the words and payloads of its record and what
 * handles are at that time. A payload that does not fit its parameter is
 * left out.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "trace_parts.h"

/* The argument that is being filled. */
struct filling {
	struct claw_trace_build *build;
	const struct claw_trace_raw *raw;
	struct claw_trace_call *call;
	struct claw_trace_arg *arg;
	unsigned int param;
	enum claw_holds holds;
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

static void get_object(const struct filling *filling, enum claw_obj type,
		       uint64_t handle, claw_object_id *ret_id)
{
	if (may_be_older(filling, type))
		claw_trace_objects_get(filling->build, type, handle, ret_id);
	else
		*ret_id = claw_trace_objects_find(filling->build, type, handle);
}

static void alloc_objects(const struct filling *filling, uint32_t count)
{
	filling->arg->objects = claw_arena_array(filling->build->arena, count,
						 sizeof(claw_object_id));
	filling->arg->count = count;
}

static void copy_bytes(const struct filling *filling, const void *bytes,
		       size_t size)
{
	filling->arg->bytes = claw_arena_copy(filling->build->arena, bytes,
					      size);
	filling->arg->size = size;
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
static void copy_content(const struct filling *filling, uint32_t content)
{
	struct claw_trace_build *build = filling->build;
	const struct claw_trace_bytes *bytes =
		&build->trace->contents[content - 1];
	const void **copy = &build->copies[content - 1];

	if (!*copy && bytes->bytes && bytes->length <= build->copy_budget) {
		*copy = claw_arena_copy(build->arena, bytes->bytes,
					(size_t)bytes->length);
		build->copy_budget -= bytes->length;
	}
	if (*copy) {
		filling->arg->bytes = *copy;
		filling->arg->size = (size_t)bytes->length;
	}
}

/* What the pointer pointed at, whether in the record or a content. */
static void fill_bytes(const struct filling *filling)
{
	const struct claw_trace_payload *payload =
		payload_of(filling, CLAW_PAYLOAD_BYTES);
	uint32_t content;

	if (payload) {
		copy_bytes(filling, payload + 1, payload->bytes);
		return;
	}
	payload = payload_of(filling, CLAW_PAYLOAD_CONTENT);
	if (!payload || payload->bytes < sizeof(struct claw_trace_content))
		return;
	content = find_content(filling, payload, 0);
	if (content)
		copy_content(filling, content);
}

/* Word number index of the bytes that the argument has. */
static uint64_t word_at(const struct claw_trace_arg *arg, size_t index)
{
	uint64_t word;

	memcpy(&word, (const char *)arg->bytes + index * 8, sizeof(word));
	return word;
}

/* ---- by kind */

static bool is_texts(enum claw_holds holds)
{
	return holds >= CLAW_HOLDS_SOURCES && holds <= CLAW_HOLDS_IL;
}

static enum claw_obj object_of(const struct filling *filling)
{
	return (enum claw_obj)claw_api_table[filling->raw->api]
		.objects[filling->param];
}

static void fill_object(const struct filling *filling)
{
	alloc_objects(filling, 1);
	get_object(filling, object_of(filling), filling->arg->word,
		   &filling->arg->objects[0]);
}

/* Bytes that are words, and an object for each. */
static void fill_words(const struct filling *filling)
{
	fill_bytes(filling);
	if (filling->arg->bytes)
		alloc_objects(filling, (uint32_t)(filling->arg->size / 8));
}

/* A list of handles; its words stay beside them. */
static void fill_objects(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;

	fill_words(filling);
	for (uint32_t i = 0; i < arg->count; i++)
		get_object(filling, object_of(filling),
			   word_at(arg, i), &arg->objects[i]);
}

/* Handles that the call will give out: known when it returns. */
static void fill_made(const struct filling *filling)
{
	const struct claw_trace_payload *payload =
		payload_of(filling, CLAW_PAYLOAD_MADE);

	if (payload)
		alloc_objects(filling, payload->bytes / 8);
}

/* contents: all of a payload; none: one that is not known. */
static void fill_contents(const struct filling *filling)
{
	enum claw_arg_kind kind = is_texts(filling->holds) ?
		CLAW_ARG_TEXTS : CLAW_ARG_CONTENT;
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
	arg->count = count;
	for (uint32_t i = 0; payload && i < count; i++)
		arg->contents[i] = find_content(filling, payload, i);
	if (kind == CLAW_ARG_CONTENT && count > 0 && arg->contents[0])
		arg->size = filling->build->trace->
			contents[arg->contents[0] - 1].length;
}

/* One handle in bytes of another kind: objects[0]. */
static void set_inner(const struct filling *filling, enum claw_obj type,
		      uint64_t handle)
{
	claw_object_id id = claw_trace_objects_find(filling->build, type,
						    handle);

	if (handle && id) {
		alloc_objects(filling, 1);
		filling->arg->objects[0] = id;
	}
}

/* clSetKernelArg: its value may be an object. */
static void set_arg_value(const struct filling *filling)
{
	static const enum claw_obj types[] = {
		CLAW_OBJ_MEM, CLAW_OBJ_SAMPLER, CLAW_OBJ_QUEUE,
	};
	uint64_t handle;

	if (filling->arg->size != sizeof(handle))
		return;
	memcpy(&handle, filling->arg->bytes, sizeof(handle));
	for (size_t i = 0; !filling->arg->objects &&
	     i < sizeof(types) / sizeof(*types); i++)
		set_inner(filling, types[i], handle);
}

/* Addresses in shared memory, an object for each that is one. */
static void set_svm_pointers(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;
	uint64_t offset;

	if (arg->size % 8)
		return;
	alloc_objects(filling, (uint32_t)(arg->size / 8));
	for (uint32_t i = 0; i < arg->count; i++)
		arg->objects[i] = claw_trace_objects_find_svm(filling->build, word_at(arg, i), &offset);
}

/* A description or value that may name an object. */
static void fill_in(const struct filling *filling)
{
	const char *name =
		claw_api_table[filling->raw->api].params[filling->param];
	cl_image_desc desc;

	fill_bytes(filling);
	if (!filling->arg->bytes)
		return;
	if (filling->raw->api == CLAW_API_clSetKernelArg) {
		set_arg_value(filling);
	} else if (filling->raw->api == CLAW_API_clSetKernelExecInfo) {
		set_svm_pointers(filling);
	} else if (!strcmp(name, "image_desc") &&
		   filling->arg->size >= sizeof(desc)) {
		memcpy(&desc, filling->arg->bytes, sizeof(desc));
		set_inner(filling, CLAW_OBJ_MEM,
			  (uint64_t)(uintptr_t)desc.mem_object);
	}
}

/* A platform where it is asked for one, and handles of devices. */
static void fill_properties(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;

	fill_words(filling);
	for (uint32_t i = 0; i < arg->count; i++)
		if (i > 0 && word_at(arg, i - 1) == CL_CONTEXT_PLATFORM)
			get_object(filling, CLAW_OBJ_PLATFORM,
				   word_at(arg, i), &arg->objects[i]);
		else
			arg->objects[i] = claw_trace_objects_find(
				filling->build, CLAW_OBJ_DEVICE,
				word_at(arg, i));
}

/* The lengths of texts are told by the texts. */
static void fill_lengths(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;
	const struct claw_trace *trace = filling->build->trace;
	const struct claw_trace_payload *payload =
		payload_of(filling, CLAW_PAYLOAD_BYTES);
	uint64_t *lengths;

	if (payload) {
		copy_bytes(filling, payload + 1, payload->bytes);
		return;
	}
	for (unsigned int i = 0; i < filling->call->arg_count; i++) {
		uint32_t count;

		if (!is_texts((enum claw_holds)claw_api_table[filling->raw->api]
				      .holds[i]))
			continue;
		payload = claw_raw_find(filling->raw, CLAW_PAYLOAD_TEXTS, i);
		count = payload ? payload->bytes /
			(uint32_t)sizeof(struct claw_trace_content) : 0;
		lengths = claw_arena_array(filling->build->arena, count,
					   sizeof(*lengths));
		for (uint32_t n = 0; n < count; n++) {
			uint32_t content = find_content(filling, payload, n);

			if (content)
				lengths[n] = trace->contents[content - 1].length;
		}
		arg->bytes = lengths;
		arg->size = count * sizeof(*lengths);
		return;
	}
}

/* Beside an object: what the program put into its memory there. */
static void set_content(const struct filling *filling)
{
	const struct claw_trace_payload *payload =
		payload_of(filling, CLAW_PAYLOAD_CONTENT);

	if (!payload || payload->bytes < sizeof(struct claw_trace_content))
		return;
	filling->arg->contents = claw_arena_array(filling->build->arena, 1,
						  sizeof(uint32_t));
	filling->arg->contents[0] = find_content(filling, payload, 0);
}

static void fill_svm(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;
	const struct claw_api_info *info = &claw_api_table[filling->raw->api];
	bool is_source = !strcmp(info->params[filling->param], "src_ptr");
	int size = claw_api_find_param(filling->raw->api, CLAW_P_SIZE);
	uint64_t offset;
	claw_object_id id = claw_trace_objects_find_svm(filling->build, arg->word, &offset);

	if (id) {
		arg->word = offset;
		alloc_objects(filling, 1);
		arg->objects[0] = id;
		set_content(filling);
	} else if (is_source) {		/* the program's own memory */
		fill_contents(filling);
	} else {
		arg->kind = CLAW_ARG_OUT;
		arg->size = size < 0 ? 0 :
			claw_raw_word(filling->raw, (unsigned)size);
	}
}

static void fill_svm_list(const struct filling *filling)
{
	fill_bytes(filling);
	if (filling->arg->bytes)
		set_svm_pointers(filling);
}

static void fill_mapped(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;

	alloc_objects(filling, 1);
	arg->objects[0] = claw_trace_objects_find(filling->build,
						  CLAW_OBJ_MAPPING, arg->word);
	if (arg->objects[0])
		arg->word = 0;
	set_content(filling);
}

/* Where the driver writes; another parameter may say how much. */
static void fill_out(const struct filling *filling)
{
	const struct claw_api_info *info = &claw_api_table[filling->raw->api];
	struct claw_trace_arg *arg = filling->arg;
	int count = info->counts[filling->param];
	uint64_t word = count < 0 ? 0 :
		claw_raw_word(filling->raw, (unsigned int)count);

	arg->size = info->bytes[filling->param];
	if (filling->holds == CLAW_HOLDS_VALUE_OUT)
		arg->size = word;
	else if (filling->holds == CLAW_HOLDS_OUT_LIST)
		arg->size *= word & UINT32_MAX;
}

/* What an argument is that holds that, and what fills the rest of it. */
static const struct {
	enum claw_arg_kind kind;
	void (*fill)(const struct filling *filling);
} fillings[] = {
	[CLAW_HOLDS_WORD] = { CLAW_ARG_WORD, NULL },
	[CLAW_HOLDS_WORD_POINTER] = { CLAW_ARG_WORD, NULL },
	[CLAW_HOLDS_OBJECT] = { CLAW_ARG_OBJECT, fill_object },
	[CLAW_HOLDS_OBJECTS] = { CLAW_ARG_OBJECTS, fill_objects },
	[CLAW_HOLDS_OBJECTS_OUT] = { CLAW_ARG_MADE, fill_made },
	[CLAW_HOLDS_IN] = { CLAW_ARG_BYTES, fill_in },
	[CLAW_HOLDS_LIST] = { CLAW_ARG_BYTES, fill_in },
	[CLAW_HOLDS_SIZES] = { CLAW_ARG_BYTES, fill_in },
	[CLAW_HOLDS_DIMENSIONS] = { CLAW_ARG_BYTES, fill_in },
	[CLAW_HOLDS_FIXED] = { CLAW_ARG_BYTES, fill_in },
	[CLAW_HOLDS_VALUE] = { CLAW_ARG_BYTES, fill_in },
	[CLAW_HOLDS_COLOR] = { CLAW_ARG_BYTES, fill_in },
	[CLAW_HOLDS_POINTERS] = { CLAW_ARG_BYTES, fill_in },
	[CLAW_HOLDS_TEXT] = { CLAW_ARG_BYTES, fill_in },
	[CLAW_HOLDS_NAME] = { CLAW_ARG_BYTES, fill_in },
	[CLAW_HOLDS_PROPERTIES] = { CLAW_ARG_PROPERTIES, fill_properties },
	[CLAW_HOLDS_PARTITION] = { CLAW_ARG_PROPERTIES, fill_properties },
	[CLAW_HOLDS_DATA_IN] = { CLAW_ARG_CONTENT, fill_contents },
	/* Its size when all of them are known. */
	[CLAW_HOLDS_DATA_OUT] = { CLAW_ARG_OUT, NULL },
	[CLAW_HOLDS_SOURCES] = { CLAW_ARG_TEXTS, fill_contents },
	[CLAW_HOLDS_NAMES] = { CLAW_ARG_TEXTS, fill_contents },
	[CLAW_HOLDS_BINARIES] = { CLAW_ARG_TEXTS, fill_contents },
	[CLAW_HOLDS_IL] = { CLAW_ARG_TEXTS, fill_contents },
	[CLAW_HOLDS_LENGTHS] = { CLAW_ARG_LENGTHS, fill_lengths },
	[CLAW_HOLDS_VALUE_OUT] = { CLAW_ARG_OUT, fill_out },
	[CLAW_HOLDS_OUT] = { CLAW_ARG_OUT, fill_out },
	[CLAW_HOLDS_OUT_LIST] = { CLAW_ARG_OUT, fill_out },
	[CLAW_HOLDS_SVM] = { CLAW_ARG_SVM, fill_svm },
	[CLAW_HOLDS_SVM_IN] = { CLAW_ARG_SVM, fill_svm },
	[CLAW_HOLDS_SVM_MAPPED] = { CLAW_ARG_SVM, fill_svm },
	[CLAW_HOLDS_SVM_LIST] = { CLAW_ARG_OBJECTS, fill_svm_list },
	[CLAW_HOLDS_MAPPED] = { CLAW_ARG_MAPPED, fill_mapped },
	[CLAW_HOLDS_ERRCODE] = { CLAW_ARG_ERRCODE, NULL },
	[CLAW_HOLDS_NOTIFY] = { CLAW_ARG_CALLBACK, NULL },
	[CLAW_HOLDS_USER_DATA] = { CLAW_ARG_USER_DATA, NULL },
};

static void fill(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;

	arg->word = claw_raw_word(filling->raw, filling->param);
	if (arg->word == 0 && filling->holds != CLAW_HOLDS_WORD) {
		arg->kind = CLAW_ARG_NULL;
		return;
	}
	arg->kind = fillings[filling->holds].kind;
	if (fillings[filling->holds].fill)
		fillings[filling->holds].fill(filling);
}

/* ---- asynchronous records: what it was told of, and the text */

static void fill_told(const struct filling *filling)
{
	struct claw_trace_arg *arg = filling->arg;
	const struct claw_trace_payload *payload =
		payload_of(filling, CLAW_PAYLOAD_BYTES);

	arg->kind = CLAW_ARG_OBJECT;
	arg->word = filling->raw->record->handle;
	alloc_objects(filling, 1);
	arg->objects[0] = claw_trace_objects_find(filling->build,
						  CLAW_OBJ_EVENT, arg->word);
	if (!arg->objects[0])
		arg->objects[0] = claw_trace_objects_find(filling->build,
						CLAW_OBJ_CONTEXT, arg->word);
	if (payload)
		copy_bytes(filling, payload + 1, payload->bytes);
}

void claw_trace_args_read(struct claw_trace_build *build, uint32_t index)
{
	struct claw_trace_call *call = &build->trace->calls[index];
	struct filling filling = {
		.build = build, .raw = &build->records->list[index],
		.call = call, .arg = &call->args[0],
	};
	int out = -1;

	if (call->api == CLAW_API_COUNT) {
		call->arg_count = 1;
		fill_told(&filling);
		return;
	}
	call->arg_count = claw_api_table[call->api].param_count;
	for (unsigned int i = 0; i < call->arg_count; i++) {
		filling.arg = &call->args[i];
		filling.param = i;
		filling.holds = claw_api_table[call->api].holds[i];
		if (filling.holds == CLAW_HOLDS_DATA_OUT)
			out = (int)i;
		fill(&filling);
	}
	if (out >= 0 && call->args[out].kind == CLAW_ARG_OUT)
		call->args[out].size = claw_trace_read_bytes(build->trace,
							     call);
	if (claw_api_is_launch(call->api))
		claw_trace_kernel_args_read(build, index);
}
