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

static bool all_children(const struct claw_body *body, struct claw_node *node)
{
	for (struct claw_node *child = node->first; child; child = child->next)
		if (!claw_uniform_is(body, child))
			return false;
	return true;
}

/* What all find under one address: nobody writes there. */
static bool is_read_only(CXType type)
{
	enum claw_space space = claw_type_space(type);

	return space == CLAW_SPACE_CONSTANT ||
		(space == CLAW_SPACE_GLOBAL &&
		 clang_isConstQualifiedType(clang_getCanonicalType(type)) &&
		 !clang_isVolatileQualifiedType(clang_getCanonicalType(type)));
}

static bool is_variable(const struct claw_body *body,
			const struct claw_node *node)
{
	const struct claw_variable *variable = claw_variables_find(body, node);
	CXType type = node->type;

	if (!variable)		/* an enumerator; a variable of the program's */
		return clang_getCursorKind(claw_nodes_declaration(node)) ==
			CXCursor_EnumConstantDecl ||
			claw_type_space(type) == CLAW_SPACE_CONSTANT;
	if (claw_type_space(type) == CLAW_SPACE_LOCAL)
		return claw_type_is_array(type);	/* its address */
	return !variable->address_taken && !claw_type_is_array(type) &&
		!clang_isVolatileQualifiedType(type) &&
		body->flow->is_uniform[variable - body->variables];
}

static bool is_subscript(const struct claw_body *body, struct claw_node *node)
{
	struct claw_node *base, *index;

	claw_subscript_parts(node, &base, &index);
	return (claw_type_is_vector(base->type) || is_read_only(node->type)) &&
		claw_uniform_is(body, base) && claw_uniform_is(body, index);
}

/* &E */
static bool is_address(const struct claw_body *body, struct claw_node *place)
{
	struct claw_node *base, *index;

	place = claw_nodes_strip(place);
	if (place->kind != CXCursor_ArraySubscriptExpr)
		return false;
	claw_subscript_parts(place, &base, &index);
	return !claw_type_is_vector(base->type) &&
		claw_uniform_is(body, base) && claw_uniform_is(body, index);
}

static bool is_unary(const struct claw_body *body, struct claw_node *node)
{
	if (!node->first)
		return false;
	if (node->op == CLAW_OP_ADDRESS)
		return is_address(body, node->first);
	return (node->op != CLAW_OP_DEREF || is_read_only(node->type)) &&
		claw_uniform_is(body, node->first);
}

static bool is_member(const struct claw_body *body, struct claw_node *node)
{
	return node->first && claw_uniform_is(body, node->first) &&
		(!claw_member_is_arrow(node) ||
		 is_read_only(claw_type_pointee(node->first->type)));
}

/* What a group answers together is the same whatever each was asked. */
static bool is_common_answer(const char *name)
{
	return strncmp(name, "work_group_", 11) == 0;
}

static bool is_call(const struct claw_body *body, struct claw_node *node)
{
	bool is_same, is_answer;
	char *name;

	if (claw_unit_callee(body->sanitizer->rewrite->unit, node->cursor))
		return false;
	name = claw_callee_name(node);
	is_same = is_same_function(name);
	is_answer = is_common_answer(name);
	free(name);
	for (size_t i = 0; is_same && !is_answer && claw_argument(node, i); i++)
		is_same = claw_uniform_is(body, claw_argument(node, i));
	return is_same;
}

bool claw_uniform_is(const struct claw_body *body, struct claw_node *node)
{
	switch (node->kind) {
	case CXCursor_DeclRefExpr:
		return is_variable(body, node);
	case CXCursor_ArraySubscriptExpr:
		return is_subscript(body, node);
	case CXCursor_UnaryOperator:
		return is_unary(body, node);
	case CXCursor_MemberRefExpr:
		return is_member(body, node);
	case CXCursor_CallExpr:
		return is_call(body, node);
	case CXCursor_UnaryExpr:	/* sizeof */
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_TypeRef:
		return true;
	case CXCursor_BinaryOperator:
		if (node->op == CLAW_OP_ASSIGN)
			return node->last && claw_uniform_is(body, node->last);
		return all_children(body, node);
	case CXCursor_ParenExpr:
	case CXCursor_UnexposedExpr:
	case CXCursor_CStyleCastExpr:
	case CXCursor_CompoundAssignOperator:
	case CXCursor_ConditionalOperator:
	case CXCursor_InitListExpr:
	case CXCursor_CompoundLiteralExpr:
		return node->first && all_children(body, node);
	default:
		return false;
	}
}

/* ---- variables ---------------------------------------------------------------- */

static bool is_uniform_change(const struct claw_body *body,
			      const struct claw_change *change)
{
	switch (change->at->kind) {
	case CXCursor_VarDecl:
		return change->value && claw_uniform_is(body, change->value);
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
	case CXCursor_UnaryOperator:
		return change->value ? claw_uniform_is(body, change->value) :
			all_children(body, change->at);
	default:
		return false;
	}
}

/* Where it is done some of the group may not come. */
static bool is_parted(const struct claw_flow *flow, const bool *parted,
		      const struct claw_node *at)
{
	for (size_t i = 0; i < flow->change_count; i++)
		if (flow->changes[i].at == at)
			return parted[flow->changes[i].node];
	return true;
}

static bool is_uniform_argument(const struct claw_body *body,
				unsigned int parameter)
{
	for (size_t i = 0; i < body->caller_count; i++) {
		const struct claw_caller *caller = &body->callers[i];
		struct claw_node *argument = claw_argument(caller->call,
							   parameter);

		if (!argument || !caller->caller->flow ||
		    !claw_uniform_is(caller->caller, argument))
			return false;
	}
	return body->function->is_kernel ||
		!body->sanitizer->rewrite->request->is_separate;
}

static bool is_uniform_variable(const struct claw_body *body,
				const struct claw_variable *variable,
				const bool *parted)
{
	if (variable->is_parameter &&
	    !is_uniform_argument(body, variable->parameter))
		return false;
	for (size_t i = 0; i < variable->change_count; i++)
		if (!is_uniform_change(body, &variable->changes[i]) ||
		    is_parted(body->flow, parted, variable->changes[i].at))
			return false;
	return true;
}

/* Nodes between a branch whose sides not all take alike and where they meet. */
static bool *find_parted(const struct claw_flow *flow)
{
	bool *parted = claw_calloc(flow->node_count, sizeof(*parted));

	for (unsigned int i = 0; i < flow->node_count; i++) {
		const struct claw_flow_node *node = &flow->nodes[i];

		if (node->kind != CLAW_FLOW_BRANCH || node->is_uniform ||
		    node->is_settled)
			continue;
		for (unsigned int k = 0; k < node->next_count; k++)
			claw_flow_reach(flow, node->next[k], node->join,
					parted);
	}
	return parted;
}

static bool refine(struct claw_body *body)
{
	struct claw_flow *flow = body->flow;
	bool *parted = find_parted(flow), more = false;

	for (size_t i = 0; i < body->variable_count; i++)
		if (flow->is_uniform[i] && !is_uniform_variable(
				body, &body->variables[i], parted)) {
			flow->is_uniform[i] = false;
			more = true;
		}
	for (unsigned int i = 0; i < flow->node_count; i++) {
		struct claw_flow_node *node = &flow->nodes[i];

		if (!node->is_uniform || node->known >= 0 ||
		    claw_uniform_is(body, node->at))
			continue;
		node->is_uniform = false;
		more = true;
	}
	free(parted);
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
