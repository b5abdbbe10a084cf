/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of a walk, which part its ways: see coverage_private.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "coverage_private.h"

const char *claw_walk_text(const struct claw_walk *walk, size_t offset)
{
	return walk->rewrite->unit->text + offset;
}

size_t claw_walk_behind(struct claw_walk *walk, CXCursor left)
{
	size_t start, end;

	if (!claw_walk_range(walk, left, &start, &end))
		return 0;
	return claw_unit_skip_blank(walk->rewrite->unit, end);
}

bool claw_walk_is_vector(CXCursor cursor)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(cursor));

	return type.kind == CXType_Vector || type.kind == CXType_ExtVector;
}

CXCursor claw_walk_bare(CXCursor cursor)
{
	for (;;) {
		enum CXCursorKind kind = clang_getCursorKind(cursor);

		if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr)
			return cursor;
		struct claw_cursors below = claw_walk_children(cursor);
		bool is_single = below.count == 1;

		if (is_single)
			cursor = below.list[0];
		free(below.list);
		if (!is_single)
			return cursor;
	}
}

size_t claw_walk_short_circuit(struct claw_walk *walk, CXCursor cursor,
			    const struct claw_cursors *operands)
{
	if (clang_getCursorKind(cursor) != CXCursor_BinaryOperator ||
	    operands->count != 2 || claw_walk_is_vector(cursor))
		return 0;
	size_t at = claw_walk_behind(walk, operands->list[0]);

	return strncmp(claw_walk_text(walk, at), "&&", 2) == 0 ||
		strncmp(claw_walk_text(walk, at), "||", 2) == 0 ? at : 0;
}

static bool is_not(struct claw_walk *walk, CXCursor cursor)
{
	size_t start, end;

	return clang_getCursorKind(cursor) == CXCursor_UnaryOperator &&
		claw_walk_range(walk, cursor, &start, &end) &&
		*claw_walk_text(walk, start) == '!';
}

struct constant {
	bool is_constant;
};

static enum CXChildVisitResult see_name(CXCursor cursor, CXCursor parent,
					CXClientData data)
{
	struct constant *seen = data;

	(void)parent;
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_UnaryExpr:
		return CXChildVisit_Continue;	/* sizeof */
	case CXCursor_DeclRefExpr:
		if (clang_getCursorKind(clang_getCursorReferenced(cursor)) ==
		    CXCursor_EnumConstantDecl)
			return CXChildVisit_Continue;
		seen->is_constant = false;
		return CXChildVisit_Break;
	case CXCursor_CallExpr:
	case CXCursor_StringLiteral:
		seen->is_constant = false;
		return CXChildVisit_Break;
	default:
		return CXChildVisit_Recurse;
	}
}

static bool is_constant(CXCursor cursor)
{
	struct constant seen = { true };

	see_name(cursor, cursor, &seen);
	if (seen.is_constant)
		clang_visitChildren(cursor, see_name, &seen);
	return seen.is_constant;
}

/* 0 && X, 1 || X; -1: X has to be seen. */
static int decided_by_left(struct claw_walk *walk, CXCursor cursor)
{
	struct claw_cursors operands = claw_walk_children(cursor);
	size_t at = claw_walk_short_circuit(walk, cursor, &operands);
	int left = at ? claw_walk_constant(walk, operands.list[0]) : -1;

	free(operands.list);
	return left >= 0 && left == (*claw_walk_text(walk, at) == '|') ? left : -1;
}

int claw_walk_constant(struct claw_walk *walk, CXCursor cursor)
{
	int value = -1;

	if (!is_constant(cursor))
		return decided_by_left(walk, claw_walk_bare(cursor));
	CXEvalResult result = clang_Cursor_Evaluate(cursor);

	if (!result)
		return -1;
	if (clang_EvalResult_getKind(result) == CXEval_Int)
		value = clang_EvalResult_getAsUnsigned(result) != 0;
	else if (clang_EvalResult_getKind(result) == CXEval_Float)
		value = clang_EvalResult_getAsDouble(result) != 0;
	clang_EvalResult_dispose(result);
	return value;
}

/* A floating-point number may stand in an if, but not before a ?. */
static const char *as_truth(CXCursor cursor)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(cursor));

	switch (type.kind) {
	case CXType_Half:
	case CXType_Float16:
	case CXType_Float:
	case CXType_Double:
		return ") != 0";
	default:
		return ")";
	}
}

/* yes: counted where the condition is so, no: where not; -1: need not be. */
static void count_ways(struct claw_walk *walk, CXCursor cursor, size_t start,
		       size_t end, long yes, long no)
{
	struct claw_edits *edits = &walk->rewrite->edits;
	const char *truth = as_truth(cursor);
	char after[120], other[48] = "0";

	if (walk->rewrite->has_regions) {
		if (no >= 0)
			snprintf(other, sizeof(other), "__claw_w%ld(!__claw_t)",
				 no);
		snprintf(after, sizeof(after), "%s); __claw_w%ld(__claw_t); %s; "
			 "__claw_t; })", truth, yes, other);
		claw_edits_wrap(edits, start, end,
				"({ const int __claw_t = !!((", after);
		return;
	}
	if (no >= 0)
		snprintf(other, sizeof(other), "(__claw_c%ld, 0)", no);
	snprintf(after, sizeof(after), "%s ? (__claw_c%ld, 1) : %s)", truth, yes,
		 other);
	claw_edits_wrap(edits, start, end, "((", after);
}

/* The two ways on from a condition in the text, counted. */
static void part(struct claw_walk *walk, CXCursor cursor,
		 struct claw_flow_line line, int yes, int no, const char *kind)
{
	int from = walk->current;
	size_t start, end;
	long other = -1;
	struct claw_sum on_yes = { NULL, 0 }, on_no = { NULL, 0 };

	if (from == CLAW_FLOW_NONE ||
	    !claw_walk_range(walk, cursor, &start, &end))
		return;
	unsigned int counter = claw_walk_counter(walk);
	unsigned int branch = claw_walk_branch(walk, line);

	claw_sum_add_counter(&on_yes, counter, 1);
	if (claw_walk_is_hit(walk) || walk->flow.blocks[from].is_unknown) {
		other = claw_walk_counter(walk);
		claw_sum_add_counter(&on_no, (unsigned int)other, 1);
	} else {
		claw_sum_add(&on_no, &walk->flow.blocks[from].count, 1);
		claw_sum_add(&on_no, &on_yes, -1);
	}
	count_ways(walk, cursor, start, end, counter, other);
	if (walk->flow.blocks[from].is_unknown) {
		walk->flow.blocks[from].is_unknown = false;
		claw_sum_add(&walk->flow.blocks[from].count, &on_yes, 1);
		claw_sum_add(&walk->flow.blocks[from].count, &on_no, 1);
	}
	claw_walk_arm(walk, line, branch, 0, &on_yes, kind);
	claw_walk_arm(walk, line, branch, 1, &on_no, kind);
	size_t first = claw_flow_add_arc(&walk->flow, from, yes, &on_yes);
	size_t second = claw_flow_add_arc(&walk->flow, from, no, &on_no);

	walk->flow.arcs[first].is_condition = true;
	walk->flow.arcs[second].is_condition = true;
	claw_sum_release(&on_yes);
	claw_sum_release(&on_no);
	walk->current = CLAW_FLOW_NONE;
}

/* a && b, a || b: b's line is the operator's. */
static void part_both(struct claw_walk *walk, const struct claw_cursors *operands,
		      size_t at, struct claw_flow_line line, int yes, int no)
{
	bool is_and = *claw_walk_text(walk, at) == '&';
	const char *kind = is_and ? "&&" : "||";
	if (claw_walk_constant(walk, operands->list[0]) >= 0) {
		claw_walk_condition(walk, operands->list[1], line, yes, no,
				    kind);
		return;
	}
	int second = claw_flow_add_block(&walk->flow);

	claw_walk_condition(walk, operands->list[0], line,
			    is_and ? second : yes, is_and ? no : second, kind);
	claw_walk_join(walk, second);
	claw_walk_condition(walk, operands->list[1], claw_walk_line(walk, at),
			    yes, no, kind);
}

/* It is decided by the condition itself. */
static bool is_comparison(struct claw_walk *walk, CXCursor cursor)
{
	struct claw_cursors operands = claw_walk_children(cursor);
	bool compares = false;

	if (clang_getCursorKind(cursor) == CXCursor_BinaryOperator &&
	    operands.count == 2) {
		const char *sign = claw_walk_text(walk, claw_walk_behind(
			walk, operands.list[0]));

		compares = (strchr("<>", sign[0]) && sign[1] != sign[0]) ||
			strncmp(sign, "==", 2) == 0 ||
			strncmp(sign, "!=", 2) == 0;
	}
	free(operands.list);
	return compares;
}

void claw_walk_condition(struct claw_walk *walk, CXCursor cursor,
			 struct claw_flow_line line, int yes, int no,
			 const char *kind)
{
	CXCursor inner = claw_walk_bare(cursor);
	struct claw_cursors operands = claw_walk_children(inner);
	size_t at = claw_walk_short_circuit(walk, inner, &operands);
	int always = claw_walk_constant(walk, cursor);

	if (always >= 0) {
		claw_walk_go(walk, always ? yes : no);
	} else if (at) {
		part_both(walk, &operands, at, line, yes, no);
	} else if (is_not(walk, inner) && operands.count == 1) {
		claw_walk_condition(walk, operands.list[0], line, no, yes, kind);
	} else {
		struct claw_flow_line around = walk->place;

		walk->place = line;
		claw_walk_value(walk, cursor, is_comparison(walk, inner));
		claw_walk_emit(walk, line);
		part(walk, cursor, line, yes, no, kind);
		walk->place = around;
	}
	free(operands.list);
}
