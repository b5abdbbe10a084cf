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

#include "emit_private.h"
#include "errors.h"
#include "fault_plan.h"
#include "replay.h"
#include "replay_order.h"
#include "text.h"

enum { CALLS_A_FUNCTION = 100, NAME_BYTES = 40 };

static const char frame[] =
	"#define CL_TARGET_OPENCL_VERSION 300\n"
	"#define CL_USE_DEPRECATED_OPENCL_1_0_APIS\n"
	"#define CL_USE_DEPRECATED_OPENCL_1_1_APIS\n"
	"#define CL_USE_DEPRECATED_OPENCL_1_2_APIS\n"
	"#define CL_USE_DEPRECATED_OPENCL_2_0_APIS\n"
	"#define CL_USE_DEPRECATED_OPENCL_2_1_APIS\n"
	"#define CL_USE_DEPRECATED_OPENCL_2_2_APIS\n"
	"#include <CL/cl.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"\n"
	"static int shown;	/* failures as they were captured */\n"
	"\n"
	"/* err: of a call now; captured: what it was then. */\n"
	"static void check(cl_int err, cl_int captured, int number, "
	"const char *name)\n"
	"{\n"
	"	if (err == CL_SUCCESS && captured == CL_SUCCESS)\n"
	"		return;\n"
	"	printf(\"#%d %s: %d, captured: %d\\n\", number, name, err, "
	"captured);\n"
	"	fflush(stdout);\n"
	"	if (err != CL_SUCCESS)\n"
	"		shown++;\n"
	"}\n"
	"\n"
	"/* Where the driver may write. */\n"
	"static void *scratch(size_t size)\n"
	"{\n"
	"	static void *memory;\n"
	"	static size_t bytes;\n"
	"\n"
	"	if (size + 64 > bytes) {\n"
	"		/* What an earlier call was given may still be in use. */\n"
	"		memory = calloc(1, bytes = 2 * size + 4096);\n"
	"		if (!memory)\n"
	"			exit(2);\n"
	"	}\n"
	"	return memory;\n"
	"}\n"
	"\n"
	"/* Bytes of a file beside this one, with a 0 behind them. */\n"
	"static void *load(const char *name, size_t size)\n"
	"{\n"
	"	char *bytes = calloc(1, size + 1);\n"
	"	FILE *in = fopen(name, \"rb\");\n"
	"\n"
	"	if (!bytes || !in || fread(bytes, 1, size, in) != size) {\n"
	"		perror(name);\n"
	"		exit(2);\n"
	"	}\n"
	"	fclose(in);\n"
	"	return bytes;\n"
	"}\n"
	"\n"
	"/* Bytes that were not captured. */\n"
	"static void *made_up(size_t size)\n"
	"{\n"
	"	void *bytes = calloc(1, size + 1);\n"
	"\n"
	"	if (!bytes)\n"
	"		exit(2);\n"
	"	return bytes;\n"
	"}\n"
	"\n";

static const char device_finder[] =
	"/* The number-th device of all platforms, the last if there are less. */\n"
	"static cl_device_id find_device(cl_uint number)\n"
	"{\n"
	"	cl_platform_id platforms[16];\n"
	"	cl_device_id devices[16], found = NULL;\n"
	"	cl_uint platform_count = 0, count, at = 0;\n"
	"\n"
	"	clGetPlatformIDs(16, platforms, &platform_count);\n"
	"	for (cl_uint p = 0; p < platform_count && p < 16; p++) {\n"
	"		count = 0;\n"
	"		clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, "
	"devices, &count);\n"
	"		for (cl_uint d = 0; d < count && d < 16; d++, at++)\n"
	"			if (!found || at <= number)\n"
	"				found = devices[d];\n"
	"	}\n"
	"	if (!found) {\n"
	"		fprintf(stderr, \"no OpenCL device\\n\");\n"
	"		exit(77);\n"
	"	}\n"
	"	return found;\n"
	"}\n"
	"\n"
	"static cl_platform_id platform_of(cl_device_id device)\n"
	"{\n"
	"	cl_platform_id platform = NULL;\n"
	"\n"
	"	clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform), "
	"&platform,\n"
	"			NULL);\n"
	"	return platform;\n"
	"}\n"
	"\n";

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
	FILE *out = path ? fopen(path, "wxe") : NULL;

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

/* The faults that the failures need, where the device was well. */
static int write_makefile(const struct claw_dump *dump,
			  const struct claw_trace *trace,
			  const char *directory)
{
	char **rules = claw_replay_rules(trace, dump);
	FILE *out = open_in(directory, "Makefile");

	if (out) {
		fputs("# make: build; make show: see the failure\n"
		      "CFLAGS = -O1 -g -Wall\n"
		      "LDLIBS = -lOpenCL\n\n"
		      "repro: repro.c\n"
		      "\t$(CC) $(CFLAGS) $(LDFLAGS) -o $@ repro.c $(LDLIBS)\n\n"
		      "show: repro\n\t", out);
		if (rules && *rules)
			fputs("openclaw inject", out);
		for (char **rule = rules; rule && *rule; rule++)
			put_rule(out, *rule);
		fprintf(out, "%s./repro\n\nclean:\n\trm -f repro\n\n"
			".PHONY: show clean\n",
			rules && *rules ? " -- " : "");
	}
	for (char **rule = rules; rule && *rule; rule++)
		free(*rule);
	free(rules);
	return out && fclose(out) == 0 ? 0 : -CLAW_E_IO;
}

/* ---- the program ------------------------------------------------------- */

/* A comment may end where a text of the program's says so. */
static void put_comment_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		fputc(c < ' ' || (c == '/' && text[1] == '*') ||
		      (c == '*' && text[1] == '/') ? '.' : c, out);
	}
}

static void put_head(FILE *out, const struct claw_trace *trace,
		     const struct claw_crash *crash, const char *name)
{
	fputs("/*\n * ", out);
	put_comment_text(out, crash->signature);
	fputs("\n *\n * Written by openclaw " PACKAGE_VERSION " from ", out);
	put_comment_text(out, name);
	fprintf(out, ": %u of the program's calls\n"
		" * of OpenCL, in their order, in one thread.\n", trace->call_count);
	for (size_t i = 0; i < crash->cause_count && i < 3; i++) {
		fputs(i ? " * - " : " *\n * Likely causes:\n * - ", out);
		put_comment_text(out, crash->causes[i].text);
		fputc('\n', out);
	}
	fputs(" *\n"
	      " * Build and run: make show\n"
	      " * Exit status: a signal or 1: it fails; 0: it does not; 2: it "
	      "cannot be tried;\n"
	      " * 77: there is no OpenCL device.\n"
	      " */\n", out);
}

static void put_variables(const struct claw_emit *emit, FILE *out)
{
	for (uint32_t i = 0; i < emit->trace->content_count; i++)
		if (emit->used[i])
			fprintf(out, "static void *content_%u;\n", i + 1);
	for (claw_object_id id = 1; id <= emit->trace->object_count; id++) {
		const char *type =
			claw_emit_type(emit->trace->objects[id - 1].type);

		fprintf(out, "static %s%s%s;\n", type,
			type[strlen(type) - 1] == '*' ? "" : " ",
			claw_emit_name(emit->trace, id));
	}
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

static void put_main(FILE *out, unsigned int functions)
{
	fputs("int main(void)\n{\n\tload_contents();\n\tfind_devices();\n",
	      out);
	for (unsigned int i = 1; i <= functions; i++)
		fprintf(out, "\tcalls_%u();\n", i);
	fputs("\t(void)scratch, (void)load, (void)made_up, "
	      "(void)platform_of;\n"
	      "\tprintf(\"%s\\n\", shown ? \"it fails\" : \"it does not "
	      "fail\");\n"
	      "\treturn shown ? 1 : 0;\n}\n", out);
}

/* All calls, in functions; how many functions. */
static unsigned int put_calls(struct claw_emit *emit, const uint32_t *order)
{
	unsigned int functions = 0, calls = 0;

	for (uint32_t i = 0; i < emit->trace->call_count; i++) {
		const char *why =
			claw_emit_left_out(&emit->trace->calls[order[i]]);

		if (why && !*why)
			continue;
		if (calls++ % CALLS_A_FUNCTION == 0)
			fprintf(emit->out, "%sstatic void calls_%u(void)\n{\n"
				"\tcl_int err = CL_SUCCESS;\n\n",
				functions ? "\t(void)err;\n}\n\n" : "",
				functions + 1), functions++;
		claw_emit_call(emit, order[i]);
	}
	if (functions)
		fputs("\t(void)err;\n}\n\n", emit->out);
	return functions;
}

static int write_program(struct claw_emit *emit,
			 const struct claw_crash *crash, const char *name,
			 const char *directory)
{
	uint32_t *order = claw_replay_order(emit->trace);
	FILE *out = open_in(directory, "repro.c");
	char *calls = NULL;
	size_t size = 0;
	unsigned int functions = 0;
	int ret = order ? 0 : -CLAW_E_NO_MEMORY;

	emit->out = open_memstream(&calls, &size);
	if (!out)
		ret = -CLAW_E_IO;
	if (!emit->out)
		ret = -CLAW_E_NO_MEMORY;
	if (ret == 0)
		functions = put_calls(emit, order);
	if (emit->out && fclose(emit->out) != 0)
		ret = -CLAW_E_NO_MEMORY;
	if (ret == 0) {
		put_head(out, emit->trace, crash, name);
		fputs(frame, out);
		fputs(device_finder, out);
		put_variables(emit, out);
		put_loads(emit, out);
		put_devices(emit->trace, out);
		fwrite(calls, 1, size, out);
		put_main(out, functions);
	}
	if (out && fclose(out) != 0)
		ret = -CLAW_E_IO;
	free(calls);
	free(order);
	return emit->failed ? -CLAW_E_NO_MEMORY : ret;
}

int claw_emit_c(const struct claw_dump *dump, const struct claw_trace *trace,
		const struct claw_crash *crash, const char *name,
		const char *directory)
{
	struct claw_emit emit = {
		.trace = trace,
		.used = calloc(trace->content_count + 1, 1),
		.kernels = calloc(trace->object_count + 1,
				  sizeof(*emit.kernels)),
	};
	int ret = emit.used && emit.kernels ? make_directory(directory) :
		-CLAW_E_NO_MEMORY;

	if (ret == 0)
		ret = write_program(&emit, crash, name, directory);
	if (ret == 0)
		ret = write_contents(&emit, directory);
	if (ret == 0)
		ret = write_makefile(dump, trace, directory);
	for (uint32_t i = 0; emit.kernels && i < trace->object_count; i++)
		free(emit.kernels[i].arguments);
	free(emit.kernels);
	free(emit.used);
	return ret;
}
