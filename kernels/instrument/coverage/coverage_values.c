/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of a walk: see coverage_private.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "coverage_private.h"

/* a && b where its value is wanted: 1 or 0 comes of it. */
static void both_value(struct claw_walk *walk, CXCursor cursor, size_t at)
{
	struct claw_flow_line line = claw_walk_line(walk, at);
	int yes = claw_flow_add_block(&walk->flow);
	int no = claw_flow_add_block(&walk->flow);
	int end = claw_flow_add_block(&walk->flow);

	claw_walk_condition(walk, cursor, line, yes, no, "&&");
	claw_walk_join(walk, yes);
	claw_walk_emit(walk, line);
	claw_walk_go(walk, end);
	claw_walk_join(walk, no);
	claw_walk_emit(walk, line);
	claw_walk_go(walk, end);
	claw_walk_join(walk, end);
}

static void conditional_value(struct claw_walk *walk,
			      const struct claw_cursors *operands)
{
	size_t colon = claw_walk_behind(walk, operands->list[1]);
	struct claw_flow_line line = claw_walk_line(walk, colon);
	int yes = claw_flow_add_block(&walk->flow);
	int no = claw_flow_add_block(&walk->flow);
	int end = claw_flow_add_block(&walk->flow);
	bool is_folded = claw_walk_constant(walk, operands->list[0]) >= 0;

	claw_walk_condition(walk, operands->list[0], line, yes, no, "?:");
	claw_walk_join(walk, yes);
	claw_walk_value(walk, operands->list[1], true);
	if (!is_folded)
		claw_walk_emit(walk, line);
	claw_walk_go(walk, end);
	claw_walk_join(walk, no);
	claw_walk_value(walk, operands->list[2], true);
	if (!is_folded)
		claw_walk_emit(walk, line);
	claw_walk_go(walk, end);
	claw_walk_join(walk, end);
}

static bool all_values(struct claw_walk *walk, const struct claw_cursors *list)
{
	bool is_constant_list = true;

	for (size_t i = 0; i < list->count; i++)
		is_constant_list &= claw_walk_value(walk, list->list[i], false);
	return is_constant_list;
}

/* What an assignment stores to: the store itself is the assignment's. Returns
 * whether it is a variable in a register. */
static bool target(struct claw_walk *walk, CXCursor cursor)
{
	CXCursor inner = claw_walk_bare(cursor);
	bool is_name = clang_getCursorKind(inner) == CXCursor_DeclRefExpr;

	if (!is_name)
		claw_walk_value(walk, inner, true);
	return is_name;
}

static bool binary_value(struct claw_walk *walk, CXCursor cursor,
			 const struct claw_cursors *operands, bool is_merged)
{
	if (operands->count != 2) {
		claw_walk_refuse(walk, cursor, "an operator without two operands");
		return false;
	}
	size_t at = claw_walk_behind(walk, operands->list[0]);
	const char *sign = claw_walk_text(walk, at);
	struct claw_flow_line around = walk->place;

	if (sign[0] == ',') {
		claw_walk_value(walk, operands->list[0], false);
		claw_walk_value(walk, operands->list[1], is_merged);
		return false;
	}
	if (claw_walk_short_circuit(walk, cursor, operands)) {
		int value = claw_walk_constant(walk, cursor);

		if (value < 0)
			both_value(walk, cursor, at);
		return value >= 0;
	}
	bool is_store = clang_getCursorKind(cursor) ==
		CXCursor_CompoundAssignOperator ||
		(sign[0] == '=' && sign[1] != '=');

	walk->place = claw_walk_line(walk, at);
	bool left = false, takes = false;

	if (is_store)
		takes = target(walk, operands->list[0]) && sign[0] == '=';
	else
		left = claw_walk_value(walk, operands->list[0], false);
	bool right = claw_walk_value(walk, operands->list[1], takes);

	if (is_store || (!is_merged && !(left && right)))
		claw_walk_emit(walk, walk->place);
	walk->place = around;
	return left && right;
}

static bool unary_value(struct claw_walk *walk, CXCursor cursor,
			const struct claw_cursors *operands, bool is_merged)
{
	size_t start, end, from, to;

	if (operands->count != 1 || !claw_walk_range(walk, cursor, &start, &end) ||
	    !claw_walk_range(walk, operands->list[0], &from, &to))
		return false;
	bool is_behind = from == start;
	size_t at = is_behind ? claw_unit_skip_blank(walk->rewrite->unit, to) :
		start;
	const char *sign = claw_walk_text(walk, at);
	bool is_step = (sign[0] == '+' || sign[0] == '-') && sign[1] == sign[0];
	struct claw_flow_line around = walk->place;

	walk->place = claw_walk_line(walk, at);
	bool value = claw_walk_value(walk, operands->list[0],
				     is_step || sign[0] == '&');

	if (is_step || (sign[0] != '&' && !is_merged && !value))
		claw_walk_emit(walk, walk->place);
	walk->place = around;
	return value && !is_step && sign[0] != '&' && sign[0] != '*';
}

/* A variable that has to be fetched. */
static bool name_value(struct claw_walk *walk, CXCursor cursor)
{
	CXCursor named = clang_getCursorReferenced(cursor);

	if (clang_getCursorKind(named) == CXCursor_EnumConstantDecl)
		return true;
	if (clang_getCursorKind(named) == CXCursor_VarDecl &&
	    clang_getCursorKind(clang_getCursorSemanticParent(named)) ==
	    CXCursor_TranslationUnit)
		claw_walk_emit(walk, walk->place);
	return false;
}

static bool call_value(struct claw_walk *walk, CXCursor cursor,
		       const struct claw_cursors *children, bool is_merged)
{
	struct claw_flow_line around = walk->place;

	walk->place = claw_walk_line_of(walk, cursor);
	for (size_t i = 1; i < children->count; i++)
		claw_walk_value(walk, children->list[i], false);
	if (!is_merged)
		claw_walk_emit(walk, walk->place);
	else
		claw_walk_emit(walk, around);
	claw_walk_tell_call(walk, cursor);
	claw_walk_after_call(walk);
	walk->place = around;
	return false;
}

static bool subscript_value(struct claw_walk *walk, CXCursor cursor,
			    const struct claw_cursors *children, bool is_merged)
{
	if (children->count != 2)
		return all_values(walk, children);
	struct claw_flow_line around = walk->place;
	size_t at = claw_walk_behind(walk, children->list[0]);
	CXType base = clang_getCursorType(claw_walk_bare(children->list[0]));

	(void)cursor;
	walk->place = claw_walk_line(walk, at);
	claw_walk_value(walk, children->list[0], true);
	bool is_known = claw_walk_value(walk, children->list[1], false) ||
		base.kind != CXType_Pointer;

	/* A pointer's address is worked out there; an array's is known. */
	if (!is_merged || !is_known)
		claw_walk_emit(walk, walk->place);
	walk->place = around;
	return false;
}

/* { .x = VALUE, [3] = VALUE }: of what is designated only the last is a value;
 * "a ?: b" has its first one several times. */
static bool unexposed_value(struct claw_walk *walk, CXCursor cursor,
			    const struct claw_cursors *children, bool is_merged)
{
	size_t start, end, from, to;

	if (children->count == 0)
		return false;
	if (children->count == 1)
		return claw_walk_value(walk, children->list[0], is_merged);
	if (!claw_unit_range(walk->rewrite->unit, cursor, &start, &end))
		return all_values(walk, children);
	if (strchr("[.", *claw_walk_text(walk, start)))
		return claw_walk_value(walk, children->list[children->count - 1],
				       is_merged);
	if (claw_unit_range(walk->rewrite->unit, children->list[1], &from, &to) &&
	    from == start && children->count >= 3 &&
	    clang_getCursorKind(children->list[1]) ==
	    clang_getCursorKind(children->list[0])) {
		claw_walk_refuse(walk, cursor, "a ?: without its middle");
		return false;
	}
	return all_values(walk, children);
}

static bool of_kind(struct claw_walk *walk, CXCursor cursor,
		    const struct claw_cursors *children, bool is_merged)
{
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_UnaryExpr:
		return true;
	case CXCursor_StringLiteral:
	case CXCursor_TypeRef:
	case CXCursor_MemberRef:
	case CXCursor_GenericSelectionExpr:
		return false;
	case CXCursor_DeclRefExpr:
		return name_value(walk, cursor);
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		return binary_value(walk, cursor, children, is_merged);
	case CXCursor_UnaryOperator:
		return unary_value(walk, cursor, children, is_merged);
	case CXCursor_ConditionalOperator:
		if (children->count != 3 || claw_walk_is_vector(children->list[0]))
			return all_values(walk, children);
		conditional_value(walk, children);
		return false;
	case CXCursor_CallExpr:
		return call_value(walk, cursor, children, is_merged);
	case CXCursor_ArraySubscriptExpr:
		return subscript_value(walk, cursor, children, is_merged);
	case CXCursor_CStyleCastExpr:
		return children->count && claw_walk_value(walk,
			children->list[children->count - 1], is_merged);
	case CXCursor_CompoundStmt:
		claw_walk_statement(walk, cursor);
		return false;
	case CXCursor_UnexposedExpr:
	case CXCursor_ParenExpr:
		return unexposed_value(walk, cursor, children, is_merged);
	default:
		return all_values(walk, children);
	}
}

bool claw_walk_value(struct claw_walk *walk, CXCursor cursor, bool is_merged)
{
	struct claw_cursors children = claw_walk_children(cursor);
	bool value = of_kind(walk, cursor, &children, is_merged);

	free(children.list);
	return value;
}

struct claw_flow_line claw_walk_operator_line(struct claw_walk *walk,
					      CXCursor cursor)
{
	CXCursor inner = claw_walk_bare(cursor);
	struct claw_cursors children = claw_walk_children(inner);
	enum CXCursorKind kind = clang_getCursorKind(inner);
	struct claw_flow_line line;

	if ((kind == CXCursor_BinaryOperator ||
	     kind == CXCursor_ArraySubscriptExpr) && children.count == 2)
		line = claw_walk_line(walk, claw_walk_behind(walk,
							   children.list[0]));
	else if (kind == CXCursor_ConditionalOperator && children.count == 3)
		line = claw_walk_line(walk, claw_walk_behind(walk,
							   children.list[1]));
	else
		line = claw_walk_line_of(walk, inner);
	free(children.list);
	return line;
}
