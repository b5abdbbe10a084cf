/* SPDX-License-Identifier: Apache-2.0 */
/* The buffers of a launch as lines of a kernel file. */
#include "config.h"

#include "emit_clw_private.h"

#include <inttypes.h>
#include <string.h>

#include "faults/shared/api.h"

static struct claw_clw_type buffer_type(const struct claw_emit_launch *e,
					const struct claw_trace_kernel_arg *arg,
					uint64_t bytes)
{
	struct claw_init_arg about = claw_emit_describe(e, arg->index);
	struct claw_clw_type type = { CLAW_CLW_UCHAR, 1 };

	if (about.is_ours && about.is_pointer)
		type = about.ours;
	return claw_emit_values_type(type, bytes);
}

/* A sub-buffer: where it begins, and in what. */
static bool find_part(const struct claw_emit_launch *e, claw_object_id object,
		      claw_object_id *ret_parent, size_t *ret_offset)
{
	const struct claw_trace_call *call = claw_emit_maker(e, object);
	int param;

	if (!call || call->api != CLAW_API_clCreateSubBuffer)
		return false;
	param = claw_api_find_name(call->api, "buffer_create_info");
	*ret_parent = call->args[0].count ? call->args[0].objects[0] : 0;
	if (param < 0 || !call->args[param].bytes ||
	    call->args[param].size < sizeof(*ret_offset))
		return false;
	memcpy(ret_offset, call->args[param].bytes, sizeof(*ret_offset));
	return true;
}

/* The first argument that is this memory, or -1. */
static int64_t first_with(const struct claw_emit_launch *e,
			  claw_object_id object)
{
	for (uint32_t i = 0; object && i < e->call->kernel_arg_count; i++)
		if (e->call->kernel_args[i].object == object)
			return e->call->kernel_args[i].index;
	return -1;
}

/* Two parts of a whole that is no argument itself share nothing in a kernel
 * file: a header has no name for it. */
static bool shares_with_another(const struct claw_emit_launch *e,
				claw_object_id parent, claw_object_id object)
{
	for (uint32_t i = 0; parent && i < e->call->kernel_arg_count; i++) {
		claw_object_id other = e->call->kernel_args[i].object, whole;
		size_t offset;

		if (other && other != object &&
		    find_part(e, other, &whole, &offset) && whole == parent)
			return true;
	}
	return false;
}

static void put_flags(const struct claw_emit_launch *e, claw_object_id object)
{
	static const struct {
		uint64_t flag;
		const char *word;
	} words[] = {
		{ CL_MEM_READ_ONLY, "read_only" },
		{ CL_MEM_WRITE_ONLY, "write_only" },
		{ CL_MEM_USE_HOST_PTR, "use_host_ptr" },
		{ CL_MEM_ALLOC_HOST_PTR, "alloc_host_ptr" },
	};
	const struct claw_trace_call *call = claw_emit_maker(e, object);
	int param = call ? claw_api_find_name(call->api, "flags") : -1;

	for (size_t i = 0; param >= 0 && i < sizeof(words) / sizeof(*words);
	     i++)
		if (call->args[param].word & words[i].flag)
			fprintf(e->out, " %s", words[i].word);
}

static unsigned int put_start(const struct claw_emit_launch *e, const char *key,
			      uint32_t index, struct claw_clw_type type,
			      uint64_t bytes)
{
	char text[16];

	claw_emit_type_text(text, type);
	return (unsigned int)fprintf(e->out, "%s %u buffer %s[%" PRIu64 "]",
				     key, index, text,
				     bytes / claw_clw_type_bytes(type));
}

static bool put_values(struct claw_emit_launch *e, uint32_t index,
		       struct claw_clw_type type, const void *bytes,
		       uint64_t size, unsigned int column)
{
	if (claw_emit_values(e->out, type, bytes, size, column))
		return true;
	return claw_emit_refuse(e,
		"argument %u is a buffer of %" PRIu64 " bytes that "
		"is neither short nor regular", index, size);
}

/* The values of argument first, or of a part of it, are in its own line. */
static bool put_alias(struct claw_emit_launch *e,
		      const struct claw_trace_kernel_arg *arg, int64_t first,
		      bool is_part, size_t offset)
{
	uint64_t bytes = e->trace->objects[arg->object - 1].bytes;

	put_start(e, "arg_in: ", arg->index, buffer_type(e, arg, bytes),
		  bytes);
	fprintf(e->out, " undefined alias %" PRId64, first);
	if (is_part)
		fprintf(e->out, " offset %zu", offset);
	fputc('\n', e->out);
	return true;
}

static bool put_gone(struct claw_emit_launch *e,
		     const struct claw_trace_kernel_arg *arg, uint64_t bytes)
{
	put_start(e, "arg_in: ", arg->index, buffer_type(e, arg, bytes),
		  bytes);
	fputs(" repeat 0 freed\n", e->out);
	return true;
}

/* What the launch made of it, where it did well. */
static bool put_expected(struct claw_emit_launch *e,
			 const struct claw_trace_kernel_arg *arg,
			 const struct claw_emit_memory *memory)
{
	struct claw_clw_type type = buffer_type(e, arg, memory->bytes);
	unsigned int column;

	if (!memory->after || (claw_emit_describe(e, arg->index).is_const &&
			       !memcmp(memory->before, memory->after,
				       (size_t)memory->bytes)))
		return true;
	column = put_start(e, "arg_out:", arg->index, type, memory->bytes);
	if (!put_values(e, arg->index, type, memory->after, memory->bytes,
			column))
		return false;
	fputc('\n', e->out);
	return true;
}

bool claw_emit_buffer(struct claw_emit_launch *e,
		      const struct claw_trace_kernel_arg *arg)
{
	const struct claw_trace_object *object =
		&e->trace->objects[arg->object - 1];
	const struct claw_emit_memory *memory =
		claw_emit_memories_get(&e->memories, arg->object);
	int64_t first = first_with(e, arg->object);
	claw_object_id parent = 0;
	size_t offset = 0;
	bool is_part = find_part(e, arg->object, &parent, &offset);
	unsigned int column;
	struct claw_clw_type type;

	if (first >= 0 && first < arg->index)
		return put_alias(e, arg, first, false, 0);
	if (is_part && first_with(e, parent) >= 0)
		return put_alias(e, arg, first_with(e, parent), true, offset);
	if (is_part && shares_with_another(e, parent, arg->object))
		return claw_emit_refuse(e,
			"argument %u and another are parts of one "
			"buffer that is no argument", arg->index);
	if (!memory)
		return put_gone(e, arg, object->bytes);
	type = buffer_type(e, arg, memory->bytes);
	column = put_start(e, "arg_in: ", arg->index, type, memory->bytes);
	if (!put_values(e, arg->index, type, memory->before, memory->bytes,
			column))
		return false;
	if (is_part && offset)
		fprintf(e->out, " offset %zu", offset);
	put_flags(e, arg->object);
	fputc('\n', e->out);
	return put_expected(e, arg, memory);
}
