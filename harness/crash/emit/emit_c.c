/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C program of a captured one: its frame, its files. The calls are in
 * functions of some hundred lines, in the order of the replay.
 */
#include "config.h"

#include "emit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/shared/emit_marker.h"
#include "emit_model.h"
#include "emit_parts.h"
#include "harness/base/errors.h"
#include "harness/session/fault_plan.h"
#include "harness/base/memory.h"
#include "harness/crash/replay/replay.h"
#include "harness/crash/player/replay_order.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"

enum { CALLS_A_FUNCTION = 100, NAME_BYTES = 40, COMMENT_COLUMNS = 78 };

/* ---- files ------------------------------------------------------------- */

/* A directory that is new, or empty. */
static int make_directory(const char *path)
{
	if (mkdir(path, 0777) == 0)
		return 0;
	if (errno != EEXIST)
		return -CLAW_E_IO;
	return rmdir(path) < 0 ? -CLAW_E_EXISTS :
	       mkdir(path, 0777) < 0 ? -CLAW_E_IO : 0;
}

static FILE *open_in(const char *directory, const char *name)
{
	char *path = claw_path_in(directory, name);
	FILE *out = fopen(path, "wxe");

	free(path);
	return out;
}

static void name_content(const struct claw_emit *emit, uint32_t index,
			 char name[NAME_BYTES])
{
	bool is_text = emit->used[index] == CLAW_EMIT_TEXT;

	snprintf(name, NAME_BYTES, is_text ? "program_%u.cl" :
		 "content_%u.bin", index + 1);
}

static int write_content(const struct claw_emit *emit, uint32_t index,
			 const char *directory)
{
	const struct claw_trace_bytes *content = &emit->trace->contents[index];
	char name[NAME_BYTES];
	FILE *out;
	size_t written;

	name_content(emit, index, name);
	out = open_in(directory, name);
	if (!out)
		return -CLAW_E_IO;
	written = content->length ? fwrite(content->bytes, 1,
					   content->length, out) : 0;
	return fclose(out) == 0 && written == content->length ? 0 :
		-CLAW_E_IO;
}

static int write_contents(const struct claw_emit *emit, const char *directory)
{
	int ret = 0;

	for (uint32_t i = 0; ret == 0 && i < emit->trace->content_count; i++)
		if (emit->used[i] && emit->trace->contents[i].bytes)
			ret = write_content(emit, i, directory);
	return ret;
}

/* A rule as a word of a shell's, in a file of make's. */
static void put_rule(FILE *out, const char *rule)
{
	char *quoted = claw_shell_quote(rule);

	fputs(" \\\n\t\t--fault ", out);
	for (const char *at = quoted; at && *at; at++)
		fprintf(out, *at == '$' ? "$$" : "%c", *at);
	free(quoted);
}

/* The faults that the failures need, where the device was well; the models of
 * it that were chosen. */
static int write_makefile(char *const *rules, unsigned int models,
			  const char *directory)
{
	FILE *out = open_in(directory, "Makefile");

	if (out) {
		fputs(CLAW_EMIT_MAKEFILE "\n"
		      "CFLAGS = -O1 -g -Wall\n"
		      "LDLIBS = -lOpenCL\n"
		      "OPENCLAW = openclaw\n\n"
		      "repro: repro.c\n"
		      "\t$(CC) $(CFLAGS) $(LDFLAGS) -o $@ repro.c $(LDLIBS)\n\n"
		      "show: repro\n\t", out);
		if (*rules || models)
			fputs("$(OPENCLAW) inject", out);
		for (unsigned int i = 0; i < models; i++)
			fprintf(out, " \\\n\t\t--model ./device_%u.yaml", i);
		for (char *const *rule = rules; *rule; rule++)
			put_rule(out, *rule);
		fprintf(out, "%s./repro\n\nclean:\n\trm -f repro\n\n"
			".PHONY: show clean\n", *rules || models ? " -- " : "");
	}
	return out && fclose(out) == 0 ? 0 : -CLAW_E_IO;
}

/* ---- the program ------------------------------------------------------- */

static bool shows_by_signal(const struct claw_crash *crash)
{
	return crash->signal && (crash->kind == CLAW_CRASH_DRIVER ||
				 crash->kind == CLAW_CRASH_GPU);
}

/* A comment may end where a text of the program's says so. column: so many
 * characters of the line are there. */
static void put_comment_text(FILE *out, const char *text, size_t column)
{
	for (; *text; text++, column++) {
		unsigned char c = (unsigned char)*text;

		if (c == ' ' && column + 1 + strcspn(text + 1, " ") >
		    COMMENT_COLUMNS) {
			fputs("\n *  ", out);
			column = 4;
			continue;
		}
		fputc(c < ' ' || (c == '/' && text[1] == '*') ||
		      (c == '*' && text[1] == '/') ? '.' : c, out);
	}
}

/* What is true of its end. */
static void put_statuses(FILE *out, const struct claw_crash *crash,
			 bool has_rules, unsigned int models)
{
	if (has_rules)
		fputs(" *\n"
		      " * The failures were put there by openclaw, or by a "
		      "device that was not well:\n"
		      " * \"make show\" runs it under \"openclaw inject\", "
		      "which does that again.\n"
		      " * Without it nothing of that kind fails.\n", out);
	if (models)
		fputs(" *\n"
		      " * The device was as device_0.yaml and its like say: "
		      "\"make show\" runs it under\n"
		      " * \"openclaw inject --model\", which is that device "
		      "again.\n", out);
	fputs(" *\n * Build and run: make show\n", out);
	if (shows_by_signal(crash))
		fputs(" * It shows it by a signal. Exit status when it has "
		      "come to its end: 0: it does\n"
		      " * not crash; 1: a call failed as it was captured; ",
		      out);
	else if (crash->kind == CLAW_CRASH_TIMEOUT)
		fputs(" * It shows it by not coming to its end. Exit status "
		      "when it does: 0; 1: a call\n"
		      " * failed as it was captured; ", out);
	else
		fputs(" * Exit status: 1: calls failed as they were captured, "
		      "or what was enqueued\n"
		      " * failed in the end; 0: nothing failed; ", out);
	fputs("3: only calls that had not\n"
	      " * failed so when they were captured; 2: it cannot be tested; "
	      "77: there is no\n"
	      " * OpenCL device.\n"
	      " */\n", out);
}

static void put_head(FILE *out, const struct claw_emit *emit,
		     const struct claw_crash *crash, const char *name,
		     bool has_rules, unsigned int models)
{
	const struct claw_trace *trace = emit->trace;

	fputs("/*\n * ", out);
	put_comment_text(out, crash->signature, 3);
	fputs("\n *\n * Written by openclaw " PACKAGE_VERSION " from ", out);
	put_comment_text(out, name, 32);
	fprintf(out, ":\n * %u of the program's calls of OpenCL, in their order, in one "
		"thread.\n", trace->call_count);
	for (size_t i = 0; i < crash->cause_count && i < 3; i++) {
		fputs(i ? " * - " : " *\n * Likely causes:\n * - ", out);
		put_comment_text(out, crash->causes[i].text, 5);
		fputc('\n', out);
	}
	if (emit->made_up)
		fprintf(out, " *\n * %u contents or values are not known: they "
			"are made up (made_up, zeros).\n", emit->made_up);
	if (trace->forgotten)
		fprintf(out, " *\n * %" PRIu64 " calls before these were "
			"forgotten.\n", trace->forgotten);
	put_statuses(out, crash, has_rules, models);
}

static bool stays_named(const struct claw_trace *trace, claw_object_id id)
{
	enum claw_obj type = trace->objects[id - 1].type;

	return type == CLAW_OBJ_DEVICE || type == CLAW_OBJ_PLATFORM ||
	       type == CLAW_OBJ_QUEUE;
}

/* Objects that are named in the text: the others need no variable. */
static void mark_named(const struct claw_emit *emit, bool *named)
{
	for (const char *at = strchr(emit->text, '_'); at;
	     at = strchr(at + 1, '_')) {
		char *end;
		unsigned long number = strtoul(at + 1, &end, 10);

		if (end != at + 1 && number && number <=
		    emit->trace->object_count)
			named[number] = true;
	}
}

static void put_object(FILE *out, const struct claw_trace *trace,
		       claw_object_id id)
{
	enum claw_obj type = trace->objects[id - 1].type;
	const char *text = claw_emit_type(type);

	fprintf(out, "static %s%s%s;\n", text,
		text[strlen(text) - 1] == '*' ? "" : " ",
		claw_emit_name(trace, id));
	if (type == CLAW_OBJ_MAPPING &&
	    trace->objects[id - 1].made_by &&
	    trace->calls[trace->objects[id - 1].made_by - 1].api ==
	    CLAW_API_clEnqueueMapImage)
		fprintf(out, "static size_t pitches_%u[2];\n", id);
}

static void put_variables(const struct claw_emit *emit, FILE *out)
{
	const struct claw_trace *trace = emit->trace;
	bool *named = claw_calloc(trace->object_count + 1u, sizeof(*named));

	for (uint32_t i = 0; i < trace->content_count; i++)
		if (emit->used[i])
			fprintf(out, "static void *content_%u;\n", i + 1);
	mark_named(emit, named);
	for (claw_object_id id = 1; id <= trace->object_count; id++)
		if (named[id] || stays_named(trace, id))
			put_object(out, trace, id);
	free(named);
	fputc('\n', out);
}

static void put_devices(const struct claw_trace *trace, FILE *out)
{
	cl_uint number = 0;
	claw_object_id device = 0;

	fputs("static void find_devices(void)\n{\n", out);
	for (claw_object_id id = 1; id <= trace->object_count; id++) {
		if (trace->objects[id - 1].type != CLAW_OBJ_DEVICE)
			continue;
		fprintf(out, "\t%s = find_device(%u);\n",
			claw_emit_name(trace, id), number++);
		device = device ? device : id;
	}
	for (claw_object_id id = 1; id <= trace->object_count; id++)
		if (trace->objects[id - 1].type == CLAW_OBJ_PLATFORM)
			fprintf(out, "\t%s = platform_of(%s%s);\n",
				claw_emit_name(trace, id), device ? "" :
				"find_device(0)", device ?
				claw_emit_name(trace, device) : "");
	fputs("}\n\n", out);
}

static void put_loads(const struct claw_emit *emit, FILE *out)
{
	fputs("static void load_contents(void)\n{\n", out);
	for (uint32_t i = 0; i < emit->trace->content_count; i++) {
		const struct claw_trace_bytes *content =
			&emit->trace->contents[i];
		char name[NAME_BYTES];

		if (!emit->used[i])
			continue;
		name_content(emit, i, name);
		if (content->bytes)
			fprintf(out, "\tcontent_%u = load(\"%s\", %" PRIu64
				");\n", i + 1, name, content->length);
		else
			fprintf(out, "\tcontent_%u = made_up(%" PRIu64 ");\n",
				i + 1, content->length);
	}
	fputs("}\n\n", out);
}

/* The program may have been told by a callback, or not at all. */
static void put_finishes(FILE *out, const struct claw_emit *emit,
			 const struct claw_crash *crash)
{
	const struct claw_trace *trace = emit->trace;

	if (emit->has_gates || crash->kind == CLAW_CRASH_TIMEOUT)
		return;
	for (claw_object_id id = 1; id <= trace->object_count; id++)
		if (trace->objects[id - 1].type == CLAW_OBJ_QUEUE &&
		    !trace->objects[id - 1].gone_by)
			fprintf(out, "\tfinish(%s);\n",
				claw_emit_name(trace, id));
}

static void put_main(FILE *out, const struct claw_emit *emit,
		     unsigned int early, unsigned int functions,
		     const struct claw_crash *crash)
{
	fputs("int main(void)\n{\n\tload_contents();\n", out);
	for (unsigned int i = 1; i <= functions; i++) {
		if (i == early + 1)
			fputs("\tfind_devices();\n", out);
		fprintf(out, "\tcalls_%u();\n", i);
	}
	put_finishes(out, emit, crash);
	/* What this one happens not to need. */
	fputs("\t(void)scratch, (void)load, (void)made_up, (void)copy_of;\n"
	      "\t(void)put_rows, (void)status_of, (void)platform_of;\n"
	      "\t(void)find_devices, (void)check, (void)finish;\n", out);
	fprintf(out, "\tprintf(\"%%s\\n\", shown ? \"calls failed as "
		"captured\" : others ?\n"
		"\t       \"it is not as captured\" : \"%s\");\n"
		"\treturn shown ? 1 : others ? 3 : 0;\n}\n",
		shows_by_signal(crash) ? "it does not crash" :
		crash->kind == CLAW_CRASH_TIMEOUT ? "it comes to its end" :
		"no call failed");
}

/* Calls in functions. Returns how many functions there are now. */
static unsigned int put_calls(struct claw_emit *emit, const uint32_t *order,
			      bool is_early, unsigned int functions)
{
	unsigned int calls = 0;

	for (uint32_t i = 0; i < emit->trace->call_count; i++) {
		const struct claw_trace_call *call =
			&emit->trace->calls[order[i]];
		const char *why = claw_emit_left_out(call);

		if ((why && !*why) ||
		    (claw_emit_is_early(call) && !why) != is_early)
			continue;
		if (calls++ % CALLS_A_FUNCTION == 0)
			fprintf(emit->out, "%sstatic void calls_%u(void)\n{\n"
				"\tcl_int err = CL_SUCCESS;\n\n",
				calls > 1 ? "\t(void)err;\n}\n\n" : "",
				++functions);
		claw_emit_call(emit, order[i]);
	}
	if (calls)
		fputs("\t(void)err;\n}\n\n", emit->out);
	return functions;
}

/* What find_devices() calls before the others. */
static void count_devices(struct claw_emit *emit)
{
	for (claw_object_id id = 1; id <= emit->trace->object_count; id++) {
		enum claw_obj type = emit->trace->objects[id - 1].type;

		emit->counts[CLAW_API_clGetDeviceInfo] +=
			type == CLAW_OBJ_PLATFORM;
	}
	for (uint32_t i = 0; i < emit->trace->call_count; i++)
		emit->has_gates |= emit->trace->calls[i].api ==
			CLAW_API_clCreateUserEvent;
}

static void make_calls(struct claw_emit *emit, unsigned int *ret_early,
		       unsigned int *ret_functions)
{
	uint32_t *order = claw_replay_order(emit->trace);

	emit->out = claw_text_begin(&emit->text, &emit->text_size);
	*ret_early = put_calls(emit, order, true, 0);
	count_devices(emit);
	*ret_functions = put_calls(emit, order, false, *ret_early);
	claw_text_end(emit->out);
	free(order);
}

static int write_program(struct claw_emit *emit, const struct claw_dump *dump,
			 const struct claw_crash *crash, const char *name,
			 const char *directory)
{
	unsigned int early = 0, functions = 0, models = 0;
	FILE *out;
	char **rules;
	int ret;

	make_calls(emit, &early, &functions);
	rules = claw_replay_rules_numbered(emit->trace, dump, emit->numbers);
	out = open_in(directory, "repro.c");
	ret = !out ? -CLAW_E_IO :
		claw_emit_models(json_object_get(dump->meta, "models"),
				 directory, &models);
	for (uint32_t i = 0; i < emit->trace->content_count; i++)
		emit->made_up += emit->used[i] &&
			!emit->trace->contents[i].bytes;
	if (ret == 0) {
		put_head(out, emit, crash, name, *rules != NULL, models);
		fputs(claw_emit_frame, out);
		fputs(claw_emit_device_finder, out);
		put_variables(emit, out);
		put_loads(emit, out);
		put_devices(emit->trace, out);
		fwrite(emit->text, 1, emit->text_size, out);
		put_main(out, emit, early, functions, crash);
	}
	if (out && fclose(out) != 0)
		ret = -CLAW_E_IO;
	if (ret == 0)
		ret = write_makefile(rules, models, directory);
	claw_list_free(rules);
	return ret;
}

int claw_emit_c(const struct claw_dump *dump, const struct claw_trace *trace,
		const struct claw_crash *crash, const char *name,
		const char *directory)
{
	struct claw_emit emit = {
		.trace = trace,
		.used = claw_calloc(trace->content_count + 1, 1),
		.kernels = claw_calloc(trace->object_count + 1,
				       sizeof(*emit.kernels)),
		.numbers = claw_calloc(trace->call_count + 1u,
				       sizeof(*emit.numbers)),
	};
	int ret = make_directory(directory);

	if (ret == 0)
		ret = write_program(&emit, dump, crash, name, directory);
	if (ret == 0)
		ret = write_contents(&emit, directory);
	for (uint32_t i = 0; i < trace->object_count; i++)
		free(emit.kernels[i].arguments);
	free(emit.kernels);
	free(emit.text);
	free(emit.numbers);
	free(emit.used);
	return ret;
}
