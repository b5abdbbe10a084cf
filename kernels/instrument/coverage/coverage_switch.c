/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A switch of a walk: see coverage_private.h. A case has a counter behind its
 * label. In hit mode, where nothing can be taken away, a case that the one
 * before falls into has it where only the jump comes by:
 *	{ if (0) { case 2: counter; } STATEMENT }
 */
#include "config.h"

#include <stdlib.h>

#include "coverage_private.h"
#include "harness/base/memory.h"

struct claw_switch {
	struct claw_switch *around;
	int head;		/* CLAW_FLOW_NONE: nothing comes here */
	struct claw_sum jumps;	/* of all cases */
	struct claw_flow_line line;
	unsigned int branch, arms;
	bool has_default, has_break;
	int end;		/* where its breaks go */
};

static void add_jump(struct claw_walk *walk, struct claw_switch *of, int to,
		     const struct claw_sum *count, const char *kind)
{
	claw_flow_add_arc(&walk->flow, of->head, to, count);
	claw_sum_add(&of->jumps, count, 1);
	claw_walk_arm(walk, of->line, of->branch, of->arms++, count, kind);
}

/* "{ BODY if (0) { default: counter; } }" */
static void count_default(struct claw_walk *walk, CXCursor body,
			  unsigned int counter)
{
	size_t start, end;
	char *after;

	if (!claw_walk_range(walk, body, &start, &end))
		return;
	if (clang_getCursorKind(body) == CXCursor_CompoundStmt) {
		claw_edits_insert(&walk->rewrite->edits, end - 1,
				  " if (0) { default: __claw_c%u; } ", counter);
		return;
	}
	end = claw_unit_statement_end(walk->rewrite->unit, body, end);
	after = claw_format(" if (0) { default: __claw_c%u; } }", counter);
	claw_edits_wrap(&walk->rewrite->edits, start, end, "{ ", after);
	free(after);
}

/* None of the cases. */
static void otherwise(struct claw_walk *walk, struct claw_switch *of,
		      CXCursor body, int end)
{
	struct claw_flow_block *head = &walk->flow.blocks[of->head];
	struct claw_sum count = { NULL, 0 };

	if (claw_walk_is_hit(walk) || head->is_unknown) {
		unsigned int counter = claw_walk_counter(walk);

		count_default(walk, body, counter);
		claw_sum_add_counter(&count, counter, 1);
	} else {
		claw_sum_add(&count, &head->count, 1);
		claw_sum_add(&count, &of->jumps, -1);
	}
	add_jump(walk, of, end, &count, "default");
	claw_sum_release(&count);
}

void claw_walk_see_break(struct claw_walk *walk)
{
	if (walk->switch_in && walk->switch_in->end == walk->break_to)
		walk->switch_in->has_break = true;
}

/* GCC has a label there only where something jumps to it. */
static void join(struct claw_walk *walk, const struct claw_switch *of)
{
	bool at_label = walk->at_label || of->has_break || !of->has_default;

	claw_walk_join(walk, of->end);
	walk->at_label = at_label;
}

void claw_walk_switch(struct claw_walk *walk, CXCursor statement)
{
	struct claw_cursors parts = claw_walk_children(statement);
	struct claw_switch here = {
		.around = walk->switch_in,
		.line = claw_walk_line_of(walk, statement),
	};
	int break_to = walk->break_to;

	if (parts.count != 2) {
		claw_walk_refuse(walk, statement, "a switch of a kind that is not known");
		free(parts.list);
		return;
	}
	walk->place = here.line;
	claw_walk_value(walk, parts.list[0], false);
	claw_walk_emit(walk, here.line);
	here.head = walk->current;
	if (here.head != CLAW_FLOW_NONE)
		here.branch = claw_walk_branch(walk, here.line);
	walk->current = CLAW_FLOW_NONE;
	walk->switch_in = &here;
	walk->break_to = here.end = claw_flow_add_block(&walk->flow);
	claw_walk_statement(walk, parts.list[1]);
	claw_walk_go(walk, walk->break_to);
	if (here.head != CLAW_FLOW_NONE && !here.has_default)
		otherwise(walk, &here, parts.list[1], walk->break_to);
	if (here.head != CLAW_FLOW_NONE &&
	    walk->flow.blocks[here.head].is_unknown) {
		walk->flow.blocks[here.head].is_unknown = false;
		claw_sum_add(&walk->flow.blocks[here.head].count, &here.jumps,
			     1);
	}
	join(walk, &here);
	walk->break_to = break_to;
	walk->switch_in = here.around;
	claw_sum_release(&here.jumps);
	free(parts.list);
}

/* What is behind all labels that stand together. */
static CXCursor labelled(CXCursor statement, bool *has_default)
{
	for (;;) {
		enum CXCursorKind kind = clang_getCursorKind(statement);

		if (kind != CXCursor_CaseStmt && kind != CXCursor_DefaultStmt)
			return statement;
		*has_default |= kind == CXCursor_DefaultStmt;
		struct claw_cursors parts = claw_walk_children(statement);

		if (parts.count == 0)
			return statement;
		statement = parts.list[parts.count - 1];
		free(parts.list);
	}
}

/* Only the jump's: see above. */
static void count_jump(struct claw_walk *walk, CXCursor first, CXCursor inner,
		       unsigned int counter)
{
	size_t start, end, at, inner_end;

	if (!claw_walk_range(walk, first, &start, &end) ||
	    !claw_walk_range(walk, inner, &at, &inner_end))
		return;
	end = claw_unit_statement_end(walk->rewrite->unit, inner, inner_end);
	at = claw_unit_before_pragmas(walk->rewrite->unit, at);
	claw_edits_wrap(&walk->rewrite->edits, start, end, "{ if (0) { ", " }");
	claw_edits_insert(&walk->rewrite->edits, at, "__claw_c%u; } ", counter);
}

void claw_walk_case(struct claw_walk *walk, CXCursor statement)
{
	struct claw_switch *of = walk->switch_in;
	bool is_default = false, falls = walk->current != CLAW_FLOW_NONE;
	CXCursor inner = labelled(statement, &is_default);
	/* Behind the end of a loop or an if GCC has a label already, and one
	 * of the program's counts for all that stand together. */
	bool is_merged = clang_getCursorKind(inner) == CXCursor_LabelStmt ||
		walk->at_label;
	struct claw_sum jumps = { NULL, 0 };

	if (of)
		of->has_default |= is_default;
	if (!of || of->head == CLAW_FLOW_NONE) {
		claw_walk_statement(walk, inner);
		return;
	}
	unsigned int counter = claw_walk_counter(walk);
	int here;

	claw_sum_add_counter(&jumps, counter, 1);
	if (claw_walk_is_hit(walk)) {
		here = claw_flow_add_block(&walk->flow);
		if (falls)
			count_jump(walk, statement, inner, counter);
		else
			claw_walk_count_statement(walk, inner, counter);
	} else {
		here = claw_walk_counted_block(walk, counter);
		claw_walk_count_statement(walk, inner, counter);
		if (falls)
			claw_sum_add(&jumps,
				     &walk->flow.blocks[walk->current].count,
				     -1);
	}
	walk->flow.blocks[here].is_label = true;
	claw_walk_go(walk, here);
	add_jump(walk, of, here, &jumps, is_default ? "default" : "case");
	claw_sum_release(&jumps);
	walk->current = here;
	if (!is_merged)
		claw_walk_emit(walk, claw_walk_line_of(walk, statement));
	claw_walk_statement(walk, inner);
}
