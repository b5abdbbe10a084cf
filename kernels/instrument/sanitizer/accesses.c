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
			see(body, base, USE_READ);
		else
			see_inside(body, base);
		see(body, index, USE_READ);
		break;
	case CXCursor_MemberRefExpr:
		if (!place->first)
			break;
		if (claw_member_is_arrow(place))
			see(body, place->first, USE_READ);
		else
			see_inside(body, place->first);
		break;
	case CXCursor_UnaryOperator:
		if (place->op == CLAW_OP_DEREF) {
			see(body, place->first, USE_READ);
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

static void see_unexposed(struct claw_body *body, struct claw_node *node,
			  enum use use)
{
	struct claw_node *child = node->first;

	if (claw_is_swizzle(body, node)) {
		if (claw_type_is_pointer(child->type)) {
			if (use != USE_NAME)
				claw_check_pointer(body, child,
						   kinds_of_uses[use]);
			see(body, child, USE_READ);
		} else {
			see(body, child, use);
		}
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
	see(body, index, USE_READ);
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
	if (!claw_unit_callee(body->sanitizer->rewrite->unit, node->cursor))
		claw_builtin_call(body, node);
	else if (body->sanitizer->is_survey)
		claw_own_call(body, node);
	see_children(body, node);
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
	case CXCursor_DeclRefExpr:	/* a variable that others see */
		if (use != USE_NAME && claw_type_space(node->type) ==
		    CLAW_SPACE_LOCAL && claw_race_is_shared(body, node->type))
			claw_check_place(body, node, kinds_of_uses[use]);
		break;
	case CXCursor_UnaryOperator:
		see_unary(body, node, use);
		break;
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		if (!body->sanitizer->is_survey)
			claw_check_arithmetic(body, node);
		if (!node->first)
			break;
		see(body, node->first,
		    node->kind == CXCursor_CompoundAssignOperator ?
		    USE_UPDATE : node->op == CLAW_OP_ASSIGN ? USE_WRITE :
		    USE_READ);
		if (node->last != node->first)
			see(body, node->last, USE_READ);
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
