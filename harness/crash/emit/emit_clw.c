/* SPDX-License-Identifier: Apache-2.0 */
/* See emit_clw.h. */
#include "config.h"

#include "emit_clw.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "emit_clw_private.h"
#include "emit_clw_values.h"
#include "harness/base/errors.h"
#include "harness/cases/clw/init_args.h"
#include "harness/cases/clw/init_kernels.h"

bool claw_emit_refuse(struct claw_emit_launch *e, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	free(e->why);
	e->why = claw_vformat(format, args);
	va_end(args);
	return false;
}

void claw_emit_type_text(char text[16], struct claw_clw_type type)
{
	if (type.width == 1)
		snprintf(text, 16, "%s", claw_clw_base_name(type.base));
	else
		snprintf(text, 16, "%s%u", claw_clw_base_name(type.base),
			 type.width);
}

const struct claw_trace_call *claw_emit_maker(const struct claw_emit_launch *e,
					      claw_object_id object)
{
	uint32_t made_by = e->trace->objects[object - 1].made_by;

	return made_by ? &e->trace->calls[made_by - 1] : NULL;
}

/* ---- what it is about ------------------------------------------------- */

static bool find_launch(struct claw_emit_launch *e)
{
	uint32_t launch = e->spec->launch;

	if (!launch || launch > e->trace->call_count)
		return claw_emit_refuse(e,
			"no launch of a kernel has to do with it");
	e->call = &e->trace->calls[launch - 1];
	e->kernel = claw_trace_launched(e->call);
	if (e->call->api != CLAW_API_clEnqueueNDRangeKernel || !e->kernel)
		return claw_emit_refuse(e, "the launch is by %s",
					claw_api_table[e->call->api].name);
	if (e->spec->crash && e->call->flags & CLAW_REC_INJECTED)
		return claw_emit_refuse(e,
			"the failure of the launch was injected: it is none of "
			"the kernel's (--emit-plan has it)");
	if (e->call->args_unknown)
		return claw_emit_refuse(e,
			"the arguments of the launch are not in the "
			"dump");
	if (e->trace->redacted)
		return claw_emit_refuse(e,
			"the dump was redacted: it has no sources and "
			"no values");
	e->program = e->trace->objects[e->kernel - 1].parent;
	return true;
}

/* ---- the program ------------------------------------------------------ */

static bool add_text(struct claw_emit_launch *e, FILE *out, uint32_t content)
{
	const struct claw_trace_bytes *text = content ?
		&e->trace->contents[content - 1] : NULL;

	if (!text || !text->bytes)
		return claw_emit_refuse(e,
			"the source of its program is not in the "
			"dump");
	fwrite(text->bytes, 1, strnlen(text->bytes, (size_t)text->length),
	       out);
	return true;
}

static bool find_source(struct claw_emit_launch *e)
{
	const struct claw_trace_object *program =
		claw_trace_object_get(e->trace, e->program);
	const struct claw_trace_call *call = program && program->made_by ?
		&e->trace->calls[program->made_by - 1] : NULL;
	bool is_known = true;
	size_t size;
	FILE *out;

	if (!call || call->api != CLAW_API_clCreateProgramWithSource)
		return claw_emit_refuse(e,
			"its program was not made from source by one "
			"call");
	out = claw_text_begin(&e->source, &size);
	for (unsigned int i = 0; i < call->arg_count; i++) {
		const struct claw_trace_arg *arg = &call->args[i];

		for (uint32_t n = 0; arg->kind == CLAW_ARG_TEXTS && is_known &&
		     n < arg->count; n++)
			is_known = add_text(e, out, arg->contents[n]);
	}
	claw_text_end(out);
	return is_known;
}

static bool find_options(struct claw_emit_launch *e)
{
	const struct claw_trace_arg *options = NULL;

	for (uint32_t i = 0; i < e->spec->launch; i++) {
		const struct claw_trace_call *call = &e->trace->calls[i];
		int param = call->api == CLAW_API_clBuildProgram ?
			claw_api_find_name(call->api, "options") : -1;

		if (param >= 0 && call->args[0].objects &&
		    call->args[0].objects[0] == e->program)
			options = &call->args[param];
	}
	if (!options || !options->bytes || !options->size)
		return true;
	e->options = claw_strndup(options->bytes, options->size);
	if (e->options[strcspn(e->options, "#\r\n\\")] ||
	    strstr(e->options, "*/"))
		return claw_emit_refuse(
			e, "a header cannot hold its build options \"%s\"",
			e->options);
	return e->error == 0;
}

/* What the driver says of the kernel's arguments; without that bytes are bytes.
 */
static void describe_args(struct claw_emit_launch *e)
{
	const char *name = claw_trace_kernel_name(e->trace, e->kernel);
	char path[] = "/tmp/openclaw-kernel.XXXXXX";
	int fd = mkstemp(path);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	const json_t *kernel;
	size_t i;

	if (!out)
		return;
	fputs(e->source, out);
	if (fclose(out) == 0)
		claw_init_ask(path, e->options, NULL, &e->answer);
	unlink(path);
	json_array_foreach(e->answer.kernels, i, kernel)
		if (strcmp(claw_init_text(kernel, "name"), name) == 0)
			e->args = json_object_get(kernel, "args");
}

struct claw_init_arg claw_emit_describe(const struct claw_emit_launch *e,
					uint32_t index)
{
	struct claw_init_arg arg = { .index = index, .type = "" };

	return e->args && index < json_array_size(e->args) ?
		claw_init_read_arg(e->args, index) : arg;
}

/* ---- the other arguments ---------------------------------------------- */

static bool put_object(struct claw_emit_launch *e,
		       const struct claw_trace_kernel_arg *arg)
{
	const struct claw_trace_object *object =
		&e->trace->objects[arg->object - 1];
	const struct claw_trace_call *maker = claw_emit_maker(e, arg->object);

	if (object->type == CLAW_OBJ_MEM && maker &&
	    claw_api_find_name(maker->api, "image_format") < 0 &&
	    maker->api != CLAW_API_clCreatePipe &&
	    !claw_api_table[maker->api].extension)
		return claw_emit_buffer(e, arg);
	return claw_emit_refuse(e,
		"argument %u is %s, which a header cannot give as it "
		"was", arg->index, object->type == CLAW_OBJ_SVM ?
		"shared virtual memory" :
		object->type == CLAW_OBJ_SAMPLER ? "a sampler" :
		object->type == CLAW_OBJ_QUEUE ? "a queue" :
		object->type == CLAW_OBJ_MEM && maker ?
		"an image or another memory object that is no buffer" :
		"an object of which nothing is known");
}

static bool put_value(struct claw_emit_launch *e,
		      const struct claw_trace_kernel_arg *arg)
{
	struct claw_init_arg about = claw_emit_describe(e, arg->index);
	struct claw_clw_type type;
	char text[16];
	unsigned int column;

	if (!arg->value)
		return claw_emit_refuse(e,
			"the value of argument %u is not in the dump",
			arg->index);
	if (about.is_ours && !about.is_pointer &&
	    claw_clw_type_bytes(about.ours) == arg->size)
		type = claw_emit_values_type(about.ours, arg->size);
	else if (!claw_init_find_bytes_type(arg->size, &type))
		return claw_emit_refuse(e,
			"argument %u is a value of %" PRIu64 " bytes: "
			"no type has that many", arg->index, arg->size);
	claw_emit_type_text(text, type);
	column = (unsigned int)fprintf(e->out, "arg_in:  %u %s", arg->index,
				       text);
	/* A list: it cannot repeat. */
	for (uint64_t at = 0; at < arg->size;
	     at += claw_clw_base_bytes(type.base)) {
		struct claw_clw_type one = { type.base, 1 };

		claw_emit_values(e->out, one, (const char *)arg->value + at,
				 claw_clw_base_bytes(type.base), column);
	}
	fputc('\n', e->out);
	return true;
}

static bool put_arg(struct claw_emit_launch *e,
		    const struct claw_trace_kernel_arg *arg)
{
	if (arg->object)
		return put_object(e, arg);
	if (arg->is_svm)
		return claw_emit_refuse(e,
			"argument %u is shared virtual memory",
			arg->index);
	if (arg->is_local)
		fprintf(e->out, "arg_in:  %u local uchar[%" PRIu64 "]\n",
			arg->index, arg->size);
	else if (arg->is_null)
		fprintf(e->out, "arg_in:  %u buffer uchar[1] null\n",
			arg->index);
	else
		return put_value(e, arg);
	return true;
}

/* ---- the header ------------------------------------------------------- */

static void put_sizes(const struct claw_emit_launch *e, const char *key,
		      const char *param)
{
	int at = claw_api_find_name(e->call->api, param);
	const struct claw_trace_arg *arg = at < 0 ? NULL : &e->call->args[at];

	if (!arg || !arg->bytes)
		return;
	fprintf(e->out, "%s:", key);
	for (size_t i = 0; i + sizeof(size_t) <= arg->size;
	     i += sizeof(size_t)) {
		size_t size;

		memcpy(&size, (const char *)arg->bytes + i, sizeof(size));
		fprintf(e->out, " %zu", size);
	}
	fputc('\n', e->out);
}

static void put_comment(const struct claw_emit_launch *e, const char *before,
			const char *text)
{
	fprintf(e->out, "# %s", before);
	for (; *text; text++) {	/* no comment may end in it */
		unsigned char c = (unsigned char)*text;

		fputc(c < ' ' || c == 0x7f || c == '*' || c == '!' ? '.' : c,
		      e->out);
	}
	fputc('\n', e->out);
}

static void put_comments(const struct claw_emit_launch *e)
{
	char number[32];

	if (e->spec->crash)
		put_comment(e, "", e->spec->crash->signature);
	snprintf(number, sizeof(number), "Launch #%u of ", claw_emit_find(
		 e->spec->dump->trace, e->trace, e->spec->launch));
	put_comment(e, number, e->spec->name);
	if (e->spec->crash)
		put_comment(e, "", "Nothing may be found: openclaw test "
			    "--under oclgrind");
	else
		put_comment(e, "", "Values: what the same calls gave where "
			    "this was written");
	if (e->memories.made_up)
		put_comment(e, "", "Contents that are not in the dump were "
			    "made up for it");
}

static bool put_header(struct claw_emit_launch *e)
{
	const char *name = claw_trace_kernel_name(e->trace, e->kernel);

	fputs("/*!\n", e->out);
	put_comments(e);
	fprintf(e->out, "[config]\nname: %s\n", name);
	if (e->options && *e->options)
		fprintf(e->out, "build_options: %s\n", e->options);
	fprintf(e->out, "\n[test]\nname: captured\nkernel_name: %s\n"
		"dimensions: %" PRIu64 "\n", name, e->call->args[2].word);
	put_sizes(e, "global_size", "global_work_size");
	put_sizes(e, "local_size", "local_work_size");
	put_sizes(e, "global_offset", "global_work_offset");
	for (uint32_t i = 0; i < e->call->kernel_arg_count; i++)
		if (!put_arg(e, &e->call->kernel_args[i]))
			return false;
	fputs("!*/\n", e->out);
	return true;
}

/* ---- all of it -------------------------------------------------------- */

static bool find_memories(struct claw_emit_launch *e)
{
	e->error = claw_emit_memories_find(e->spec, !e->spec->crash,
					   &e->memories);
	if (e->error == 0 && e->memories.why)
		return claw_emit_refuse(e, "%s", e->memories.why);
	return e->error == 0;
}

/* What is written has to be what is read. */
static bool check_text(struct claw_emit_launch *e, const char *text,
		       size_t size)
{
	struct claw_clw_error error;
	struct claw_clw *clw = NULL;
	int ret = claw_clw_parse(e->spec->path, text, size, &clw, &error);

	claw_clw_free(clw);
	return ret == 0 || claw_emit_refuse(e,
		"a kernel file cannot hold it: %s",
		error.message);
}

static void write_text(struct claw_emit_launch *e, const char *text,
		       size_t size)
{
	FILE *out = fopen(e->spec->path, "wxe");
	bool failed = !out || fwrite(text, 1, size, out) != size;

	if (out)
		failed = fclose(out) != 0 || failed;
	if (!failed)
		return;
	e->error = -CLAW_E_IO;
	if (out)
		unlink(e->spec->path);
}

static void emit(struct claw_emit_launch *e)
{
	char *text = NULL;
	size_t size;
	bool is_said;

	e->out = claw_text_begin(&text, &size);
	is_said = put_header(e);
	fputs(e->source, e->out);
	if (*e->source && e->source[strlen(e->source) - 1] != '\n')
		fputc('\n', e->out);
	claw_text_end(e->out);
	if (is_said && check_text(e, text, size))
		write_text(e, text, size);
	free(text);
}

int claw_emit_clw(struct claw_emit_clw *spec, char **ret_why)
{
	struct claw_emit_launch e = { .spec = spec, .trace = spec->trace };
	int error;

	if (find_launch(&e) && find_source(&e) && find_options(&e) &&
	    find_memories(&e)) {
		describe_args(&e);
		emit(&e);
	}
	error = errno;
	claw_init_answer_release(&e.answer);
	claw_emit_memories_release(&e.memories);
	free(e.source);
	free(e.options);
	spec->wants_tool = spec->crash != NULL;
	*ret_why = e.why;
	errno = error;
	return e.error;
}
