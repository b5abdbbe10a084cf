/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Find "kernel void NAME(PARAMETERS)" in a source. Comments and strings are
 * blanks; of a parameter the words are looked at:
 *
 *	PARAMETER = { QUALIFIER | TYPE | "*" } NAME [ "[" ... "]" ]
 */
#include "config.h"

#include "crash_kernel.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

enum { SOURCE_MAX_BYTES = 16 << 20 };

/* A copy without comments; lines stay where they are. */
static char *strip(const char *text, size_t length)
{
	char *plain = claw_malloc(length + 1);
	enum { CODE, LINE, BLOCK } state = CODE;
	size_t began = 0;	/* of the block */

	for (size_t i = 0; i < length; i++) {
		char next = i + 1 < length ? text[i + 1] : '\0';

		plain[i] = text[i] ? text[i] : ' ';
		if (state == CODE && text[i] == '/' && next == '/') {
			state = LINE;
		} else if (state == CODE && text[i] == '/' && next == '*') {
			state = BLOCK;
			began = i;
		} else if (state == LINE && text[i] == '\n') {
			state = CODE;
		} else if (state == BLOCK && i > began + 3 &&
			 text[i - 1] == '/' && text[i - 2] == '*') {
			state = CODE;
		}
		if (state != CODE && text[i] != '\n')
			plain[i] = ' ';
	}
	plain[length] = '\0';
	return plain;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The next word of the text, up to end; false: no more. *at moves behind it.
 * ret_star: was there a "*" before it? */
static bool next_word(const char **at, const char *end,
		      char word[CLAW_CRASH_WORD], bool *ret_star)
{
	size_t length = 0;

	while (*at < end && !is_word(**at)) {
		if (**at == '[')
			return false;
		*ret_star |= **at == '*';
		(*at)++;
	}
	for (; *at < end && is_word(**at); (*at)++)
		if (length + 1 < CLAW_CRASH_WORD)
			word[length++] = **at;
	word[length] = '\0';
	return length > 0;
}

/* Bytes of a type by its name, "float4"; 0: another. */
static uint64_t bytes_of(const char *type)
{
	static const struct {
		const char *name;
		unsigned int bytes;
	} types[] = {
		{ "char", 1 }, { "uchar", 1 }, { "bool", 1 }, { "short", 2 },
		{ "ushort", 2 }, { "half", 2 }, { "int", 4 }, { "uint", 4 },
		{ "unsigned", 4 }, { "signed", 4 }, { "float", 4 },
		{ "long", 8 }, { "ulong", 8 }, { "double", 8 },
		{ "size_t", 8 }, { "atomic_int", 4 }, { "atomic_uint", 4 },
		{ "int8_t", 1 }, { "uint8_t", 1 }, { "int32_t", 4 },
		{ "uint32_t", 4 }, { "int64_t", 8 }, { "uint64_t", 8 },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		size_t length = strlen(types[i].name);
		unsigned long lanes;

		if (strncmp(type, types[i].name, length) != 0)
			continue;
		if (!type[length])
			return types[i].bytes;
		lanes = strtoul(type + length, NULL, 10);
		if (strspn(type + length, "0123456789") ==
		    strlen(type + length) && lanes >= 2 && lanes <= 16)
			return types[i].bytes * (lanes == 3 ? 4 : lanes);
	}
	return 0;
}

static bool is_local(const char *word)
{
	return strcmp(word, "local") == 0 || strcmp(word, "__local") == 0;
}

static bool is_real(const char *word)
{
	return strncmp(word, "float", 5) == 0 || strncmp(word, "half", 4) == 0 ||
	       strncmp(word, "double", 6) == 0;
}

static struct claw_crash_param parse_param(const char *at, const char *end)
{
	struct claw_crash_param param = { .name = "" };
	char word[CLAW_CRASH_WORD];

	while (next_word(&at, end, word, &param.is_pointer)) {
		uint64_t bytes = bytes_of(word);

		param.is_local |= is_local(word);
		param.is_real |= bytes && is_real(word);
		/* "unsigned char": the last one says it. */
		if (bytes)
			param.element_bytes = bytes;
		memcpy(param.name, word, sizeof(word));
	}
	return param;
}

/* at: behind the "(". */
static void parse_params(const char *at, struct claw_crash_kernel *kernel)
{
	const size_t max = sizeof(kernel->params) / sizeof(*kernel->params);
	const char *start = at;
	int depth = 0;

	for (; *at; at++) {
		bool is_end = *at == ')' && depth == 0;

		if ((is_end || (*at == ',' && depth == 0)) &&
		    kernel->param_count < max) {
			struct claw_crash_param param = parse_param(start, at);

			if (*param.name && strcmp(param.name, "void") != 0)
				kernel->params[kernel->param_count++] = param;
			start = at + 1;
		}
		if (is_end)
			return;
		depth += (*at == '(') - (*at == ')');
	}
}

/* Is the text before it that of a kernel's declaration: since the last "}" or
 * ";" there is the word "kernel"? */
static bool is_declared(const char *text, const char *name)
{
	for (const char *at = name; at > text; at--) {
		if (at[-1] == '}' || at[-1] == ';')
			return false;
		if (strncmp(at - 1, "kernel", 6) == 0 && !is_word(at[5]) &&
		    (at - 1 == text || !is_word(at[-2]) ||
		     (at - 3 >= text && at[-2] == '_' && at[-3] == '_')))
			return true;
	}
	return false;
}

static bool find_declared(const char *text, const char *name,
			  struct claw_crash_kernel *kernel)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at += length) {
		const char *behind = at + length;

		behind += strspn(behind, " \t\r\n");
		if ((at > text && is_word(at[-1])) || is_word(at[length]) ||
		    *behind != '(' || !is_declared(text, at))
			continue;
		kernel->line = 1;
		for (const char *c = text; c < at; c++)
			kernel->line += *c == '\n';
		parse_params(behind + 1, kernel);
		return true;
	}
	return false;
}

bool claw_crash_kernel_parse(const char *text, size_t length, const char *name,
			     struct claw_crash_kernel *ret_kernel)
{
	struct claw_crash_kernel kernel = { .line = 0 };
	char *plain;
	bool is_found;

	if (!*name || !text || length > SOURCE_MAX_BYTES)
		return false;
	plain = strip(text, length);
	is_found = find_declared(plain, name, &kernel);
	free(plain);
	if (is_found)
		*ret_kernel = kernel;
	return is_found;
}

/* The call that made the program whose kernel it is, or NULL. */
static const struct claw_trace_call *
program_of(const struct claw_trace *trace, claw_object_id kernel)
{
	const struct claw_trace_object *object =
		claw_trace_object_get(trace, kernel);
	const struct claw_trace_object *program = object ?
		claw_trace_object_get(trace, object->parent) : NULL;

	return program && program->type == CLAW_OBJ_PROGRAM &&
		program->made_by && program->made_by <= trace->call_count ?
		&trace->calls[program->made_by - 1] : NULL;
}

bool claw_crash_kernel_find(const struct claw_trace *trace,
			    claw_object_id kernel,
			    struct claw_crash_kernel *ret_kernel)
{
	const struct claw_trace_call *call = program_of(trace, kernel);
	const char *name = claw_trace_kernel_name(trace, kernel);
	const struct claw_trace_arg *texts = NULL;

	for (uint32_t i = 0; call && i < call->arg_count; i++)
		if (call->args[i].kind == CLAW_ARG_TEXTS)
			texts = &call->args[i];
	for (uint32_t i = 0; texts && texts->contents && i < texts->count;
	     i++) {
		const struct claw_trace_bytes *bytes = texts->contents[i] &&
			texts->contents[i] <= trace->content_count ?
			&trace->contents[texts->contents[i] - 1] : NULL;

		if (!bytes || !bytes->bytes ||
		    !claw_crash_kernel_parse(bytes->bytes,
					     (size_t)bytes->length, name,
					     ret_kernel))
			continue;
		ret_kernel->source = i + 1;
		ret_kernel->text_count = texts->count;
		return true;
	}
	return false;
}

bool claw_crash_kernel_has_null(const struct claw_crash_kernel *kernel,
				const struct claw_trace_kernel_arg *arg)
{
	static const char zero[8];

	if (arg->is_null)
		return true;
	return arg->index < kernel->param_count &&
	       kernel->params[arg->index].is_pointer &&
	       !kernel->params[arg->index].is_local && !arg->is_local &&
	       !arg->object && arg->size == sizeof(zero) && arg->value &&
	       memcmp(arg->value, zero, sizeof(zero)) == 0;
}
