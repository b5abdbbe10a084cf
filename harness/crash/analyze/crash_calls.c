/* SPDX-License-Identifier: Apache-2.0 */
/* The captured calls in a report, each on a line as strace has them. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "crash_report.h"
#include "harness/crash/facts/crash_words.h"
#include "harness/crash/emit/emit_parts.h"
#include "harness/base/memory.h"
#include "harness/records/result_json.h"
#include "harness/base/text_clean.h"

enum {
	TEXT_MAX = 60,		/* of an argument's text */
	LIST_MAX = 6,		/* items of a list */
	FAILED_MAX = 10,	/* older calls that failed */
	KEPT_MAX = 20,
	PROPERTIES_MAX = 16,	/* keys and values */
};

/* ---- arguments -------------------------------------------------------- */

static void put_word(FILE *out, uint64_t word)
{
	if (word > UINT32_MAX)
		fprintf(out, "0x%" PRIx64, word);
	else
		fprintf(out, "%" PRIu64, word);
}

static void put_object(FILE *out, const struct claw_trace *trace,
		       claw_object_id id, uint64_t word)
{
	if (id)
		fputs(claw_trace_object_name(trace, id), out);
	else if (word)
		fprintf(out, "unknown 0x%" PRIx64, word);
	else
		fputs("NULL", out);
}

static void put_objects(FILE *out, const struct claw_trace *trace,
			const struct claw_trace_arg *arg)
{
	fputc('[', out);
	for (uint32_t i = 0; arg->objects && i < arg->count && i < LIST_MAX;
	     i++) {
		fputs(i ? ", " : "", out);
		put_object(out, trace, arg->objects[i], 0);
	}
	fputs(arg->count > LIST_MAX ? ", ...]" : "]", out);
}

static bool is_sizes(const char *name)
{
	return strstr(name, "size") || strstr(name, "offset") ||
	       strstr(name, "origin") || strstr(name, "region");
}

/* Printable, with a NUL at its end. */
static bool is_text(const struct claw_trace_arg *arg)
{
	const unsigned char *bytes = arg->bytes;

	if (!bytes || arg->size < 2 || bytes[arg->size - 1])
		return false;
	for (size_t i = 0; i + 1 < arg->size; i++)
		if (bytes[i] < 0x20 && bytes[i] != '\t' && bytes[i] != '\n')
			return false;
	return true;
}

/* Options or a name, if it was given one without a character. */
static bool is_empty_text(const struct claw_trace_arg *arg, const char *name)
{
	return arg->size == 1 && arg->bytes && !*(const char *)arg->bytes &&
	       (strcmp(name, "options") == 0 || strstr(name, "name"));
}

static void put_bytes(FILE *out, const struct claw_crash_facts *f,
		      const struct claw_trace_arg *arg, const char *name)
{
	if (is_empty_text(arg, name)) {
		fputs("\"\"", out);
	} else if (is_text(arg)) {
		size_t length = arg->size - 1;
		char *text = claw_text_clean(arg->bytes, length < TEXT_MAX ?
					     length : TEXT_MAX);

		fprintf(out, "\"%.*s%s\"", (int)strcspn(text, "\n"),
			text, length > TEXT_MAX ? "..." : "");
		free(text);
	} else if (arg->objects && arg->count) {
		put_object(out, f->trace, arg->objects[0],
			   claw_crash_size(arg, 0));
	} else if (is_sizes(name) && arg->size % 8 == 0 && arg->bytes) {
		for (unsigned int i = 0; i < arg->size / 8 && i < LIST_MAX; i++)
			fprintf(out, "%s%" PRIu64, i ? ", " : "[",
				claw_crash_size(arg, i));
		fputc(']', out);
	} else if (arg->bytes && arg->size && arg->size <= 8) {
		uint64_t word = 0;

		memcpy(&word, arg->bytes, arg->size);
		put_word(out, word);
	} else {
		fprintf(out, "%zu bytes", arg->size);
	}
}

static uint64_t content_bytes(const struct claw_trace *trace,
			      const struct claw_trace_arg *arg)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; arg->contents && i < arg->count; i++)
		if (arg->contents[i] && arg->contents[i] <=
		    trace->content_count)
			bytes += trace->contents[arg->contents[i] - 1].length;
	return bytes;
}

/* A number, by its name where it has one. */
static void put_number(FILE *out, const struct claw_trace_call *call,
		       unsigned int param)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	uint64_t word = call->args[param].word;

	if (info->roles[param] == CLAW_P_BLOCKING)
		fputs(word ? "CL_TRUE" : "CL_FALSE", out);
	else if (!info->params[param] ||
		 !claw_emit_flags(out, call->api, param, word))
		put_word(out, word);
}

/* Keys and values, with the 0 at the end. */
static void put_properties(FILE *out, const struct claw_trace_arg *arg)
{
	uint64_t key = 0;

	if (!arg->bytes || arg->size < sizeof(uint64_t)) {
		fputs("properties", out);
		return;
	}
	fputc('[', out);
	for (unsigned int i = 0; i < arg->size / sizeof(key) &&
	     i < PROPERTIES_MAX; i++) {
		uint64_t word = claw_crash_size(arg, i);
		bool is_value = i % 2;

		if (!is_value && !word)
			break;
		fputs(i ? ", " : "", out);
		if (is_value && key == CL_CONTEXT_PLATFORM)
			fputs("platform", out);
		else
			claw_emit_key(out, key, word, is_value);
		key = word;
	}
	fputc(']', out);
}

static void put_arg(FILE *out, const struct claw_crash_facts *f,
		    const struct claw_trace_call *call, unsigned int param)
{
	const struct claw_trace_arg *arg = &call->args[param];
	const char *name = claw_api_table[call->api].params[param];

	switch (arg->kind) {
	case CLAW_ARG_NULL:
		fputs("NULL", out);
		break;
	case CLAW_ARG_OBJECT:
		put_object(out, f->trace, arg->objects && arg->count ?
			   arg->objects[0] : 0, arg->word);
		break;
	case CLAW_ARG_OBJECTS:
		put_objects(out, f->trace, arg);
		break;
	case CLAW_ARG_BYTES:
		put_bytes(out, f, arg, name ? name : "");
		break;
	case CLAW_ARG_CONTENT:
	case CLAW_ARG_TEXTS:
		fprintf(out, "%" PRIu64 " bytes", content_bytes(f->trace, arg));
		break;
	case CLAW_ARG_OUT:
		fprintf(out, "-> %zu bytes", arg->size);
		break;
	case CLAW_ARG_MAPPED:
	case CLAW_ARG_SVM:
		put_object(out, f->trace, arg->objects && arg->count ?
			   arg->objects[0] : 0, 0);
		if (arg->word)
			fprintf(out, " + %" PRIu64, arg->word);
		break;
	case CLAW_ARG_CALLBACK:
		fputs("callback", out);
		break;
	case CLAW_ARG_PROPERTIES:
		put_properties(out, arg);
		break;
	case CLAW_ARG_LENGTHS:
		fputs("lengths", out);
		break;
	default:
		put_number(out, call, param);
	}
}

/* What says nothing about the call. */
static bool is_left_out(const struct claw_trace_arg *arg)
{
	return arg->kind == CLAW_ARG_ERRCODE ||
	       arg->kind == CLAW_ARG_USER_DATA || arg->kind == CLAW_ARG_MADE;
}

static void put_args(FILE *out, const struct claw_crash_facts *f,
		     const struct claw_trace_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	const char *between = "(";

	for (uint32_t i = 0; i < call->arg_count && i < info->param_count;
	     i++) {
		if (is_left_out(&call->args[i]))
			continue;
		fputs(between, out);
		put_arg(out, f, call, i);
		between = ", ";
	}
	fputs(*between == '(' ? "()" : ")", out);
}

static void put_made(FILE *out, const struct claw_crash_facts *f,
		     const struct claw_trace_call *call)
{
	const char *between = " -> ";

	for (uint32_t i = 0; i < call->arg_count; i++) {
		if (call->args[i].kind != CLAW_ARG_MADE)
			continue;
		for (uint32_t j = 0; call->args[i].objects &&
		     j < call->args[i].count && j < LIST_MAX; j++) {
			if (!call->args[i].objects[j])
				continue;
			fprintf(out, "%s%s", between, claw_trace_object_name(
				f->trace, call->args[i].objects[j]));
			between = ", ";
		}
	}
}

static void put_result(FILE *out, const struct claw_crash_facts *f,
		       const struct claw_trace_call *call)
{
	if (!call->returned)
		fputs(" ... has not returned", out);
	else if (call->made)
		fprintf(out, " = %s", claw_trace_object_name(f->trace,
							     call->made));
	else if (claw_crash_is_call(call) &&
		 claw_api_table[call->api].fails_as == CLAW_VOID)
		return;
	else
		fprintf(out, " = %s", claw_crash_result_name(call->result));
	put_made(out, f, call);
}

/* One call with its arguments and its result, without a newline. */
static void put_line(FILE *out, const struct claw_crash_facts *facts,
		     uint32_t number)
{
	const struct claw_trace_call *call = claw_crash_call(facts, number);
	char *place;

	if (!call)
		return;
	fprintf(out, "#%" PRIu32 " ", call->number);
	if (claw_crash_is_call(call)) {
		fputs(claw_crash_api_name(call), out);
		put_args(out, facts, call);
		put_result(out, facts, call);
	} else {
		fprintf(out, "(the status of %s: %s)",
			claw_trace_object_name(facts->trace,
					       claw_crash_event(call)),
			claw_crash_result_name(call->result));
	}
	fputs(claw_crash_tag(call), out);
	place = call->site ? claw_crash_place(facts, call->site) : NULL;
	if (place)
		fprintf(out, " at %s", place);
	free(place);
}

/* ---- lists ------------------------------------------------------------ */

/* ">": the end is told by it; "!": it failed; "?": it has not returned. */
static char mark_of(const struct claw_crash_view *view, uint32_t number)
{
	const struct claw_trace_call *call =
		claw_crash_call(view->facts, number);

	if (number == view->crash->call)
		return '>';
	if (!call->returned)
		return '?';
	return call->result < 0 ? '!' : number == view->crash->launch ? '*' :
		' ';
}

static void print_one(const struct claw_crash_view *view, uint32_t number)
{
	fprintf(view->out, "%c ", mark_of(view, number));
	put_line(view->out, view->facts, number);
	fputc('\n', view->out);
}

/* Index of the first of the last calls. */
static uint32_t first_shown(const struct claw_crash_view *view)
{
	const struct claw_trace *trace = view->facts->trace;
	uint32_t ring = trace->first_ring_call <= trace->call_count ?
		trace->first_ring_call : trace->call_count;

	return trace->call_count - ring > view->calls ?
		trace->call_count - view->calls : ring;
}

/* Calls that failed before those that are shown, and the culprit. */
static void print_earlier(const struct claw_crash_view *view, uint32_t first)
{
	const struct claw_trace *trace = view->facts->trace;
	unsigned int shown = 0;

	for (uint32_t i = trace->first_ring_call; i < first &&
	     shown < FAILED_MAX; i++) {
		if (!claw_crash_has_failed(&trace->calls[i]) &&
		    i + 1 != view->crash->launch && i + 1 != view->crash->call)
			continue;
		print_one(view, i + 1);
		shown++;
	}
	if (first > trace->first_ring_call)
		fputs("  ...\n", view->out);
}

static void print_kept(const struct claw_crash_view *view)
{
	const struct claw_trace *trace = view->facts->trace;
	uint32_t most = view->calls == UINT32_MAX ? UINT32_MAX : KEPT_MAX;

	if (trace->first_ring_call == 0 ||
	    trace->first_ring_call > trace->call_count)
		return;
	fprintf(view->out, "\n"
		"Older calls whose objects were still alive (%" PRIu32 "):\n",
		trace->first_ring_call);
	for (uint32_t i = 0; i < trace->first_ring_call && i < most; i++)
		print_one(view, i + 1);
	if (trace->first_ring_call > most)
		fputs("  ... (--calls all)\n", view->out);
}

void claw_crash_print_calls(const struct claw_crash_view *view)
{
	const struct claw_trace *trace = view->facts->trace;
	uint32_t first = first_shown(view);

	if (trace->call_count == 0) {
		fputs("\nLast calls: not available\n", view->out);
		return;
	}
	fprintf(view->out, "\nLast calls (%" PRIu32 " of %" PRIu64 "; > the "
		"end, * the launch, ! failed, ? has not returned):\n",
		trace->call_count - first, trace->forgotten +
		trace->call_count);
	print_earlier(view, first);
	for (uint32_t i = first; i < trace->call_count; i++)
		print_one(view, i + 1);
	claw_crash_print_polls(view);
	print_kept(view);
}

static json_t *call_json(const struct claw_crash_view *view, uint32_t number)
{
	const struct claw_trace_call *call =
		claw_crash_call(view->facts, number);
	json_t *object = json_object();
	char *line = NULL;
	size_t size;
	FILE *out = claw_text_begin(&line, &size);

	{
		put_line(out, view->facts, number);
		claw_text_end(out);
	}
	claw_json_add_number(object, "number", call->number);
	claw_json_add_text(object, "function", claw_crash_is_call(call) ?
			   claw_crash_api_name(call) : "event-status");
	claw_json_add_text(object, "line", line);
	claw_json_add_number(object, "thread", call->thread);
	json_object_set_new(object, "returned", json_boolean(call->returned));
	if (call->returned && call->result)
		claw_json_add_text(object, "result",
				   claw_crash_result_name(call->result));
	json_object_set_new(object, "injected",
			    json_boolean(claw_crash_is_injected(call)));
	json_object_set_new(object, "kept", json_boolean(call->kept));
	free(line);
	return object;
}

json_t *claw_crash_calls_json(const struct claw_crash_view *view)
{
	const struct claw_trace *trace = view->facts->trace;
	json_t *list = json_array();

	for (uint32_t i = first_shown(view); i < trace->call_count; i++)
		json_array_append_new(list, call_json(view, i + 1));
	return list;
}
