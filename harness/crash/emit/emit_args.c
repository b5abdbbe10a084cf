/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of captured calls as C expressions. */
#include "config.h"

#include "emit_parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "faults/shared/api.h"

enum { LARGEST_PIXEL = 16 };

static const struct {
	const char *noun, *type;
} objects[CLAW_OBJ_COUNT] = {
	[CLAW_OBJ_DEVICE] = { "device", "cl_device_id" },
	[CLAW_OBJ_CONTEXT] = { "context", "cl_context" },
	[CLAW_OBJ_QUEUE] = { "queue", "cl_command_queue" },
	[CLAW_OBJ_MEM] = { "mem", "cl_mem" },
	[CLAW_OBJ_SAMPLER] = { "sampler", "cl_sampler" },
	[CLAW_OBJ_PROGRAM] = { "program", "cl_program" },
	[CLAW_OBJ_KERNEL] = { "kernel", "cl_kernel" },
	[CLAW_OBJ_EVENT] = { "event", "cl_event" },
	[CLAW_OBJ_SVM] = { "svm", "void *" },
	[CLAW_OBJ_PLATFORM] = { "platform", "cl_platform_id" },
	[CLAW_OBJ_MAPPING] = { "mapping", "void *" },
};

const char *claw_emit_type(enum claw_obj type)
{
	const char *name = type < CLAW_OBJ_COUNT ? objects[type].type : NULL;

	return name ? name : "void *";
}

const char *claw_emit_name(const struct claw_trace *trace, claw_object_id id)
{
	static char texts[8][40];
	static unsigned int turn;
	const struct claw_trace_object *object =
		claw_trace_object_get(trace, id);
	char *text = texts[turn++ % 8];
	const char *noun = object ? objects[object->type].noun : NULL;

	if (!object)
		return "NULL";
	snprintf(text, sizeof(texts[0]), "%s_%u", noun ? noun : "object", id);
	return text;
}

/* "{ a, b }" of words that are as wide as the size allows. */
static void put_array(FILE *out, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	size_t width = size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : 1;
	static const char *const types[] = {
		[1] = "cl_uchar", [4] = "cl_uint", [8] = "cl_ulong",
	};

	fprintf(out, "(%s[]){", types[width]);
	for (size_t i = 0; i < size; i += width) {
		uint64_t word = 0;

		for (size_t byte = width; byte-- > 0; )
			word = word << 8 | at[i + byte];
		fprintf(out, "%s%s%#" PRIx64, i ? "," : "",
			i && i % (8 * width) == 0 ? "\n\t\t\t" : " ", word);
	}
	fputs(" }", out);
}

void claw_emit_value(FILE *out, const void *bytes, size_t size)
{
	int32_t number;

	if (size == sizeof(number)) {
		memcpy(&number, bytes, sizeof(number));
		fprintf(out, number == INT32_MIN ? "&(cl_int){ CL_INT_MIN }" :
			"&(cl_int){ %" PRId32 " }", number);
	} else if (size) {
		put_array(out, bytes, size);
	} else {
		fputs("NULL", out);
	}
}

static bool is_text(const struct claw_trace_arg *arg)
{
	const char *text = arg->bytes;

	if (!arg->size || text[arg->size - 1] != '\0')
		return false;
	for (size_t i = 0; i + 1 < arg->size; i++)
		if (!isprint((unsigned char)text[i]) && !strchr("\t\n", text[i]))
			return false;
	return true;
}

static void put_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", out);
		else if (*text == '\t')
			fputs("\\t", out);
		else if (strchr("\"\\?", *text))
			fprintf(out, "\\%c", *text);
		else
			fputc(*text, out);
	}
	fputc('"', out);
}

static void put_sizes(FILE *out, const struct claw_trace_arg *arg)
{
	fputs("(size_t[]){", out);
	for (size_t i = 0; i + sizeof(size_t) <= arg->size; i += sizeof(size_t)) {
		size_t size;

		memcpy(&size, (const char *)arg->bytes + i, sizeof(size));
		fprintf(out, "%s %zu", i ? "," : "", size);
	}
	fputs(" }", out);
}

static bool is_sizes(const char *name)
{
	static const char *const ends[] = {
		"work_offset", "work_size", "origin", "region",
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (strstr(name, ends[i]))
			return true;
	return false;
}

/* The bytes that came from the program's memory are packed here. */
static bool is_host_place(const char *name)
{
	static const char *const names[] = {
		"host_row_pitch", "host_slice_pitch", "input_row_pitch",
		"input_slice_pitch", "host_origin", "image_row_pitch",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static bool gives_content(const struct claw_trace_call *call)
{
	for (unsigned int i = 0; i < call->arg_count; i++)
		if (call->args[i].kind == CLAW_ARG_CONTENT)
			return true;
	return false;
}

/* What is in the description of an image beside numbers. */
static void put_image_desc(struct claw_emit *emit,
			   const struct claw_trace_call *call,
			   const struct claw_trace_arg *arg)
{
	cl_image_desc desc;

	memcpy(&desc, arg->bytes, sizeof(desc));
	fputs("&(cl_image_desc){ .image_type = ", emit->out);
	claw_emit_number(emit->out, desc.image_type);
	fprintf(emit->out, ", .image_width = %zu, .image_height = %zu, "
		".image_depth = %zu, .image_array_size = %zu, "
		".num_mip_levels = %u, .num_samples = %u", desc.image_width,
		desc.image_height, desc.image_depth, desc.image_array_size,
		desc.num_mip_levels, desc.num_samples);
	if (!gives_content(call))
		fprintf(emit->out, ", .image_row_pitch = %zu, "
			".image_slice_pitch = %zu", desc.image_row_pitch,
			desc.image_slice_pitch);
	if (arg->objects && arg->objects[0])
		fprintf(emit->out, ", .mem_object = %s",
			claw_emit_name(emit->trace, arg->objects[0]));
	fputs(" }", emit->out);
}

/* The small structures of cl.h; false: it is none of them. */
static bool put_struct(FILE *out, const char *name,
		       const struct claw_trace_arg *arg)
{
	cl_image_format format;
	cl_buffer_region region;

	if (strcmp(name, "image_format") == 0 && arg->size >= sizeof(format)) {
		memcpy(&format, arg->bytes, sizeof(format));
		fputs("&(cl_image_format){ ", out);
		claw_emit_number(out, format.image_channel_order);
		fputs(", ", out);
		claw_emit_number(out, format.image_channel_data_type);
	} else if (strcmp(name, "buffer_create_info") == 0 &&
		   arg->size == sizeof(region)) {
		memcpy(&region, arg->bytes, sizeof(region));
		fprintf(out, "&(cl_buffer_region){ %zu, %zu", region.origin,
			region.size);
	} else {
		return false;
	}
	fputs(" }", out);
	return true;
}

static void put_bytes(struct claw_emit *emit,
		      const struct claw_trace_call *call, unsigned int param)
{
	const struct claw_trace_arg *arg = &call->args[param];
	const char *name = claw_api_table[call->api].params[param];

	if (arg->objects && arg->objects[0] && arg->count == 1 &&
	    strcmp(name, "image_desc") != 0)
		fprintf(emit->out, "&%s",
			claw_emit_name(emit->trace, arg->objects[0]));
	else if (!arg->bytes)
		fprintf(emit->out, "scratch(%zu)", arg->size);
	else if (is_sizes(name) && arg->size % sizeof(size_t) == 0)
		put_sizes(emit->out, arg);
	else if (strcmp(name, "image_desc") == 0 &&
		 arg->size >= sizeof(cl_image_desc))
		put_image_desc(emit, call, arg);
	else if (put_struct(emit->out, name, arg))
		return;
	else if (is_text(arg))
		put_text(emit->out, arg->bytes);
	else {
		fputs("(const void *)", emit->out);
		put_array(emit->out, arg->bytes, arg->size);
	}
}

static void put_properties(struct claw_emit *emit,
			   const struct claw_trace_arg *arg)
{
	uint64_t key = 0;

	fputs("(const void *)(cl_ulong[]){", emit->out);
	for (size_t i = 0; arg->bytes && i < arg->size / 8; i++) {
		uint64_t word;

		memcpy(&word, (const char *)arg->bytes + i * 8, sizeof(word));
		if (i < arg->count && arg->objects && arg->objects[i])
			fprintf(emit->out, "%s (cl_ulong)(size_t)%s",
				i ? "," : "",
				claw_emit_name(emit->trace, arg->objects[i]));
		else {
			fputs(i ? ", " : " ", emit->out);
			claw_emit_key(emit->out, key, word, i % 2);
		}
		key = word;
	}
	fputs(arg->bytes ? " }" : " 0 }", emit->out);
}

static void put_objects(struct claw_emit *emit,
			const struct claw_trace_call *call, unsigned int param)
{
	const struct claw_trace_arg *arg = &call->args[param];
	enum claw_obj type =
		(enum claw_obj)claw_api_table[call->api].objects[param];

	if (arg->count == 0) {
		fputs("NULL", emit->out);
		return;
	}
	fprintf(emit->out, "(%s[]){", claw_emit_type(type ? type : CLAW_OBJ_SVM));
	for (uint32_t i = 0; i < arg->count; i++)
		fprintf(emit->out, "%s %s", i ? "," : "",
			claw_emit_name(emit->trace, arg->objects[i]));
	fputs(" }", emit->out);
}

/* Bytes that the driver reads at most, where they are not known. */
static uint64_t reach_of(const struct claw_trace_call *call)
{
	int size = claw_api_find_param(call->api, CLAW_P_SIZE);
	int region = claw_api_find_name(call->api, "region");
	uint64_t bytes = size >= 0 ? call->args[size].word : LARGEST_PIXEL;

	for (size_t i = 0; region >= 0 && call->args[region].bytes &&
	     (i + 1) * sizeof(size_t) <= call->args[region].size; i++) {
		size_t extent;

		memcpy(&extent, (const char *)call->args[region].bytes +
		       i * sizeof(extent), sizeof(extent));
		if (__builtin_mul_overflow(bytes, extent, &bytes))
			return 0;
	}
	return bytes;
}

static bool keeps_memory(const struct claw_trace_call *call)
{
	int flags = claw_api_find_name(call->api, "flags");

	return claw_api_table[call->api].object == CLAW_OBJ_MEM && flags >= 0 &&
		call->args[flags].word & CL_MEM_USE_HOST_PTR;
}

static void put_content(struct claw_emit *emit,
			const struct claw_trace_call *call, uint32_t content,
			unsigned char as)
{
	if (!content) {
		emit->made_up++;
		fprintf(emit->out, "made_up(%" PRIu64 ")", reach_of(call));
		return;
	}
	if (!emit->used[content - 1])
		emit->used[content - 1] = as;
	/* Equal contents are one; memory that the driver keeps is not. */
	if (keeps_memory(call))
		fprintf(emit->out, "copy_of(content_%u, %" PRIu64 ")", content,
			emit->trace->contents[content - 1].length);
	else
		fprintf(emit->out, "content_%u", content);
}

static void put_texts(struct claw_emit *emit,
		      const struct claw_trace_call *call,
		      const struct claw_trace_arg *arg)
{
	fputs("(void *)(const void *[]){", emit->out);
	for (uint32_t i = 0; i < arg->count; i++) {
		fputs(i ? ", " : " ", emit->out);
		put_content(emit, call, arg->contents[i], CLAW_EMIT_TEXT);
	}
	fputs(" }", emit->out);
}

/* One handle goes into its variable; more than one into an array that
 * claw_emit_call() declares. */
static void put_made(struct claw_emit *emit, const struct claw_trace_arg *arg)
{
	if (arg->count == 1 && arg->objects[0])
		fprintf(emit->out, "&%s",
			claw_emit_name(emit->trace, arg->objects[0]));
	else if (arg->count > 1)
		fputs("made", emit->out);
	else
		fputs("scratch(8)", emit->out);
}

static void put_inside(struct claw_emit *emit, const struct claw_trace_arg *arg)
{
	claw_object_id id = arg->count ? arg->objects[0] : 0;

	if (arg->word && id)
		fprintf(emit->out, "(char *)%s + %" PRIu64,
			claw_emit_name(emit->trace, id), arg->word);
	else
		fputs(claw_emit_name(emit->trace, id), emit->out);
}

static void put_word(FILE *out, const struct claw_trace_call *call,
		     unsigned int param)
{
	const char *name = claw_api_table[call->api].params[param];
	uint64_t word = call->args[param].word;

	if (claw_api_table[call->api].roles[param] == CLAW_P_BLOCKING)
		fputs((uint32_t)word ? "CL_TRUE" : "CL_FALSE", out);
	else if (claw_emit_flags(out, call->api, param, word))
		return;
	else if (is_host_place(name) && gives_content(call))
		fputs("0", out);
	else
		fprintf(out, "%" PRIu64, word);
}

void claw_emit_arg(struct claw_emit *emit, const struct claw_trace_call *call,
		   unsigned int param)
{
	const struct claw_trace_arg *arg = &call->args[param];
	const char *name = claw_api_table[call->api].params[param];

	switch (arg->kind) {
	case CLAW_ARG_WORD:
		put_word(emit->out, call, param);
		break;
	case CLAW_ARG_OBJECT:
		fputs(claw_emit_name(emit->trace, arg->objects[0]), emit->out);
		break;
	case CLAW_ARG_OBJECTS:
		put_objects(emit, call, param);
		break;
	case CLAW_ARG_BYTES:
		if (is_host_place(name) && gives_content(call))
			fputs("(size_t[]){ 0, 0, 0 }", emit->out);
		else
			put_bytes(emit, call, param);
		break;
	case CLAW_ARG_PROPERTIES:
		put_properties(emit, arg);
		break;
	case CLAW_ARG_CONTENT:
		put_content(emit, call, arg->count ? arg->contents[0] : 0,
			    CLAW_EMIT_DATA);
		break;
	case CLAW_ARG_TEXTS:
		put_texts(emit, call, arg);
		break;
	case CLAW_ARG_LENGTHS:
		put_sizes(emit->out, arg);
		break;
	case CLAW_ARG_OUT:
		/* How a mapping lies: claw_emit_call() needs it. */
		if (call->api == CLAW_API_clEnqueueMapImage && call->made &&
		    strstr(name, "_pitch")) {
			fprintf(emit->out, "&pitches_%u[%d]", call->made,
				strcmp(name, "image_slice_pitch") == 0);
			break;
		}
		fprintf(emit->out, "scratch(%zu)", arg->size);
		break;
	case CLAW_ARG_MADE:
		put_made(emit, arg);
		break;
	case CLAW_ARG_ERRCODE:
		fputs("&err", emit->out);
		break;
	case CLAW_ARG_MAPPED:
	case CLAW_ARG_SVM:
		put_inside(emit, arg);
		break;
	case CLAW_ARG_NULL:
		/* The program did not ask; this one does. */
		fputs(claw_api_table[call->api].roles[param] ==
		      CLAW_P_ERRCODE ? "&err" : "NULL", emit->out);
		break;
	case CLAW_ARG_CALLBACK:
	case CLAW_ARG_USER_DATA:
		fputs("NULL", emit->out);
		break;
	}
}
