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

struct covered { bool by_begin, by_loop; size_t checks; };

/* Whether flags of the function's begin and of loop cover all in [start, end). */
static bool is_covered(const struct claw_body *body, size_t start, size_t end,
		       const struct claw_node *loop, struct covered *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < body->check_count; i++) {
		const struct claw_asked_at *check = &body->checks[i];

		if (check->offset < start || check->offset >= end)
			continue;
		ret->checks++;
		if (!check->hoist)
			return false;
		if (!check->hoist->loop)
			ret->by_begin = true;
		else if (check->hoist->loop == loop)
			ret->by_loop = true;
		else
			return false;
	}
	return ret->checks > 0;
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

static const struct claw_hoist *find_hoist(const struct claw_body *body,
					   const struct claw_node *loop)
{
	const struct claw_hoist *hoist = body->hoists;

	while (hoist && hoist->loop != loop)
		hoist = hoist->next;
	return hoist;
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

static void put_around_kernel(struct claw_body *body)
{
	const struct claw_function *function = body->function;
	const struct claw_hoist *begin = find_hoist(body, NULL);
	struct covered covered;
	char condition[128];

	if (!begin || !begin->is_used[1] ||
	    !is_covered(body, function->body + 1, function->body_end, NULL,
			&covered) ||
	    !can_stand_twice(body, function->body + 1, function->body_end))
		return;
	snprintf(condition, sizeof(condition), "%s%s%s", begin->name[1],
		 begin->is_used[0] ? " && " : "",
		 begin->is_used[0] ? begin->name[0] : "");
	put(body, function->body + 1, function->body_end, condition);
}

/* The outermost loops that can. */
static void put_around_loops(struct claw_body *body, struct claw_node *node)
{
	const struct claw_unit *unit = body->sanitizer->rewrite->unit;
	struct covered covered;
	char condition[128];

	for (struct claw_node *child = node->first; child; child = child->next) {
		size_t end = claw_nodes_is_loop(child) && child->end > 0 ?
			claw_statement_end(unit, child) : 0;

		if (!end || child->parent->kind == CXCursor_UnexposedStmt ||
		    !is_covered(body, child->start, end, child, &covered) ||
		    !can_stand_twice(body, child->start, end)) {
			put_around_loops(body, child);
			continue;
		}
		const struct claw_hoist *begin = find_hoist(body, NULL);
		const struct claw_hoist *own = find_hoist(body, child);

		snprintf(condition, sizeof(condition), "%s%s%s",
			 covered.by_begin ? begin->name[0] : "",
			 covered.by_begin && covered.by_loop ? " && " : "",
			 covered.by_loop ? own->name[0] : "");
		put(body, child->start, end, condition);
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
