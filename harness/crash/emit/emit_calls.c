/* SPDX-License-Identifier: Apache-2.0 */
/* Captured calls as C statements, one or a few each. */
#include "config.h"

#include "emit_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/api.h"
#include "harness/base/memory.h"

/* ---- kernels' arguments ------------------------------------------------ */

static bool is_same(const struct claw_trace_kernel_arg *a,
		    const struct claw_trace_kernel_arg *b)
{
	return a->object == b->object && a->offset == b->offset &&
	       a->size == b->size && a->is_local == b->is_local &&
	       a->is_svm == b->is_svm && a->is_null == b->is_null &&
	       !a->value == !b->value &&
	       (!a->value || !memcmp(a->value, b->value, a->size));
}

static bool is_set(struct claw_emit *emit, claw_object_id kernel,
		   const struct claw_trace_kernel_arg *arg)
{
	struct claw_emit_kernel *known;

	if (!kernel || arg->index >= CLAW_EMIT_ARGUMENTS)
		return false;
	known = &emit->kernels[kernel - 1];
	if (!known->arguments)
		known->arguments = claw_calloc(CLAW_EMIT_ARGUMENTS,
					       sizeof(*known->arguments));
	if (known->arguments[arg->index] &&
	    is_same(known->arguments[arg->index], arg))
		return true;
	known->arguments[arg->index] = arg;
	return false;
}

static void put_kernel_arg(struct claw_emit *emit, claw_object_id kernel,
			   const struct claw_trace_kernel_arg *arg)
{
	FILE *out = emit->out;
	const char *name = claw_emit_name(emit->trace, kernel);

	emit->counts[arg->is_svm && arg->object ?
		     CLAW_API_clSetKernelArgSVMPointer :
		     CLAW_API_clSetKernelArg]++;
	if (arg->is_svm && arg->object) {
		fprintf(out, "\tclSetKernelArgSVMPointer(%s, %u, (char *)%s + "
			"%" PRIu64 ");\n", name, arg->index,
			claw_emit_name(emit->trace, arg->object), arg->offset);
		return;
	}
	fprintf(out, "\tclSetKernelArg(%s, %u, %" PRIu64 ", ", name, arg->index,
		arg->size);
	if (arg->is_local)
		fputs("NULL", out);
	else if (arg->object)
		fprintf(out, "&%s", claw_emit_name(emit->trace, arg->object));
	else if (arg->is_null)
		fputs("&(cl_mem){ NULL }", out);
	else if (arg->value)
		claw_emit_value(out, arg->value, arg->size);
	else {
		emit->made_up++;
		fprintf(out, "zeros(%" PRIu64 ") /* not known */", arg->size);
	}
	fputs(");\n", out);
}

static bool is_image(const struct claw_trace *trace,
		     const struct claw_trace_object *object)
{
	const struct claw_trace_call *call = object->made_by ?
		&trace->calls[object->made_by - 1] : NULL;

	return call && call->api < CLAW_API_COUNT &&
		claw_api_find_name(call->api, "image_format") >= 0;
}

/* What was read back before the launch, where earlier calls may be gone. */
static void put_before(struct claw_emit *emit,
		       const struct claw_trace_call *call,
		       const struct claw_trace_kernel_arg *arg)
{
	const struct claw_trace_arg *queue =
		claw_trace_arg_find(call, CLAW_P_QUEUE);

	const struct claw_trace_object *object =
		claw_trace_object_get(emit->trace, arg->object);

	if (!emit->trace->forgotten || !arg->before || !object ||
	    object->type != CLAW_OBJ_MEM || is_image(emit->trace, object) ||
	    !queue || !queue->count ||
	    !emit->trace->contents[arg->before - 1].bytes)
		return;
	emit->counts[CLAW_API_clEnqueueWriteBuffer]++;
	emit->used[arg->before - 1] = CLAW_EMIT_DATA;
	fprintf(emit->out, "\tclEnqueueWriteBuffer(%s, %s, CL_TRUE, 0, %" PRIu64
		", content_%u,\n\t\t\t0, NULL, NULL);\n",
		claw_emit_name(emit->trace, queue->objects[0]),
		claw_emit_name(emit->trace, arg->object),
		emit->trace->contents[arg->before - 1].length, arg->before);
}

static void put_kernel_args(struct claw_emit *emit,
			    const struct claw_trace_call *call)
{
	claw_object_id kernel = claw_trace_launched(call);

	if (call->args_unknown)
		fputs("\t/* Its kernel's arguments are not known. */\n",
		      emit->out);
	for (uint32_t i = 0; i < call->kernel_arg_count; i++) {
		const struct claw_trace_kernel_arg *arg = &call->kernel_args[i];

		put_before(emit, call, arg);
		if (!is_set(emit, kernel, arg))
			put_kernel_arg(emit, kernel, arg);
	}
}

/* ---- calls ------------------------------------------------------------- */

const char *claw_emit_left_out(const struct claw_trace_call *call)
{
	if (call->api >= CLAW_API_COUNT)
		return "an event's or context's status";
	if (claw_api_table[call->api].extension)
		return "an extension function";
	switch (call->api) {
	case CLAW_API_clGetPlatformIDs:
	case CLAW_API_clGetDeviceIDs:
		return call->result ? NULL : "find_devices() does it";
	case CLAW_API_clSetKernelArg:
	case CLAW_API_clSetKernelArgSVMPointer:
		/* The launches set what they need. */
		return call->result || !call->returned ? NULL : "";
	case CLAW_API_clSetEventCallback:
	case CLAW_API_clSetMemObjectDestructorCallback:
	case CLAW_API_clSetContextDestructorCallback:
	case CLAW_API_clSetProgramReleaseCallback:
	case CLAW_API_clEnqueueNativeKernel:
		return "a function of the program's";
	default:
		break;
	}
	return claw_api_table[call->api].groups & CLAW_G_QUERY &&
		!call->result ? "a query" : NULL;
}

bool claw_emit_is_early(const struct claw_trace_call *call)
{
	return call->api == CLAW_API_clGetPlatformIDs ||
	       call->api == CLAW_API_clGetDeviceIDs;
}

/* Memory whose first contents are older than the calls: with them. */
static uint32_t kept_content(const struct claw_emit *emit,
			     const struct claw_trace_call *call)
{
	const struct claw_trace_object *object =
		claw_trace_object_get(emit->trace, call->made);

	if (!call->kept || call->api != CLAW_API_clCreateBuffer || !object ||
	    !object->first_content ||
	    !emit->trace->contents[object->first_content - 1].bytes ||
	    emit->trace->contents[object->first_content - 1].length <
	    object->bytes)
		return 0;
	return object->first_content;
}

static void put_arguments(struct claw_emit *emit,
			  const struct claw_trace_call *call)
{
	uint32_t content = kept_content(emit, call);

	for (unsigned int i = 0; i < call->arg_count; i++) {
		const char *name = claw_api_table[call->api].params[i];

		if (i)
			fputs(", ", emit->out);
		if (content && !strcmp(name, "host_ptr")) {
			emit->used[content - 1] = CLAW_EMIT_DATA;
			fprintf(emit->out, "copy_of(content_%u, %" PRIu64 ")",
				content, emit->trace->contents[content - 1].
				length);
		} else if (content && !strcmp(name, "flags") &&
			   !(call->args[i].word & CL_MEM_USE_HOST_PTR)) {
			claw_emit_flags(emit->out, call->api, i,
					(call->args[i].word &
					 ~(uint64_t)CL_MEM_ALLOC_HOST_PTR) |
					CL_MEM_COPY_HOST_PTR);
		} else {
			claw_emit_arg(emit, call, i);
		}
	}
}

/* More than one handle comes out: through an array. */
static const struct claw_trace_arg *
find_many(const struct claw_trace_call *call)
{
	for (unsigned int i = 0; i < call->arg_count; i++)
		if (call->args[i].kind == CLAW_ARG_MADE &&
		    call->args[i].count > 1)
			return &call->args[i];
	return NULL;
}

static void put_call(struct claw_emit *emit, const struct claw_trace_call *call,
		     const struct claw_trace_arg *many)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	enum claw_obj type = many && many->objects[0] ?
		emit->trace->objects[many->objects[0] - 1].type : CLAW_OBJ_NONE;

	if (many)
		fprintf(emit->out, "\t{\n\t%s made[%u] = { NULL };\n",
			claw_emit_type(type), many->count);
	fputc('\t', emit->out);
	if (info->fails_as == CLAW_STATUS)
		fputs("err = ", emit->out);
	else if (info->fails_as != CLAW_VOID && call->made)
		fprintf(emit->out, "%s = ",
			claw_emit_name(emit->trace, call->made));
	fprintf(emit->out, "%s(", info->name);
	put_arguments(emit, call);
	fputs(");\n", emit->out);
	for (uint32_t i = 0; many && i < many->count; i++)
		if (many->objects[i])
			fprintf(emit->out, "\t%s = made[%u];\n",
				claw_emit_name(emit->trace, many->objects[i]),
				i);
	if (many)
		fputs("\t}\n", emit->out);
}

/* What the program wrote into a mapping, row by row where it is an image's. */
static void put_written(struct claw_emit *emit,
			const struct claw_trace_arg *arg, uint32_t content)
{
	const char *name = claw_emit_name(emit->trace, arg->objects[0]);
	uint64_t length = emit->trace->contents[content - 1].length;
	uint32_t made_by = emit->trace->objects[arg->objects[0] - 1].made_by;
	const struct claw_trace_call *map = made_by ?
		&emit->trace->calls[made_by - 1] : NULL;
	int region = map ? claw_api_find_name(map->api, "region") : -1;
	size_t sizes[3];

	if (map && !emit->has_gates && claw_api_is_map(map->api) &&
	    !(uint32_t)map->args[2].word && map->args[0].count) {
		emit->counts[CLAW_API_clFinish]++;
		fprintf(emit->out, "\tclFinish(%s);\n", claw_emit_name(
			emit->trace, map->args[0].objects[0]));
	}
	if (!map || map->api != CLAW_API_clEnqueueMapImage || region < 0 ||
	    !map->args[region].bytes ||
	    map->args[region].size < sizeof(sizes)) {
		fprintf(emit->out, "\tif (%s)\n\t\tmemcpy((char *)%s + %" PRIu64
			", content_%u, %" PRIu64 ");\n", name, name,
			arg->word, content, length);
		return;
	}
	memcpy(sizes, map->args[region].bytes, sizeof(sizes));
	fprintf(emit->out, "\tput_rows(%s, content_%u, %" PRIu64 ", %zu, %zu, "
		"pitches_%u);\n", name, content,
		sizes[1] && sizes[2] ? length / sizes[1] / sizes[2] : length,
		sizes[1], sizes[2], arg->objects[0]);
}

static void put_mapping(struct claw_emit *emit,
			const struct claw_trace_call *call)
{
	for (unsigned int i = 0; i < call->arg_count; i++) {
		const struct claw_trace_arg *arg = &call->args[i];
		uint32_t content = arg->contents ? arg->contents[0] : 0;

		if ((arg->kind != CLAW_ARG_MAPPED && arg->kind != CLAW_ARG_SVM) ||
		    !content || !arg->count || !arg->objects[0] ||
		    !emit->trace->contents[content - 1].bytes)
			continue;
		emit->used[content - 1] = CLAW_EMIT_DATA;
		put_written(emit, arg, content);
	}
}

static void put_expected(struct claw_emit *emit,
			 const struct claw_trace_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	if (!call->returned) {
		fprintf(emit->out, "\t/* The program did not come back from "
			"it. */\n");
		return;
	}
	if (info->fails_as != CLAW_VOID)
		fprintf(emit->out, "\tcheck(err, %d, %u, \"%s\");\n",
			call->result, call->number, info->name);
}

/* Nobody has called anything: an event came to its end. */
static void put_status(struct claw_emit *emit,
		       const struct claw_trace_call *call)
{
	claw_object_id id = call->arg_count && call->args[0].objects &&
		call->args[0].count ? call->args[0].objects[0] : 0;

	if (!id || emit->trace->objects[id - 1].type != CLAW_OBJ_EVENT ||
	    call->result >= 0)
		return;
	emit->counts[CLAW_API_clWaitForEvents]++;
	emit->counts[CLAW_API_clGetEventInfo]++;
	fprintf(emit->out, "\t/* #%u: the command failed */\n"
		"\tcheck(status_of(%s), %d, %u, \"the command\");\n",
		call->number, claw_emit_name(emit->trace, id), call->result,
		call->number);
}

static void put_whole(struct claw_emit *emit, uint32_t index)
{
	const struct claw_trace_call *call = &emit->trace->calls[index];
	const struct claw_api_info *info = &claw_api_table[call->api];

	fprintf(emit->out, "\t/* #%u%s%s */\n", call->number,
		call->kept ? ", earlier" : "",
		call->flags & CLAW_REC_INJECTED ? " (INJECTED)" : "");
	if (claw_api_is_launch(call->api))
		put_kernel_args(emit, call);
	if (call->api == CLAW_API_clEnqueueUnmapMemObject ||
	    call->api == CLAW_API_clEnqueueSVMUnmap)
		put_mapping(emit, call);
	if (info->fails_as != CLAW_STATUS)
		fputs("\terr = CL_SUCCESS;\n", emit->out);
	emit->numbers[index] = ++emit->counts[call->api];
	put_call(emit, call, find_many(call));
	put_expected(emit, call);
}

/* Written apart, and brought to lines then. */
void claw_emit_call(struct claw_emit *emit, uint32_t index)
{
	const struct claw_trace_call *call = &emit->trace->calls[index];
	const char *why = claw_emit_left_out(call);
	FILE *out = emit->out;
	char *text = NULL;
	size_t size;

	emit->out = claw_text_begin(&text, &size);
	if (call->api >= CLAW_API_COUNT)
		put_status(emit, call);
	else if (why && *why)
		fprintf(emit->out, "\t/* #%u %s: %s */\n", call->number,
			claw_api_table[call->api].name, why);
	else if (!why)
		put_whole(emit, index);
	claw_text_end(emit->out);
	emit->out = out;
	claw_emit_wrap(out, text);
	free(text);
}
