/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of a function's variables: see sanitizer_private.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "sanitizer_private.h"

static struct claw_variable *find(const struct claw_body *body, CXCursor cursor)
{
	for (size_t i = 0; i < body->variable_count; i++)
		if (clang_equalCursors(body->variables[i].declaration, cursor))
			return &body->variables[i];
	return NULL;
}

struct claw_variable *claw_variables_find(const struct claw_body *body,
					  const struct claw_node *reference)
{
	return find(body, claw_nodes_declaration(reference));
}

static void add_change(struct claw_variable *variable, struct claw_node *at,
		       struct claw_node *value)
{
	struct claw_change *grown = claw_grow(variable->changes,
					      variable->change_count + 1,
					      sizeof(*grown));

	variable->changes = grown;
	grown[variable->change_count++] =
		(struct claw_change){ .at = at, .value = value };
}

/* Where the names declared at node end. */
static size_t scope_of(const struct claw_node *node)
{
	while (node->parent && node->kind != CXCursor_CompoundStmt &&
	       node->kind != CXCursor_ForStmt)
		node = node->parent;
	return node->end;
}

/* Of a VarDecl's children the one that is its value. */
static struct claw_node *initialiser(struct claw_node *node)
{
	CXCursor value = clang_Cursor_getVarDeclInitializer(node->cursor);

	if (clang_Cursor_isNull(value))
		return NULL;
	for (struct claw_node *child = node->first; child; child = child->next)
		if (clang_equalCursors(child->cursor, value))
			return child;
	return NULL;
}

static void add_variable(struct claw_body *body, struct claw_node *node)
{
	struct claw_variable *grown = claw_grow(body->variables,
						body->variable_count + 1,
						sizeof(*grown));

	body->variables = grown;
	struct claw_variable *variable = &grown[body->variable_count++];

	memset(variable, 0, sizeof(*variable));
	variable->declaration = clang_getCanonicalCursor(node->cursor);
	variable->type = clang_getCursorType(node->cursor);
	variable->name = claw_nodes_name(node->cursor);
	variable->node = node;
	variable->is_parameter = node->kind == CXCursor_ParmDecl;
	variable->scope_end = scope_of(node);
	struct claw_node *value = variable->is_parameter ? NULL :
		initialiser(node);

	if (value)
		add_change(variable, node, value);
}

static void note_use(struct claw_body *body, struct claw_node *node)
{
	struct claw_variable *variable = claw_variables_find(body, node);
	struct claw_node *around = claw_nodes_around(node);

	if (!variable || !around)
		return;
	bool is_first = around->first &&
		claw_nodes_strip(around->first) == node;

	if (around->kind == CXCursor_GCCAsmStmt ||
	    (around->kind == CXCursor_UnaryOperator &&
	     (around->op == CLAW_OP_INC || around->op == CLAW_OP_DEC)))
		add_change(variable, around, NULL);
	else if (around->kind == CXCursor_UnaryOperator &&
		 around->op == CLAW_OP_ADDRESS)
		variable->address_taken = true;
	else if (around->kind == CXCursor_CompoundAssignOperator && is_first)
		add_change(variable, around, NULL);
	else if (around->kind == CXCursor_BinaryOperator &&
		 around->op == CLAW_OP_ASSIGN && is_first)
		add_change(variable, around, around->last);
	else if (around->kind == CXCursor_BinaryOperator &&
		 around->op == CLAW_OP_NONE)
		variable->address_taken = true;
}

static bool is_through_pointer(const struct claw_node *part)
{
	return part->first &&
		claw_type_is_pointer(part->first->type) &&
		!claw_type_is_array(claw_nodes_strip(part->first)->type);
}

/* Components and members of vectors and structs that are written. */
static void note_parts(struct claw_body *body, struct claw_node *node)
{
	bool writes = node->kind == CXCursor_CompoundAssignOperator ||
		(node->kind == CXCursor_BinaryOperator &&
		 node->op == CLAW_OP_ASSIGN) ||
		(node->kind == CXCursor_UnaryOperator &&
		 (node->op == CLAW_OP_INC || node->op == CLAW_OP_DEC ||
		  node->op == CLAW_OP_ADDRESS));
	struct claw_node *part = node->first;

	if (!writes)
		return;
	part = claw_nodes_strip(part);
	for (; part && part->kind != CXCursor_DeclRefExpr;
	     part = claw_nodes_strip(part->first))
		if ((part->kind != CXCursor_MemberRefExpr &&
		     part->kind != CXCursor_ArraySubscriptExpr &&
		     part->kind != CXCursor_UnexposedExpr) ||
		    is_through_pointer(part))
			return;
	struct claw_variable *variable = part && part->parent != node ?
		claw_variables_find(body, part) : NULL;

	if (variable && node->op == CLAW_OP_ADDRESS &&
	    !claw_type_is_array(variable->type))
		variable->address_taken = true;
	else if (variable && !claw_type_is_pointer(variable->type))
		add_change(variable, node, NULL);
}

void claw_variables_gather(struct claw_body *body)
{
	unsigned int parameter = 0;

	for (struct claw_node *node = body->root; node;
	     node = claw_nodes_next(body->root, node)) {
		if (node->kind == CXCursor_ParmDecl &&
		    node->parent == body->root) {
			add_variable(body, node);
			body->variables[body->variable_count - 1].parameter =
				parameter++;
		} else if (node->kind == CXCursor_VarDecl) {
			add_variable(body, node);
		} else if (node->kind == CXCursor_LabelStmt) {
			body->has_labels = true;
		}
	}
	for (struct claw_node *node = body->root; node;
	     node = claw_nodes_next(body->root, node)) {
		if (node->kind == CXCursor_DeclRefExpr)
			note_use(body, node);
		else
			note_parts(body, node);
	}
}

void claw_variables_release(struct claw_body *body)
{
	for (size_t i = 0; i < body->variable_count; i++) {
		free(body->variables[i].name);
		free(body->variables[i].changes);
	}
	free(body->variables);
}

struct claw_node *claw_variables_only_value(const struct claw_variable *variable)
{
	if (variable->is_parameter || variable->address_taken ||
	    variable->change_count != 1)
		return NULL;
	return variable->changes[0].value;
}

bool claw_variables_is_fixed(const struct claw_variable *variable, size_t start,
			     size_t end)
{
	if (variable->address_taken)
		return false;
	if (!variable->is_parameter &&
	    (variable->node->start >= start || variable->scope_end < end))
		return false;
	for (size_t i = 0; i < variable->change_count; i++)
		if (variable->changes[i].at->start < end &&
		    variable->changes[i].at->end > start)
			return false;
	return true;
}
