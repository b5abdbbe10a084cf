/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts without checks beside those with them: where a flag (hoist.c) speaks
 * for all checks of a loop, or of a kernel, it stands there twice,
 *
 *	if (flag) { as it was } else { with checks }
 *
 * so that no compiler has to find out that it may take the flag out of the
 * loop, which it does with small ones only. See sanitizer_private.h.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/probe_format.h"
#include "sanitizer_private.h"

enum { TWIN_MAX = 20000 };	/* bytes of a text that may be there twice */

/* "a && b": once each. */
static void add_flag(struct claw_text *flags, const char *name)
{
	char word[48];

	snprintf(word, sizeof(word), "(%s)", name);
	if (!flags->bytes || !strstr(flags->bytes, word))
		claw_text_add(flags, "%s%s", flags->bytes ? " && " : "", word);
}

/* Whether a flag of the function's begin or of loop is there for a check. */
static bool add_check(const struct claw_asked_at *check,
		      const struct claw_node *loop, bool is_whole,
		      struct claw_text *flags)
{
	const struct claw_hoist *hoist = check->hoist;
	char own[32];

	if (check->is_written)
		add_flag(flags, "__claw_written");
	if (check->is_written)
		return true;
	if (!hoist && check->own < 0)
		return false;
	if (hoist && hoist->loop && hoist->loop != loop)
		return false;
	snprintf(own, sizeof(own), "__claw_own%d", check->own);
	if (!hoist)
		add_flag(flags, own);
	else if (!is_whole || hoist->is_used[0])
		add_flag(flags, hoist->name[0]);
	if (hoist && is_whole && hoist->is_used[1])
		add_flag(flags, hoist->name[1]);
	return true;
}

/* The flags that cover all in [start, end); malloc'ed. NULL: there are none. */
static char *find_cover(const struct claw_body *body, size_t start, size_t end,
			const struct claw_node *loop, bool is_whole)
{
	struct claw_text flags = { .bytes = NULL };

	for (size_t i = 0; i < body->check_count; i++) {
		const struct claw_asked_at *check = &body->checks[i];

		if (check->offset >= start && check->offset < end &&
		    !add_check(check, loop, is_whole, &flags)) {
			free(flags.bytes);
			return NULL;
		}
	}
	return flags.bytes;
}

static bool waits(const struct claw_unit *unit, size_t start, size_t end)
{
	static const char *const words[] = {
		"barrier", "wait_group_events", "async_work_group", NULL,
	};

	for (size_t i = 0; words[i]; i++)
		if (memmem(unit->text + start, end - start, words[i],
			   strlen(words[i])))
			return true;
	return false;
}

/* Calls of functions of the text that wait for others. */
static bool calls_waiting(const struct claw_body *body,
			  const struct claw_node *node)
{
	const struct claw_unit *unit = body->sanitizer->rewrite->unit;
	const struct claw_function *function = claw_unit_callee(unit,
								node->cursor);
	struct claw_body *callee = function ?
		claw_body_of(body->sanitizer, function) : NULL;

	return callee && waits(unit, callee->function->body,
			       callee->function->body_end);
}

/* Whether a part of the text can stand there twice. */
static bool can_stand_twice(const struct claw_body *body, size_t start,
			    size_t end)
{
	const struct claw_unit *unit = body->sanitizer->rewrite->unit;

	if (body->has_labels || end - start > TWIN_MAX ||
	    waits(unit, start, end))
		return false;
	for (size_t i = start; i + 1 < end; i++)
		if (unit->text[i] == '\n' &&
		    unit->text[i + 1 + strspn(unit->text + i + 1, " \t")] == '#')
			return false;
	for (struct claw_node *node = body->root; node;
	     node = claw_nodes_next(body->root, node)) {
		if (node->start < start || node->end > end)
			continue;
		if (node->kind == CXCursor_VarDecl &&
		    claw_type_space(node->type) != CLAW_SPACE_PRIVATE)
			return false;
		if (node->kind == CXCursor_CallExpr &&
		    calls_waiting(body, node))
			return false;
	}
	return true;
}

static void put(struct claw_body *body, size_t start, size_t end,
		const char *condition)
{
	char *before;

	before = claw_format("if (%s) { ", condition);
	claw_edits_twin(&body->sanitizer->rewrite->edits, start, end, before,
			" } else { ", " }");
	free(before);
}

/* Of a kernel all of whose accesses are in loops these are put twice instead. */
static bool has_outside(const struct claw_body *body)
{
	const struct claw_hoist *hoist = body->hoists;
	bool has_own = false;

	while (hoist && (hoist->loop || !hoist->is_used[1]))
		hoist = hoist->next;
	for (size_t i = 0; i < body->check_count; i++)
		has_own |= body->checks[i].own >= 0 ||
			body->checks[i].is_written;
	return hoist || has_own;
}

static void put_around_kernel(struct claw_body *body)
{
	const struct claw_function *function = body->function;
	char *flags = NULL;

	if (has_outside(body) &&
	    can_stand_twice(body, function->body + 1, function->body_end))
		flags = find_cover(body, function->body + 1,
				   function->body_end, NULL, true);
	if (flags)
		put(body, function->body + 1, function->body_end, flags);
	free(flags);
}

/* The outermost loops that can. */
static void put_around_loops(struct claw_body *body, struct claw_node *node)
{
	const struct claw_unit *unit = body->sanitizer->rewrite->unit;

	for (struct claw_node *child = node->first; child; child = child->next) {
		size_t end = claw_nodes_is_loop(child) && child->end > 0 ?
			claw_statement_end(unit, child) : 0;
		char *flags = NULL;

		if (end && child->parent->kind != CXCursor_UnexposedStmt &&
		    can_stand_twice(body, child->start, end))
			flags = find_cover(body, child->start, end, child,
					   false);
		if (flags)
			put(body, child->start, end, flags);
		else
			put_around_loops(body, child);
		free(flags);
	}
}

void claw_twins_put(struct claw_body *body)
{
	if (body->sanitizer->rewrite->request->modes &
	    (CLAW_PROBE_HIT | CLAW_PROBE_COUNT))
		return;
	if (body->function->is_kernel)
		put_around_kernel(body);
	put_around_loops(body, body->root);
}
