/* SPDX-License-Identifier: Apache-2.0 */
/* Whose memory a pointer leads to: see sanitizer_private.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "sanitizer_private.h"

void claw_subscript_parts(struct claw_node *node, struct claw_node **base,
			  struct claw_node **index)
{
	struct claw_node *one = node->first, *two = node->last;
	bool turned = claw_type_is_integer(one->type);

	*base = turned ? two : one;
	*index = turned ? one : two;
}

bool claw_member_is_arrow(const struct claw_node *node)
{
	return node->first && claw_type_is_pointer(node->first->type);
}

bool claw_is_swizzle(const struct claw_body *body, const struct claw_node *node)
{
	if (node->kind != CXCursor_UnexposedExpr || !node->first ||
	    node->first->next || node->first->end >= node->end)
		return false;
	const struct claw_unit *unit = body->sanitizer->rewrite->unit;
	size_t at = claw_unit_skip_blank(unit, node->first->end);

	return unit->text[at] == '.' ||
		(unit->text[at] == '-' && unit->text[at + 1] == '>');
}

char *claw_callee_name(const struct claw_node *call)
{
	return claw_nodes_name(clang_getCursorReferenced(call->cursor));
}

struct claw_node *claw_argument(const struct claw_node *call, size_t index)
{
	CXCursor cursor = clang_Cursor_getArgument(call->cursor,
						   (unsigned int)index);

	for (struct claw_node *child = call->first; child; child = child->next)
		if (clang_equalCursors(child->cursor, cursor) &&
		    child != call->first)
			return child;
	return claw_nodes_child(call, index + 1);
}

bool claw_root_is(const struct claw_root *a, const struct claw_root *b)
{
	return a->kind == b->kind &&
		(a->kind == CLAW_ROOT_NULL || a->kind == CLAW_ROOT_UNKNOWN ||
		 clang_equalCursors(a->declaration, b->declaration));
}

bool claw_roots_unknown(const struct claw_roots *roots)
{
	return roots->count == 0 || roots->list[0].kind == CLAW_ROOT_UNKNOWN;
}

static void add_root(struct claw_roots *roots, const struct claw_root *root)
{
	if (roots->count && roots->list[0].kind == CLAW_ROOT_UNKNOWN)
		return;
	for (size_t i = 0; i < roots->count; i++)
		if (claw_root_is(&roots->list[i], root))
			return;
	if (root->kind == CLAW_ROOT_UNKNOWN || roots->count == CLAW_ROOTS) {
		roots->list[0].kind = CLAW_ROOT_UNKNOWN;
		roots->count = 1;
		return;
	}
	roots->list[roots->count++] = *root;
}

static void add_kind(struct claw_roots *roots, enum claw_root_kind kind)
{
	struct claw_root root = { .kind = kind };

	root.declaration = clang_getNullCursor();
	add_root(roots, &root);
}

/* A pointer variable's: of all that it is ever set to. */
static void add_variable(struct claw_body *body, struct claw_node *node,
			 struct claw_roots *roots)
{
	struct claw_variable *variable = claw_variables_find(body, node);

	if (!variable || variable->address_taken) {
		add_kind(roots, CLAW_ROOT_UNKNOWN);
		return;
	}
	if (variable->busy)
		return;
	variable->busy = true;
	if (variable->is_parameter) {
		struct claw_root root = {
			.kind = CLAW_ROOT_PARAMETER,
			.parameter = variable->parameter,
			.declaration = variable->declaration,
			.type = variable->type,
		};
		add_root(roots, &root);
	} else if (variable->change_count == 0) {
		add_kind(roots, CLAW_ROOT_UNKNOWN);
	}
	for (size_t i = 0; i < variable->change_count; i++)
		if (variable->changes[i].value)
			claw_roots_of_pointer(body, variable->changes[i].value,
					      roots);
	variable->busy = false;
}

/* What a function of the text returns, seen from the call. */
static void add_call(struct claw_body *body, struct claw_node *call,
		     struct claw_roots *roots)
{
	static int depth;
	const struct claw_function *function = claw_unit_callee(
		body->sanitizer->rewrite->unit, call->cursor);
	struct claw_body *callee = function && depth < 8 ?
		claw_body_of(body->sanitizer, function) : NULL;
	struct claw_roots inner = { .count = 0 };

	if (!callee) {
		add_kind(roots, CLAW_ROOT_UNKNOWN);
		return;
	}
	depth++;
	for (struct claw_node *node = callee->root; node;
	     node = claw_nodes_next(callee->root, node))
		if (node->kind == CXCursor_ReturnStmt && node->first)
			claw_roots_of_pointer(callee, node->first, &inner);
	for (size_t i = 0; i < inner.count; i++) {
		struct claw_node *argument = inner.list[i].kind ==
			CLAW_ROOT_PARAMETER ?
			claw_argument(call, inner.list[i].parameter) : NULL;

		if (argument)
			claw_roots_of_pointer(body, argument, roots);
		else
			add_kind(roots, inner.list[i].kind == CLAW_ROOT_NULL ?
				 CLAW_ROOT_NULL : CLAW_ROOT_UNKNOWN);
	}
	if (inner.count == 0)
		add_kind(roots, CLAW_ROOT_UNKNOWN);
	depth--;
}

static void add_binary(struct claw_body *body, struct claw_node *node,
		       struct claw_roots *roots)
{
	struct claw_node *side = node->last;

	if (node->kind == CXCursor_CompoundAssignOperator ||
	    ((node->op == CLAW_OP_ADD || node->op == CLAW_OP_SUB) &&
	     !claw_type_is_integer(node->first->type)))
		side = node->first;
	else if (node->op != CLAW_OP_ADD && node->op != CLAW_OP_ASSIGN &&
		 node->op != CLAW_OP_COMMA)
		side = NULL;
	if (side)
		claw_roots_of_pointer(body, side, roots);
	else
		add_kind(roots, CLAW_ROOT_UNKNOWN);
}

static void add_cast(struct claw_body *body, struct claw_node *node,
		     struct claw_roots *roots)
{
	struct claw_node *from = node->last;
	long long value;

	if (!from) {
		add_kind(roots, CLAW_ROOT_UNKNOWN);
		return;
	}
	if (claw_type_is_array(from->type))
		claw_roots_of_place(body, from, roots);
	else if (claw_type_is_pointer(from->type))
		claw_roots_of_pointer(body, from, roots);
	else if (claw_nodes_constant(from, &value) && value == 0)
		add_kind(roots, CLAW_ROOT_NULL);
	else
		add_kind(roots, CLAW_ROOT_UNKNOWN);
}

void claw_roots_of_pointer(struct claw_body *body, struct claw_node *node,
			   struct claw_roots *roots)
{
	node = claw_nodes_bare(node);
	switch (node->kind) {
	case CXCursor_DeclRefExpr:
		if (claw_type_is_array(node->type))
			claw_roots_of_place(body, node, roots);
		else
			add_variable(body, node, roots);
		break;
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		add_binary(body, node, roots);
		break;
	case CXCursor_UnaryOperator:
		if (node->op == CLAW_OP_ADDRESS)
			claw_roots_of_place(body, node->first, roots);
		else if (node->op == CLAW_OP_INC || node->op == CLAW_OP_DEC)
			claw_roots_of_pointer(body, node->first, roots);
		else
			add_kind(roots, CLAW_ROOT_UNKNOWN);
		break;
	case CXCursor_ConditionalOperator:
		claw_roots_of_pointer(body, claw_nodes_child(node, 1), roots);
		claw_roots_of_pointer(body, node->last, roots);
		break;
	case CXCursor_CStyleCastExpr:
		add_cast(body, node, roots);
		break;
	case CXCursor_UnexposedExpr:
		if (node->first && !node->first->next &&
		    claw_nodes_strip(node) != node)
			add_cast(body, node, roots);
		else
			add_kind(roots, CLAW_ROOT_UNKNOWN);
		break;
	case CXCursor_CallExpr:
		add_call(body, node, roots);
		break;
	case CXCursor_IntegerLiteral: {
		long long value;

		add_kind(roots, claw_nodes_constant(node, &value) && value == 0 ?
			 CLAW_ROOT_NULL : CLAW_ROOT_UNKNOWN);
		break;
	}
	default:
		add_kind(roots, CLAW_ROOT_UNKNOWN);
	}
}

void claw_roots_of_place(struct claw_body *body, struct claw_node *node,
			 struct claw_roots *roots)
{
	struct claw_node *base, *index;

	node = claw_nodes_strip(node);
	switch (node->kind) {
	case CXCursor_DeclRefExpr: {
		struct claw_root root = {
			.kind = CLAW_ROOT_VARIABLE,
			.declaration = claw_nodes_declaration(node),
		};
		root.type = clang_getCursorType(root.declaration);
		add_root(roots, &root);
		break;
	}
	case CXCursor_ArraySubscriptExpr:
		claw_subscript_parts(node, &base, &index);
		if (claw_type_is_vector(base->type))
			claw_roots_of_place(body, base, roots);
		else
			claw_roots_of_pointer(body, base, roots);
		break;
	case CXCursor_MemberRefExpr:
		if (!node->first)
			add_kind(roots, CLAW_ROOT_UNKNOWN);
		else if (claw_member_is_arrow(node))
			claw_roots_of_pointer(body, node->first, roots);
		else
			claw_roots_of_place(body, node->first, roots);
		break;
	case CXCursor_UnaryOperator:
		if (node->op == CLAW_OP_DEREF)
			claw_roots_of_pointer(body, node->first, roots);
		else
			add_kind(roots, CLAW_ROOT_UNKNOWN);
		break;
	default:
		if (claw_is_swizzle(body, node) &&
		    !claw_type_is_pointer(node->first->type))
			claw_roots_of_place(body, node->first, roots);
		else
			add_kind(roots, CLAW_ROOT_UNKNOWN);
	}
}

bool claw_root_visible(struct claw_body *body, const struct claw_root *root,
		       size_t offset)
{
	if (root->kind != CLAW_ROOT_VARIABLE)
		return true;
	char *name = claw_nodes_name(root->declaration);
	bool visible = name[0] != '\0';

	for (size_t i = 0; i < body->variable_count && visible; i++) {
		const struct claw_variable *variable = &body->variables[i];

		if (clang_equalCursors(variable->declaration,
				       root->declaration))
			visible = variable->is_parameter ||
				(variable->node->start <= offset &&
				 offset < variable->scope_end);
		else
			visible = strcmp(variable->name, name) != 0;
	}
	free(name);
	return visible;
}
