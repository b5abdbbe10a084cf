/* SPDX-License-Identifier: Apache-2.0 */
/* What can be evaluated as it is written, only earlier: see sanitizer_private.h. */
#include "config.h"

#include "sanitizer_private.h"

#include <stdlib.h>
#include <string.h>

/* Values that are what they are there already; text is evaluated there. */
static bool is_fixed(struct claw_asking *asking, const struct claw_node *node)
{
	const struct claw_hoist *hoist = asking->hoist;
	const struct claw_body *body = asking->body;
	size_t start = hoist->loop ? hoist->loop->start : body->function->body;
	size_t end = hoist->loop ? hoist->loop->end : body->function->body_end;
	struct claw_variable *variable = claw_variables_find(body, node);

	if (!variable)
		return clang_getCursorKind(clang_getCursorReferenced(
			node->cursor)) == CXCursor_EnumConstantDecl;
	return !claw_type_is_pointer(variable->type) &&
		!claw_type_is_array(variable->type) &&
		claw_variables_is_fixed(variable, start, end);
}

static bool is_work_size(const char *name)
{
	static const char *const names[] = {
		"get_global_size", "get_local_size", "get_num_groups",
		"get_group_id", "get_global_offset", "get_work_dim", NULL,
	};

	for (size_t i = 0; names[i]; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool is_pure(struct claw_asking *asking, struct claw_node *node);

static bool are_pure(struct claw_asking *asking, struct claw_node *node)
{
	for (struct claw_node *child = node->first; child; child = child->next)
		if (!is_pure(asking, child))
			return false;
	return true;
}

static bool is_pure_call(struct claw_asking *asking, struct claw_node *node)
{
	const struct claw_unit *unit = asking->body->sanitizer->rewrite->unit;

	if (claw_unit_callee(unit, node->cursor))
		return false;
	char *name = claw_callee_name(node);
	bool pure = is_work_size(name) || strcmp(name, "min") == 0 ||
		strcmp(name, "max") == 0 || strcmp(name, "mul24") == 0 ||
		strcmp(name, "mad24") == 0;

	free(name);
	for (struct claw_node *child = node->first ? node->first->next : NULL;
	     child && pure; child = child->next)
		pure = is_pure(asking, child);
	return pure;
}

/* Nothing is assigned, nothing divided by what may be 0. */
static bool is_pure_operator(const struct claw_node *node)
{
	long long value;

	if (node->op == CLAW_OP_DIV || node->op == CLAW_OP_MOD)
		return claw_nodes_constant(node->last, &value) && value > 0;
	return node->op != CLAW_OP_ASSIGN && node->op != CLAW_OP_NONE;
}

static bool is_pure(struct claw_asking *asking, struct claw_node *node)
{
	switch (node->kind) {
	case CXCursor_IntegerLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_TypeRef:
		return true;
	case CXCursor_DeclRefExpr:
		return is_fixed(asking, node);
	case CXCursor_CallExpr:
		return is_pure_call(asking, node);
	case CXCursor_BinaryOperator:
		return is_pure_operator(node) && are_pure(asking, node);
	case CXCursor_UnaryOperator:
		return (node->op == CLAW_OP_MINUS || node->op == CLAW_OP_PLUS ||
			node->op == CLAW_OP_NOT || node->op == CLAW_OP_LNOT) &&
			are_pure(asking, node);
	case CXCursor_MemberRefExpr:
		return node->first && !claw_member_is_arrow(node) &&
			claw_nodes_strip(node->first)->kind ==
			CXCursor_DeclRefExpr && are_pure(asking, node);
	case CXCursor_UnexposedExpr:
	case CXCursor_ParenExpr:
	case CXCursor_ConditionalOperator:
		return node->first && are_pure(asking, node);
	case CXCursor_CStyleCastExpr:
		return claw_type_is_integer(node->type) &&
			are_pure(asking, node);
	default:
		return false;
	}
}

bool claw_range_of_pure(struct claw_asking *asking, struct claw_node *node,
			struct claw_range *ret)
{
	const struct claw_unit *unit = asking->body->sanitizer->rewrite->unit;

	if (node->end <= node->start || node->end - node->start > 400 ||
	    memchr(unit->text + node->start, '\n', node->end - node->start) ||
	    !is_pure(asking, node))
		return false;
	claw_range_set_new(asking, ret);
	claw_text_add(asking->text,
		      "const long __claw_r%u = (long)(%.*s), __claw_s%u = __claw_r%u; ",
		      ret->number, (int)(node->end - node->start),
		      unit->text + node->start, ret->number, ret->number);
	if (claw_type_size(node->type) < 8)
		return claw_range_limits(node->type, &ret->least, &ret->most);
	return claw_range_keep_type(asking, ret, node->type);
}
