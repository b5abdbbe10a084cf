/* SPDX-License-Identifier: Apache-2.0 */
/* How aligned what a pointer leads to is for sure: see sanitizer_private.h. */
#include "config.h"

#include "sanitizer_private.h"

static long long low_bit(long long value)
{
	return value ? value & -value : 1LL << 40;
}

static long long least(long long a, long long b)
{
	return a < b ? a : b;
}

/* How far index elements of size keep an alignment. */
static long long step_alignment(struct claw_node *index, long long size)
{
	long long value;

	if (size <= 0)
		return 1;
	if (claw_nodes_constant(index, &value))
		return low_bit(value * size);
	return low_bit(size);
}

/* A parameter's: of the calls that there are, else its type's. */
static long long parameter_alignment(struct claw_body *body,
				     struct claw_variable *variable)
{
	long long natural = claw_type_align(claw_type_pointee(variable->type));
	long long align = natural > 0 ? natural : 1;

	if (body->function->is_kernel)
		return align;
	for (size_t i = 0; i < body->caller_count; i++) {
		struct claw_node *argument = claw_argument(
			body->callers[i].call, variable->parameter);

		if (argument)
			align = least(align, claw_alignment_of_pointer(
					body->callers[i].caller, argument));
	}
	return align;
}

static long long variable_alignment(struct claw_body *body,
				    struct claw_node *node)
{
	struct claw_variable *variable = claw_variables_find(body, node);
	long long align = 1LL << 40;

	if (!variable || variable->address_taken)
		return 1;
	if (variable->busy)
		return align;
	if (variable->alignment)
		return variable->alignment;
	variable->busy = true;
	if (variable->is_parameter)
		align = parameter_alignment(body, variable);
	for (size_t i = 0; i < variable->change_count; i++)
		align = least(align, variable->changes[i].value ?
			claw_alignment_of_pointer(body,
						  variable->changes[i].value) :
			low_bit(claw_type_size(
				claw_type_pointee(variable->type))));
	variable->busy = false;
	variable->alignment = align;
	return align;
}

static long long binary_alignment(struct claw_body *body,
				  struct claw_node *node)
{
	struct claw_node *pointer = node->first, *index = node->last;

	if (node->op == CLAW_OP_ASSIGN || node->op == CLAW_OP_COMMA)
		return claw_alignment_of_pointer(body, node->last);
	if (node->op != CLAW_OP_ADD && node->op != CLAW_OP_SUB)
		return 1;
	if (claw_type_is_integer(pointer->type)) {
		pointer = node->last;
		index = node->first;
	}
	return least(claw_alignment_of_pointer(body, pointer),
		     step_alignment(index, claw_type_size(
				claw_type_pointee(node->type))));
}

long long claw_alignment_of_pointer(struct claw_body *body,
				    struct claw_node *node)
{
	node = claw_nodes_bare(node);
	switch (node->kind) {
	case CXCursor_DeclRefExpr:
		return claw_type_is_array(node->type) ?
			claw_alignment_of_place(body, node) :
			variable_alignment(body, node);
	case CXCursor_UnexposedExpr:
	case CXCursor_CStyleCastExpr:
		if (!node->last || (node->kind == CXCursor_UnexposedExpr &&
				    claw_nodes_strip(node) == node))
			return 1;
		if (claw_type_is_array(node->last->type))
			return claw_alignment_of_place(body, node->last);
		return claw_type_is_pointer(node->last->type) ?
			claw_alignment_of_pointer(body, node->last) : 1;
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		return binary_alignment(body, node);
	case CXCursor_ConditionalOperator:
		return least(claw_alignment_of_pointer(body,
						claw_nodes_child(node, 1)),
			     claw_alignment_of_pointer(body, node->last));
	case CXCursor_UnaryOperator:
		if (node->op == CLAW_OP_ADDRESS)
			return claw_alignment_of_place(body, node->first);
		if (node->op == CLAW_OP_INC || node->op == CLAW_OP_DEC)
			return claw_alignment_of_pointer(body, node->first);
		return 1;
	default:
		return 1;
	}
}

long long claw_alignment_of_place(struct claw_body *body,
				  struct claw_node *node)
{
	struct claw_node *base, *index;

	node = claw_nodes_strip(node);
	switch (node->kind) {
	case CXCursor_DeclRefExpr:
		return claw_type_align(clang_getCursorType(
			claw_nodes_declaration(node)));
	case CXCursor_ArraySubscriptExpr:
		claw_subscript_parts(node, &base, &index);
		if (claw_type_is_vector(base->type))
			return claw_type_align(node->type);
		return least(claw_alignment_of_pointer(body, base),
			     step_alignment(index, claw_type_size(node->type)));
	case CXCursor_MemberRefExpr: {
		if (!node->first)
			return 1;
		long long at = clang_Cursor_getOffsetOfField(
			clang_getCursorReferenced(node->cursor)) / 8;
		long long align = claw_member_is_arrow(node) ?
			claw_alignment_of_pointer(body, node->first) :
			claw_alignment_of_place(body, node->first);

		return least(align, at < 0 ? 1 : low_bit(at));
	}
	case CXCursor_UnaryOperator:
		return node->op == CLAW_OP_DEREF ?
			claw_alignment_of_pointer(body, node->first) : 1;
	default:
		return 1;
	}
}
