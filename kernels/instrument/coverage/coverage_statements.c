/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of a walk that are neither loops nor a switch: see
 * coverage_private.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "coverage_private.h"
#include "harness/base/memory.h"

static void block(struct claw_walk *walk, CXCursor statement)
{
	struct claw_cursors list = claw_walk_children(statement);

	for (size_t i = 0; i < list.count; i++)
		claw_walk_statement(walk, list.list[i]);
	free(list.list);
}

/* Whether a variable is made each time its declaration is come by. */
static bool is_automatic(CXCursor variable)
{
	enum CX_StorageClass storage = clang_Cursor_getStorageClass(variable);
	CXType type = clang_getCursorType(variable);

	enum { LOCAL = 2, CONSTANT = 3, GLOBAL = 1 };
	while (type.kind == CXType_ConstantArray)
		type = clang_getArrayElementType(type);
	unsigned int space = type.kind == CXType_Invalid ? 0 :
		clang_getAddressSpace(type);

	return storage != CX_SC_Static && storage != CX_SC_Extern &&
		space != LOCAL && space != CONSTANT && space != GLOBAL;
}

static void declaration(struct claw_walk *walk, CXCursor statement)
{
	struct claw_cursors list = claw_walk_children(statement);

	for (size_t i = 0; i < list.count; i++) {
		CXCursor variable = list.list[i];
		size_t at;

		if (clang_getCursorKind(variable) != CXCursor_VarDecl ||
		    !is_automatic(variable))
			continue;
		CXCursor value = clang_Cursor_getVarDeclInitializer(variable);

		if (clang_Cursor_isNull(value) ||
		    !claw_unit_name_at(walk->rewrite->unit, variable, &at))
			continue;
		walk->place = claw_walk_line(walk, at);
		claw_walk_value(walk, value, true);
		claw_walk_emit(walk, walk->place);
	}
	free(list.list);
}

static void if_statement(struct claw_walk *walk, CXCursor statement)
{
	struct claw_cursors parts = claw_walk_children(statement);
	struct claw_flow_line line = claw_walk_bracket_line(walk, statement, 2);

	if (parts.count < 2) {
		claw_walk_refuse(walk, statement, "an if without a condition");
		free(parts.list);
		return;
	}
	int yes = claw_flow_add_block(&walk->flow);
	int no = claw_flow_add_block(&walk->flow);
	int end = parts.count > 2 ? claw_flow_add_block(&walk->flow) : no;

	bool is_dead = walk->current == CLAW_FLOW_NONE;

	walk->place = line;
	claw_walk_condition(walk, parts.list[0], line, yes, no, "if");
	claw_walk_join(walk, yes);
	claw_walk_statement(walk, parts.list[1]);
	/* GCC has a label behind an if for those who pass an else by. */
	bool has_label = parts.count == 2 || is_dead ||
		walk->current != CLAW_FLOW_NONE;

	claw_walk_go(walk, end);
	if (parts.count > 2) {
		claw_walk_join(walk, no);
		claw_walk_statement(walk, parts.list[2]);
		claw_walk_go(walk, end);
	}
	has_label |= walk->at_label;
	claw_walk_join(walk, end);
	walk->at_label = has_label;
	free(parts.list);
}

static void jump(struct claw_walk *walk, CXCursor statement, int to)
{
	claw_walk_emit(walk, claw_walk_line_of(walk, statement));
	if (to != CLAW_FLOW_NONE)
		claw_walk_jump(walk, to);
	walk->current = CLAW_FLOW_NONE;
}

/* Its line is its value's. */
static void return_statement(struct claw_walk *walk, CXCursor statement)
{
	struct claw_cursors parts = claw_walk_children(statement);
	struct claw_flow_line line = parts.count ?
		claw_walk_operator_line(walk, parts.list[0]) :
		claw_walk_line_of(walk, statement);

	walk->place = line;
	for (size_t i = 0; i < parts.count; i++)
		claw_walk_value(walk, parts.list[i], true);
	free(parts.list);
	walk->has_return = true;
	claw_walk_emit(walk, line);
	walk->current = CLAW_FLOW_NONE;
}

static struct claw_walk_label *label_of(struct claw_walk *walk, CXCursor cursor)
{
	CXString spelling = clang_getCursorSpelling(cursor);
	const char *name = clang_getCString(spelling);
	struct claw_walk_label *label = NULL;

	for (size_t i = 0; i < walk->label_count && !label; i++)
		if (strcmp(walk->labels[i].name, name) == 0)
			label = &walk->labels[i];
	if (!label) {
		label = claw_grow(walk->labels, walk->label_count + 1,
				  sizeof(*label));
		walk->labels = label;
		label += walk->label_count++;
		memset(label, 0, sizeof(*label));
		label->name = claw_strdup(name);
		label->block = claw_walk_counted_block(walk,
						       claw_walk_counter(walk));
		walk->flow.blocks[label->block].is_label = true;
	}
	clang_disposeString(spelling);
	return label;
}

/* Its counter is in its block's sum. */
static void label_statement(struct claw_walk *walk, CXCursor statement)
{
	struct claw_walk_label *label = label_of(walk, statement);
	struct claw_cursors parts = claw_walk_children(statement);

	struct claw_flow_line line = claw_walk_line_of(walk, statement);

	label->is_placed = true;
	if (walk->current != CLAW_FLOW_NONE)
		claw_flow_add_label(&walk->flow, walk->current, &line);
	claw_walk_go(walk, label->block);
	walk->current = label->block;
	claw_walk_emit(walk, line);
	if (parts.count == 1) {
		claw_walk_count_statement(walk, parts.list[0],
			walk->flow.blocks[label->block].count.terms[0].counter);
		claw_walk_statement(walk, parts.list[0]);
	}
	free(parts.list);
}

static void goto_statement(struct claw_walk *walk, CXCursor statement)
{
	struct claw_cursors parts = claw_walk_children(statement);

	if (parts.count != 1 ||
	    clang_getCursorKind(parts.list[0]) != CXCursor_LabelRef) {
		claw_walk_refuse(walk, statement, "a goto to no label");
	} else if (walk->current != CLAW_FLOW_NONE) {
		struct claw_walk_label *label = label_of(walk, parts.list[0]);

		claw_walk_emit(walk, claw_walk_line_of(walk, statement));
		claw_walk_emit(walk, claw_walk_line_of(walk, parts.list[0]));
		size_t arc = claw_walk_jump(walk, label->block);

		if (label->is_placed)
			claw_flow_close_loop(&walk->flow, arc);
	}
	free(parts.list);
}

/* A statement with attributes in front: the last is the statement. */
static void with_attributes(struct claw_walk *walk, CXCursor statement)
{
	struct claw_cursors parts = claw_walk_children(statement);

	for (size_t i = 0; i < parts.count; i++)
		if (clang_isStatement(clang_getCursorKind(parts.list[i])) ||
		    clang_isExpression(clang_getCursorKind(parts.list[i])))
			claw_walk_statement(walk, parts.list[i]);
	free(parts.list);
}

void claw_walk_statement(struct claw_walk *walk, CXCursor statement)
{
	enum CXCursorKind kind = clang_getCursorKind(statement);

	if (walk->why)
		return;
	switch (kind) {
	case CXCursor_CompoundStmt: block(walk, statement); return;
	case CXCursor_DeclStmt: declaration(walk, statement); return;
	case CXCursor_NullStmt: return;
	case CXCursor_IfStmt: if_statement(walk, statement); return;
	case CXCursor_WhileStmt: claw_walk_while(walk, statement); return;
	case CXCursor_DoStmt: claw_walk_do(walk, statement); return;
	case CXCursor_ForStmt: claw_walk_for(walk, statement); return;
	case CXCursor_SwitchStmt: claw_walk_switch(walk, statement); return;
	case CXCursor_CaseStmt:
	case CXCursor_DefaultStmt: claw_walk_case(walk, statement); return;
	case CXCursor_LabelStmt: label_statement(walk, statement); return;
	case CXCursor_GotoStmt: goto_statement(walk, statement); return;
	case CXCursor_BreakStmt:
		claw_walk_see_break(walk);
		jump(walk, statement, walk->break_to);
		return;
	case CXCursor_ContinueStmt:
		jump(walk, statement, walk->continue_to);
		return;
	case CXCursor_ReturnStmt: return_statement(walk, statement); return;
	case CXCursor_UnexposedStmt: with_attributes(walk, statement); return;
	case CXCursor_GCCAsmStmt:
	case CXCursor_MSAsmStmt:
		claw_walk_emit(walk, claw_walk_line_of(walk, statement));
		return;
	default:
		break;
	}
	if (!clang_isExpression(kind)) {
		claw_walk_refuse(walk, statement, "a statement of a kind that is not known");
		return;
	}
	walk->place = claw_walk_line_of(walk, statement);
	claw_walk_value(walk, statement, false);
}

bool claw_walk_run(struct claw_walk *walk)
{
	CXCursor body = walk->function->body_cursor;
	unsigned int counter = claw_walk_counter(walk);
	struct claw_sum entries = { NULL, 0 };

	walk->break_to = walk->continue_to = CLAW_FLOW_NONE;
	walk->current = claw_walk_counted_block(walk, counter);
	claw_sum_add_counter(&entries, counter, 1);
	claw_flow_add_arc(&walk->flow, CLAW_FLOW_NONE, walk->current, &entries);
	claw_sum_release(&entries);
	claw_walk_emit(walk, claw_walk_line(walk, walk->function->name_at));
	claw_walk_statement(walk, body);
	/* What GCC returns by when nobody has written it. */
	if (!walk->has_return)
		claw_walk_emit(walk, claw_walk_line(walk,
						   walk->function->body_end));
	return !walk->why;
}
