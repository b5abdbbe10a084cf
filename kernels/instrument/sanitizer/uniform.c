/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which expressions have the same value in all work-items of a group that come
 * to them together. All are thought to until something says otherwise: an id of
 * a work-item, memory that others write to, a variable that gets its value where
 * some of the group do not come. What is not known is not the same.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "flow.h"
#include "harness/base/memory.h"

/* Functions that give all work-items the same, given the same. */
static const char *const same[] = {
	"get_work_dim", "get_global_size", "get_local_size",
	"get_enqueued_local_size", "get_num_groups", "get_group_id",
	"get_global_offset", "get_image_width", "get_image_height",
	"get_image_depth", "get_image_dim", "get_image_array_size",
	"work_group_all", "work_group_any", "work_group_broadcast", "min",
	"max", "clamp", "abs", "abs_diff", "mul24", "mad24", "mul_hi",
	"mad_hi", "add_sat", "sub_sat", "hadd", "rhadd", "rotate", "clz", "ctz",
	"popcount", "select", "sqrt", "native_sqrt", "log2", "native_log2",
	"exp2", "native_exp2", "pow", "pown", "powr", "floor", "ceil", "round",
	"rint", "trunc", "fabs", "fmin", "fmax", "isnan", "isinf",
};

static bool is_same_function(const char *name)
{
	static const char *const beginnings[] = {
		"convert_", "as_", "work_group_reduce_",
	};

	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++)
		if (strcmp(name, same[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
		if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

/* An expression is asked about for those who come to a node of the flow. */
struct place {
	const struct claw_body *body;
	unsigned int node;
};

static bool is_same_at(const struct place *at, struct claw_node *node);
static bool is_same_variable(const struct place *at,
			     const struct claw_variable *variable);

static bool all_children(const struct place *at, struct claw_node *node)
{
	for (struct claw_node *child = node->first; child; child = child->next)
		if (!is_same_at(at, child))
			return false;
	return true;
}

/* What all find under one address: nobody writes there. Two arguments are
 * taken to be two objects. */
static bool is_read_only(const struct place *at, struct claw_node *place,
			 CXType type)
{
	enum claw_space space = claw_type_space(type);

	return space == CLAW_SPACE_CONSTANT ||
		(space == CLAW_SPACE_GLOBAL &&
		 clang_isConstQualifiedType(clang_getCanonicalType(type)) &&
		 !clang_isVolatileQualifiedType(clang_getCanonicalType(type)) &&
		 !claw_writes_may_be(at->body, place));
}

static bool is_variable(const struct place *at,
			const struct claw_node *node)
{
	const struct claw_variable *variable = claw_variables_find(at->body, node);
	CXType type = node->type;

	if (!variable)		/* an enumerator; a variable of the program's */
		return clang_getCursorKind(claw_nodes_declaration(node)) ==
			CXCursor_EnumConstantDecl ||
			claw_type_space(type) == CLAW_SPACE_CONSTANT;
	if (claw_type_space(type) == CLAW_SPACE_LOCAL)
		return claw_type_is_array(type);	/* its address */
	return !variable->address_taken && !claw_type_is_array(type) &&
		!clang_isVolatileQualifiedType(type) &&
		is_same_variable(at, variable);
}

static bool is_subscript(const struct place *at, struct claw_node *node)
{
	struct claw_node *base, *index;

	claw_subscript_parts(node, &base, &index);
	return (claw_type_is_vector(base->type) || is_read_only(at, node, node->type)) &&
		is_same_at(at, base) && is_same_at(at, index);
}

/* &E */
static bool is_address(const struct place *at, struct claw_node *place)
{
	struct claw_node *base, *index;

	place = claw_nodes_strip(place);
	if (place->kind != CXCursor_ArraySubscriptExpr)
		return false;
	claw_subscript_parts(place, &base, &index);
	return !claw_type_is_vector(base->type) &&
		is_same_at(at, base) && is_same_at(at, index);
}

static bool is_unary(const struct place *at, struct claw_node *node)
{
	if (!node->first)
		return false;
	if (node->op == CLAW_OP_ADDRESS)
		return is_address(at, node->first);
	return (node->op != CLAW_OP_DEREF || is_read_only(at, node, node->type)) &&
		is_same_at(at, node->first);
}

static bool is_member(const struct place *at, struct claw_node *node)
{
	return node->first && is_same_at(at, node->first) &&
		(!claw_member_is_arrow(node) ||
		 is_read_only(at, node, claw_type_pointee(node->first->type)));
}

/* What a group answers together is the same whatever each was asked. */
static bool is_common_answer(const char *name)
{
	return strncmp(name, "work_group_", 11) == 0;
}

static bool is_call(const struct place *at, struct claw_node *node)
{
	bool is_same, is_answer;
	char *name;

	if (claw_unit_callee(at->body->sanitizer->rewrite->unit, node->cursor))
		return false;
	name = claw_callee_name(node);
	is_same = is_same_function(name);
	is_answer = is_common_answer(name);
	free(name);
	for (size_t i = 0; is_same && !is_answer && claw_argument(node, i); i++)
		is_same = is_same_at(at, claw_argument(node, i));
	return is_same;
}

static bool is_same_at(const struct place *at, struct claw_node *node)
{
	switch (node->kind) {
	case CXCursor_DeclRefExpr:
		return is_variable(at, node);
	case CXCursor_ArraySubscriptExpr:
		return is_subscript(at, node);
	case CXCursor_UnaryOperator:
		return is_unary(at, node);
	case CXCursor_MemberRefExpr:
		return is_member(at, node);
	case CXCursor_CallExpr:
		return is_call(at, node);
	case CXCursor_UnaryExpr:	/* sizeof */
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_TypeRef:
		return true;
	case CXCursor_BinaryOperator:
		if (node->op == CLAW_OP_ASSIGN)
			return node->last && is_same_at(at, node->last);
		return all_children(at, node);
	case CXCursor_ParenExpr:
	case CXCursor_UnexposedExpr:
	case CXCursor_CStyleCastExpr:
	case CXCursor_CompoundAssignOperator:
	case CXCursor_ConditionalOperator:
	case CXCursor_InitListExpr:
	case CXCursor_CompoundLiteralExpr:
		return node->first && all_children(at, node);
	default:
		return false;
	}
}

/* ---- variables ---------------------------------------------------------------- */

static bool is_uniform_change(const struct place *at,
			      const struct claw_change *change)
{
	switch (change->at->kind) {
	case CXCursor_VarDecl:
		return change->value && is_same_at(at, change->value);
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
	case CXCursor_UnaryOperator:
		return change->value ? is_same_at(at, change->value) :
			all_children(at, change->at);
	default:
		return false;
	}
}

static void find_sides(const struct claw_flow *flow,
		       struct claw_flow_node *branch)
{
	branch->sides = claw_calloc(branch->next_count, sizeof(bool *));
	for (unsigned int i = 0; i < branch->next_count; i++) {
		branch->sides[i] = claw_calloc(flow->node_count, sizeof(bool));
		claw_flow_reach(flow, branch->next[i], branch->join,
				branch->sides[i]);
	}
}

/* The only side of a branch that leads to a node before the sides have joined;
 * -1: none, -2: several. */
static int side_to(const struct claw_flow_node *branch, unsigned int node)
{
	int side = -1;

	for (unsigned int i = 0; i < branch->next_count; i++)
		if (branch->sides[i][node])
			side = side == -1 ? (int)i : -2;
	return side;
}

/* Whether all who come to one node have come through the other one alike: no
 * branch that a group divides at leads to the latter by a side that leads
 * not to the former as well. */
static bool is_along(const struct claw_flow *flow, unsigned int node,
		     unsigned int before)
{
	for (unsigned int i = 0; i < flow->node_count; i++) {
		struct claw_flow_node *branch = &flow->nodes[i];
		int side;

		if (branch->kind != CLAW_FLOW_BRANCH || branch->is_uniform ||
		    branch->is_settled)
			continue;
		if (!branch->sides)
			find_sides(flow, branch);
		side = side_to(branch, before);
		if (side == -2 || (side >= 0 && side_to(branch, node) != side))
			return false;
	}
	return true;
}

static const struct claw_flow_change *
find_change(const struct claw_flow *flow, const struct claw_node *at)
{
	for (size_t i = 0; i < flow->change_count; i++)
		if (flow->changes[i].at == at)
			return &flow->changes[i];
	return NULL;
}

static bool is_same_variable(const struct place *at,
			     const struct claw_variable *variable)
{
	const struct claw_flow *flow = at->body->flow;

	if (!flow->is_uniform[variable - at->body->variables])
		return false;
	for (size_t i = 0; i < variable->change_count; i++)
		if (!is_along(flow, at->node, find_change(flow,
				variable->changes[i].at)->node))
			return false;
	return true;
}

static bool is_uniform_argument(const struct claw_body *body,
				unsigned int parameter)
{
	for (size_t i = 0; i < body->caller_count; i++) {
		const struct claw_caller *caller = &body->callers[i];
		const struct claw_flow *flow = caller->caller->flow;
		struct claw_node *argument = claw_argument(caller->call,
							   parameter);
		struct place at = { caller->caller, 0 };

		while (flow && at.node < flow->node_count &&
		       flow->nodes[at.node].at != caller->call)
			at.node++;
		if (!argument || !flow || at.node == flow->node_count ||
		    !is_same_at(&at, argument))
			return false;
	}
	return body->function->is_kernel ||
		!body->sanitizer->rewrite->request->is_separate;
}

static bool is_uniform_variable(const struct claw_body *body,
				const struct claw_variable *variable)
{
	if (variable->is_parameter &&
	    !is_uniform_argument(body, variable->parameter))
		return false;
	for (size_t i = 0; i < variable->change_count; i++) {
		const struct claw_flow_change *change = find_change(
			body->flow, variable->changes[i].at);
		struct place at = { body, change ? change->node : 0 };

		if (!change || !is_uniform_change(&at, &variable->changes[i]))
			return false;
	}
	return true;
}

bool claw_uniform_at(const struct claw_body *body, unsigned int at,
		     struct claw_node *node)
{
	struct place place = { body, at };

	return is_same_at(&place, node);
}

static bool refine(struct claw_body *body)
{
	struct claw_flow *flow = body->flow;
	bool more = false;

	for (size_t i = 0; i < body->variable_count; i++)
		if (flow->is_uniform[i] && !is_uniform_variable(
				body, &body->variables[i])) {
			flow->is_uniform[i] = false;
			more = true;
		}
	for (unsigned int i = 0; i < flow->node_count; i++) {
		struct claw_flow_node *node = &flow->nodes[i];

		if (!node->is_uniform || node->known >= 0 ||
		    claw_uniform_at(body, i, node->at))
			continue;
		node->is_uniform = false;
		more = true;
	}
	return more;
}

static void begin(struct claw_body *body)
{
	struct claw_flow *flow = body->flow;

	flow->is_uniform = claw_calloc(body->variable_count + 1, sizeof(bool));
	memset(flow->is_uniform, true, body->variable_count);
	for (unsigned int i = 0; i < flow->node_count; i++)
		flow->nodes[i].is_uniform =
			flow->nodes[i].kind == CLAW_FLOW_BRANCH;
}

void claw_uniform_find(struct claw_sanitizer *sanitizer)
{
	bool more = true;

	for (size_t i = 0; i < sanitizer->body_count; i++)
		if (sanitizer->bodies[i].flow)
			begin(&sanitizer->bodies[i]);
	while (more) {
		more = false;
		for (size_t i = 0; i < sanitizer->body_count; i++)
			if (sanitizer->bodies[i].flow)
				more |= refine(&sanitizer->bodies[i]);
	}
}
