/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a variable is written before it is read, whichever way control goes:
 * what most are, so that they need no shadow. Where it is not plain to see the
 * answer is no, and a probe asks at run time. See init.h.
 */
#include "config.h"

#include "init.h"

struct walk {
	const struct claw_body *body;
	const struct claw_variable *variable;
	bool at_switch;			/* the one around */
	bool is_unsure;			/* there is a read that may come first */
};

static bool is_it(const struct walk *walk, struct claw_node *node)
{
	return node && node->kind == CXCursor_DeclRefExpr &&
		claw_variables_find(walk->body, node) == walk->variable;
}

/* Control comes to node, and it is written or not: is it behind node? True,
 * too, where control does not come there. */
static bool pass(struct walk *walk, struct claw_node *node, bool is_written);

static bool pass_children(struct walk *walk, struct claw_node *node,
			  bool is_written)
{
	for (struct claw_node *child = node->first; child; child = child->next)
		is_written = pass(walk, child, is_written);
	return is_written;
}

static bool pass_assignment(struct walk *walk, struct claw_node *node,
			    bool is_written)
{
	if (!node->first || !is_it(walk, claw_nodes_strip(node->first)))
		return pass_children(walk, node, is_written);
	pass(walk, node->last, is_written);
	return true;
}

/* Of two ways one is taken. */
static bool pass_fork(struct walk *walk, struct claw_node *node,
		      bool is_written)
{
	struct claw_node *then = claw_nodes_child(node, 1);
	struct claw_node *other = claw_nodes_child(node, 2);

	is_written = pass(walk, node->first, is_written);
	bool one = then ? pass(walk, then, is_written) : is_written;
	bool two = other ? pass(walk, other, is_written) : is_written;

	return one && two;
}

static bool pass_for(struct walk *walk, struct claw_node *node, bool is_written)
{
	struct claw_for parts;

	claw_nodes_for(walk->body->sanitizer->rewrite->unit, node, &parts);
	if (parts.init)
		is_written = pass(walk, parts.init, is_written);
	if (parts.condition)
		is_written = pass(walk, parts.condition, is_written);
	bool inside = is_written;

	if (parts.body)
		pass(walk, parts.body, inside);
	if (parts.step)
		pass(walk, parts.step, inside);
	return is_written;
}

static bool leaves(struct claw_node *root)
{
	for (struct claw_node *node = root; node;
	     node = claw_nodes_next(root, node))
		if (node->kind == CXCursor_BreakStmt ||
		    node->kind == CXCursor_ContinueStmt)
			return true;
	return false;
}

static bool pass_do(struct walk *walk, struct claw_node *node, bool is_written)
{
	bool behind = pass(walk, node->first, is_written);

	if (leaves(node->first))
		behind = is_written;
	return pass(walk, node->last, behind);
}

/* Behind a label it is as it is at the switch itself. */
static bool pass_switch(struct walk *walk, struct claw_node *node,
			bool is_written)
{
	bool outer = walk->at_switch;

	is_written = pass(walk, node->first, is_written);
	walk->at_switch = is_written;
	pass(walk, node->last, is_written);
	walk->at_switch = outer;
	return is_written;
}

static bool pass(struct walk *walk, struct claw_node *node, bool is_written)
{
	switch (node->kind) {
	case CXCursor_DeclRefExpr:
		if (is_it(walk, node) && !is_written)
			walk->is_unsure = true;
		return is_written;
	case CXCursor_VarDecl:
		return node == walk->variable->node ? false :
			pass_children(walk, node, is_written);
	case CXCursor_BinaryOperator:
		if (node->op == CLAW_OP_ASSIGN)
			return pass_assignment(walk, node, is_written);
		if (node->op != CLAW_OP_LAND && node->op != CLAW_OP_LOR)
			return pass_children(walk, node, is_written);
		is_written = pass(walk, node->first, is_written);
		pass(walk, node->last, is_written);
		return is_written;
	case CXCursor_IfStmt:
	case CXCursor_ConditionalOperator:
		return pass_fork(walk, node, is_written);
	case CXCursor_ForStmt:
		return pass_for(walk, node, is_written);
	case CXCursor_WhileStmt:
		is_written = pass(walk, node->first, is_written);
		pass(walk, node->last, is_written);
		return is_written;
	case CXCursor_DoStmt:
		return pass_do(walk, node, is_written);
	case CXCursor_SwitchStmt:
		return pass_switch(walk, node, is_written);
	case CXCursor_CaseStmt:
	case CXCursor_DefaultStmt:
		return pass_children(walk, node, walk->at_switch);
	case CXCursor_ReturnStmt:
		pass_children(walk, node, is_written);
		return true;
	case CXCursor_BreakStmt:
	case CXCursor_ContinueStmt:
		return true;
	case CXCursor_UnaryExpr:	/* sizeof */
		return is_written;
	default:
		return pass_children(walk, node, is_written);
	}
}

bool claw_init_is_sure(const struct claw_body *body,
		       const struct claw_variable *variable)
{
	struct walk walk = { .body = body, .variable = variable };

	if (body->has_labels || variable->address_taken)
		return false;
	for (struct claw_node *child = body->root->first; child;
	     child = child->next)
		if (child->kind == CXCursor_CompoundStmt)
			pass(&walk, child, false);
	return !walk.is_unsure;
}
