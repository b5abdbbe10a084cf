/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The context of the probes: hidden arguments of kernels, a variable of each
 * kernel made from them, a parameter of each other function of the text, an
 * argument of each call of one. See rewrite.h.
 */
#include "config.h"

#include <stdlib.h>

#include "harness/base/memory.h"
#include "nodes.h"
#include "rewrite.h"
#include "uses.h"

struct walk {
	struct claw_rewrite *rewrite;
	const struct claw_function *function;	/* whose body it is */
	int ret;
};

/* A parameter list or a call's: words go behind what is there. */
static void append(struct claw_rewrite *rewrite, size_t open, size_t close,
		   bool is_empty, const char *words)
{
	if (!words[0])
		return;
	if (is_empty)
		claw_edits_replace(&rewrite->edits, open + 1, close, "%s",
				   words + 2);
	else
		claw_edits_insert(&rewrite->edits, close, "%s", words);
}

static void map_kernel(struct claw_rewrite *rewrite,
		       const struct claw_function *kernel)
{
	fprintf(rewrite->map.stream, "kernel %s %u %u\n", kernel->name,
		kernel->parameters, kernel->parameters);
	claw_uses_write(rewrite->map.stream, rewrite->unit, kernel);
}

/* ", TYPE NAME..." of one declaration. Lines of the map once a kernel. */
static void add_parameters(struct claw_rewrite *rewrite,
			   const struct claw_function *function)
{
	struct claw_words words;
	unsigned int position = 0, next = function->parameters + 1;
	const struct claw_probes_kind *kind;

	claw_words_init(&words);
	fputs(function->is_kernel ? ", __global uint *__claw_p" :
	      ", __private struct __claw_ctx *__claw", words.stream);
	while ((kind = claw_rewrite_next_kind(rewrite, &position))) {
		if (function->is_kernel && kind->parameters)
			next += kind->parameters(rewrite, function, next,
						 words.stream);
		else if (!function->is_kernel && kind->function_parameters)
			kind->function_parameters(rewrite, function,
						  words.stream);
	}
	append(rewrite, function->open, function->close,
	       function->parameters == 0, claw_words_text(&words));
	claw_words_release(&words);
}

static void write_begin(struct claw_rewrite *rewrite,
			const struct claw_function *kernel)
{
	struct claw_words words;
	const struct claw_probes_kind *kind;

	claw_words_init(&words);
	fputs(" struct __claw_ctx __claw_k; __private struct __claw_ctx *__claw = &__claw_k; __claw_k.p = __claw_p;",
	      words.stream);
	for (unsigned int at = 0; (kind = claw_rewrite_next_kind(rewrite, &at));)
		if (kind->begin)
			kind->begin(rewrite, kernel, words.stream);
	claw_edits_insert(&rewrite->edits, kernel->body + 1, "%s ",
			  claw_words_text(&words));
	claw_words_release(&words);
}

/* What a kernel does last. NULL: nothing; else the caller's. */
static char *end_words(struct claw_rewrite *rewrite,
		       const struct claw_function *kernel)
{
	struct claw_words words;
	const struct claw_probes_kind *kind;

	claw_words_init(&words);
	for (unsigned int at = 0; (kind = claw_rewrite_next_kind(rewrite, &at));)
		if (kind->end)
			kind->end(rewrite, kernel, words.stream);
	char *text = claw_strdup(claw_words_text(&words));

	claw_words_release(&words);
	return text;
}

/* "return;" of a kernel is "{ LAST return; }". */
static void end_return(struct walk *walk, CXCursor cursor)
{
	struct claw_rewrite *rewrite = walk->rewrite;
	size_t start, end;
	char *last, *before;

	if (!claw_unit_range(rewrite->unit, cursor, &start, &end))
		return;
	end = claw_unit_skip_blank(rewrite->unit, end);
	last = end_words(rewrite, walk->function);
	if (last[0] && rewrite->unit->text[end] == ';') {
		before = claw_format("{%s ", last);
		claw_edits_wrap(&rewrite->edits, start, end + 1, before, " }");
		free(before);
	}
	free(last);
}

static int hand_down(struct walk *walk, CXCursor call)
{
	struct claw_rewrite *rewrite = walk->rewrite;
	const struct claw_function *callee =
		claw_unit_callee(rewrite->unit, call);
	struct claw_words words;
	const struct claw_probes_kind *kind;
	size_t start, end;

	if (!callee)
		return 0;
	if (!claw_unit_range(rewrite->unit, call, &start, &end) ||
	    rewrite->unit->text[end - 1] != ')') {
		claw_unit_refuse(rewrite->unit, call, "a call that is not written as one",
				 rewrite->error, rewrite->error_size);
		return -1;
	}
	claw_words_init(&words);
	fputs(callee->is_kernel ? ", __claw->p" : ", __claw", words.stream);
	for (unsigned int at = 0; (kind = claw_rewrite_next_kind(rewrite, &at));)
		if (kind->call_arguments)
			kind->call_arguments(rewrite, callee, call,
					     words.stream);
	/* The text between the last argument and the bracket may be blank only
	 * where there is none. */
	bool is_empty = clang_Cursor_getNumArguments(call) == 0;
	size_t open = end - 1;

	if (is_empty)
		while (rewrite->unit->text[open] != '(')
			open--;
	append(rewrite, open, end - 1, is_empty, claw_words_text(&words));
	claw_words_release(&words);
	return 0;
}

static enum CXChildVisitResult see(CXCursor cursor, CXCursor parent,
				   CXClientData data)
{
	struct walk *walk = data;

	(void)parent;
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_CallExpr:
		walk->ret = hand_down(walk, cursor);
		break;
	case CXCursor_ReturnStmt:
		if (walk->function->is_kernel)
			end_return(walk, cursor);
		break;
	case CXCursor_BlockExpr:
		claw_unit_refuse(walk->rewrite->unit, cursor,
				 "a block: device-side enqueues are not known",
				 walk->rewrite->error, walk->rewrite->error_size);
		walk->ret = -1;
		break;
	default:
		break;
	}
	return walk->ret < 0 ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static int rewrite_definition(struct claw_rewrite *rewrite,
			      const struct claw_function *function)
{
	struct walk walk = { .rewrite = rewrite, .function = function };

	if (function->is_kernel) {
		char *last = end_words(rewrite, function);

		map_kernel(rewrite, function);
		write_begin(rewrite, function);
		if (last[0])
			claw_edits_insert(&rewrite->edits, function->body_end,
					  " %s ", last);
		free(last);
	}
	clang_visitChildren(function->cursor, see, &walk);
	return walk.ret;
}

int claw_hidden_rewrite(struct claw_rewrite *rewrite)
{
	for (size_t i = 0; i < rewrite->unit->function_count; i++) {
		const struct claw_function *function =
			&rewrite->unit->functions[i];

		if (function->is_foreign)
			continue;
		add_parameters(rewrite, function);
		if (function->is_definition &&
		    rewrite_definition(rewrite, function) < 0)
			return -1;
	}
	return 0;
}
