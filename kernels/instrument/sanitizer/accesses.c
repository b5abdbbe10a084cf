/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a function touches: goes through its expressions, knows of each place
 * whether it is read, written or only named, and gives those that are in
 * memory to the checks. See sanitizer_private.h.
 */
#include "config.h"

#include "sanitizer_private.h"

enum use { USE_READ, USE_WRITE, USE_UPDATE, USE_NAME };

static const enum claw_access_kind kinds_of_uses[] = {
	[USE_READ] = CLAW_READ, [USE_WRITE] = CLAW_WRITE,
	[USE_UPDATE] = CLAW_UPDATE,
};

static void see(struct claw_body *body, struct claw_node *node, enum use use);

static void see_children(struct claw_body *body, struct claw_node *node)
{
	for (struct claw_node *child = node->first; child; child = child->next)
		see(body, child, USE_READ);
}

/* What decides something: nothing of it is passed on with a value. */
static void see_apart(struct claw_body *body, struct claw_node *node)
{
	unsigned int outer = claw_init_defer(body, 0);

	see(body, node, USE_READ);
	claw_init_defer(body, outer);
}

/* The expressions inside of a place, which is itself looked at by who asks. */
static void see_inside(struct claw_body *body, struct claw_node *place)
{
	struct claw_node *base, *index;

	place = claw_nodes_strip(place);
	switch (place->kind) {
	case CXCursor_DeclRefExpr:
		break;
	case CXCursor_ArraySubscriptExpr:
		claw_subscript_parts(place, &base, &index);
		if (claw_type_is_pointer(base->type) &&
		    !claw_type_is_array(claw_nodes_strip(base)->type))
			see_apart(body, base);
		else
			see_inside(body, base);
		see_apart(body, index);
		break;
	case CXCursor_MemberRefExpr:
		if (!place->first)
			break;
		if (claw_member_is_arrow(place))
			see_apart(body, place->first);
		else
			see_inside(body, place->first);
		break;
	case CXCursor_UnaryOperator:
		if (place->op == CLAW_OP_DEREF) {
			see_apart(body, place->first);
			break;
		}
		/* fall through */
	default:
		see(body, place, USE_READ);
	}
}

static void see_place(struct claw_body *body, struct claw_node *node,
		      enum use use)
{
	if (use != USE_NAME)
		claw_check_place(body, node, kinds_of_uses[use]);
	see_inside(body, node);
}

static bool is_place(struct claw_node *node)
{
	node = claw_nodes_strip(node);
	return node->kind == CXCursor_DeclRefExpr ||
		node->kind == CXCursor_ArraySubscriptExpr ||
		node->kind == CXCursor_MemberRefExpr ||
		node->kind == CXCursor_UnaryOperator;
}

static void see_unexposed(struct claw_body *body, struct claw_node *node,
			  enum use use)
{
	struct claw_node *child = node->first;

	if (claw_is_swizzle(body, node)) {
		if (is_place(child))
			claw_init_mask(body, node);
		if (claw_type_is_pointer(child->type)) {
			if (use != USE_NAME)
				claw_check_pointer(body, child,
						   kinds_of_uses[use]);
			claw_init_mask(body, NULL);
			see_apart(body, child);
		} else {
			see(body, child, use);
		}
		claw_init_mask(body, NULL);
		return;
	}
	if (!child || child->next || claw_nodes_strip(node) == node) {
		see_children(body, node);
		return;
	}
	/* An array becomes a pointer: nothing is touched. */
	if (claw_type_is_array(child->type) && claw_type_is_pointer(node->type))
		use = USE_NAME;
	see(body, child, use);
}

static void see_subscript(struct claw_body *body, struct claw_node *node,
			  enum use use)
{
	struct claw_node *base, *index;

	claw_subscript_parts(node, &base, &index);
	if (!claw_type_is_vector(base->type)) {
		see_place(body, node, use);
		return;
	}
	see(body, base, use);
	see_apart(body, index);
}

static void see_unary(struct claw_body *body, struct claw_node *node,
		      enum use use)
{
	if (!node->first)
		return;
	switch (node->op) {
	case CLAW_OP_DEREF:
		see_place(body, node, use);
		break;
	case CLAW_OP_ADDRESS:
		see(body, node->first, USE_NAME);
		break;
	case CLAW_OP_INC:
	case CLAW_OP_DEC:
		see(body, node->first, USE_UPDATE);
		break;
	default:
		see(body, node->first, USE_READ);
	}
}

static void see_call(struct claw_body *body, struct claw_node *node)
{
	unsigned int outer;

	if (!claw_unit_callee(body->sanitizer->rewrite->unit, node->cursor)) {
		claw_builtin_call(body, node);
		see_children(body, node);
		return;
	}
	if (body->sanitizer->is_survey)
		claw_own_call(body, node);
	claw_init_call(body, node);
	outer = claw_init_defer(body, 0);
	see_children(body, node);
	claw_init_defer(body, outer);
}

/* The left side first: what it is decides what becomes of the right one. */
static void see_assignment(struct claw_body *body, struct claw_node *node)
{
	unsigned int outer = claw_init_defer(body, 0);

	claw_init_target(body);
	see(body, node->first, node->kind == CXCursor_BinaryOperator ?
	    USE_WRITE : USE_UPDATE);
	claw_init_defer(body, claw_init_target(body));
	if (node->last != node->first)
		see(body, node->last, USE_READ);
	claw_init_defer(body, outer);
}

static bool decides(const struct claw_node *node)
{
	return node->op == CLAW_OP_LAND || node->op == CLAW_OP_LOR;
}

static void see_binary(struct claw_body *body, struct claw_node *node)
{
	if (!body->sanitizer->is_survey)
		claw_check_arithmetic(body, node);
	if (!node->first)
		return;
	if (node->kind == CXCursor_CompoundAssignOperator ||
	    node->op == CLAW_OP_ASSIGN) {
		see_assignment(body, node);
	} else if (decides(node)) {
		see_apart(body, node->first);
		see_apart(body, node->last);
	} else {
		see_children(body, node);
	}
}

/* One that others see, or that nobody may have written. */
static void see_variable(struct claw_body *body, struct claw_node *node,
			 enum claw_access_kind kind)
{
	enum claw_space space = claw_type_space(node->type);

	if (claw_race_is_shared(body, node->type) ||
	    (space == CLAW_SPACE_LOCAL && body->init))
		claw_check_place(body, node, kind);
	else if (space == CLAW_SPACE_PRIVATE)
		claw_init_variable(body, node, kind);
}

static void see(struct claw_body *body, struct claw_node *node, enum use use)
{
	/* An array is never touched as a whole. */
	if (clang_isExpression(node->kind) && claw_type_is_array(node->type))
		use = USE_NAME;
	switch (node->kind) {
	case CXCursor_ParenExpr:
		if (node->first)
			see(body, node->first, use);
		break;
	case CXCursor_UnexposedExpr:
		see_unexposed(body, node, use);
		break;
	case CXCursor_ArraySubscriptExpr:
		see_subscript(body, node, use);
		break;
	case CXCursor_MemberRefExpr:
		see_place(body, node, use);
		break;
	case CXCursor_DeclRefExpr:
		if (use != USE_NAME)
			see_variable(body, node, kinds_of_uses[use]);
		break;
	case CXCursor_UnaryOperator:
		see_unary(body, node, use);
		break;
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		see_binary(body, node);
		break;
	case CXCursor_ConditionalOperator:
		see_apart(body, node->first);
		for (struct claw_node *child = node->first->next; child;
		     child = child->next)
			see(body, child, USE_READ);
		break;
	case CXCursor_CallExpr:
		see_call(body, node);
		break;
	case CXCursor_UnaryExpr:	/* sizeof */
		break;
	default:
		see_children(body, node);
	}
}

void claw_accesses_find(struct claw_body *body)
{
	for (struct claw_node *child = body->root->first; child;
	     child = child->next)
		if (child->kind == CXCursor_CompoundStmt)
			see_children(body, child);
}
