/* SPDX-License-Identifier: Apache-2.0 */
/* How far from the begin of an object an access is: see sanitizer_private.h. */
#include "config.h"

#include "sanitizer_private.h"

static bool pointer_range(struct claw_asking *asking, struct claw_node *node,
			  struct claw_root *root, struct claw_range *ret);
static bool place_range(struct claw_asking *asking, struct claw_node *node,
			struct claw_root *root, struct claw_range *ret);

/* offset + index * size. */
static bool step_range(struct claw_asking *asking,
		       const struct claw_range *offset, struct claw_node *index,
		       bool minus, long long size, struct claw_range *ret)
{
	struct claw_range number, factor, bytes;

	claw_range_set(&factor, size, size);
	if (size <= 0 ||
	    !claw_range_of_expression(asking, index, false, &number) ||
	    !claw_range_multiply(asking, &number, &factor, &bytes))
		return false;
	claw_range_add(asking, offset, &bytes, minus, ret);
	return true;
}

/* A kernel's argument is where its object begins; any other function's may
 * point into the middle. */
static bool parameter_range(struct claw_asking *asking,
			    const struct claw_variable *variable,
			    struct claw_root *root, struct claw_range *ret)
{
	*root = (struct claw_root){
		.kind = CLAW_ROOT_PARAMETER,
		.parameter = variable->parameter,
		.declaration = variable->declaration,
	};
	if (variable->change_count > 0 || variable->address_taken)
		return false;
	if (asking->body->function->is_kernel) {
		claw_range_set(ret, 0, 0);
		return true;
	}
	claw_range_set_new(asking, ret);
	claw_text_add(asking->text,
		      "const long __claw_r%u = (long)((ulong)%s - __claw_l%u), __claw_s%u = __claw_r%u; ",
		      ret->number, variable->name, variable->parameter,
		      ret->number, ret->number);
	return true;
}

static bool variable_range(struct claw_asking *asking, struct claw_node *node,
			   struct claw_root *root, struct claw_range *ret)
{
	struct claw_variable *variable = claw_variables_find(asking->body,
							     node);
	struct claw_node *value = variable ?
		claw_variables_only_value(variable) : NULL;
	const struct claw_hoist *hoist = asking->hoist;

	if (!variable || variable->busy)
		return false;
	if (variable->is_parameter)
		return parameter_range(asking, variable, root, ret);
	if (!value || (hoist->loop &&
		       variable->changes[0].at->start < hoist->loop->start))
		return false;
	variable->busy = true;
	bool found = pointer_range(asking, value, root, ret);

	variable->busy = false;
	return found;
}

static bool pointer_range(struct claw_asking *asking, struct claw_node *node,
			  struct claw_root *root, struct claw_range *ret)
{
	struct claw_range offset;

	node = claw_nodes_bare(node);
	switch (node->kind) {
	case CXCursor_DeclRefExpr:
		return claw_type_is_array(node->type) ?
			place_range(asking, node, root, ret) :
			variable_range(asking, node, root, ret);
	case CXCursor_UnexposedExpr:
	case CXCursor_CStyleCastExpr:
		if (!node->last || (node->kind == CXCursor_UnexposedExpr &&
				    claw_nodes_strip(node) == node))
			return false;
		if (claw_type_is_array(node->last->type))
			return place_range(asking, node->last, root, ret);
		return claw_type_is_pointer(node->last->type) &&
			pointer_range(asking, node->last, root, ret);
	case CXCursor_BinaryOperator: {
		bool turned = claw_type_is_integer(node->first->type);

		if (node->op != CLAW_OP_ADD && node->op != CLAW_OP_SUB)
			return false;
		return pointer_range(asking, turned ? node->last : node->first,
				     root, &offset) &&
			step_range(asking, &offset, turned ? node->first :
				   node->last, node->op == CLAW_OP_SUB,
				   claw_type_size(claw_type_pointee(node->type)),
				   ret);
	}
	case CXCursor_UnaryOperator:
		return node->op == CLAW_OP_ADDRESS &&
			place_range(asking, node->first, root, ret);
	default:
		return false;
	}
}

static bool member_range(struct claw_asking *asking, struct claw_node *node,
			 struct claw_root *root, struct claw_range *ret)
{
	struct claw_range base, offset;
	long long bits = clang_Cursor_getOffsetOfField(
		clang_getCursorReferenced(node->cursor));

	if (bits < 0 || !node->first)
		return false;
	if (!(claw_member_is_arrow(node) ?
	      pointer_range(asking, node->first, root, &base) :
	      place_range(asking, node->first, root, &base)))
		return false;
	claw_range_set(&offset, bits / 8, bits / 8);
	claw_range_add(asking, &base, &offset, false, ret);
	return true;
}

static bool place_range(struct claw_asking *asking, struct claw_node *node,
			struct claw_root *root, struct claw_range *ret)
{
	struct claw_node *base, *index;
	struct claw_range offset;

	node = claw_nodes_strip(node);
	switch (node->kind) {
	case CXCursor_DeclRefExpr:
		*root = (struct claw_root){
			.kind = CLAW_ROOT_VARIABLE,
			.declaration = claw_nodes_declaration(node),
		};
		claw_range_set(ret, 0, 0);
		return true;
	case CXCursor_ArraySubscriptExpr:
		claw_subscript_parts(node, &base, &index);
		if (claw_type_is_vector(base->type))
			return false;
		return pointer_range(asking, base, root, &offset) &&
			step_range(asking, &offset, index, false,
				   claw_type_size(node->type), ret);
	case CXCursor_MemberRefExpr:
		return member_range(asking, node, root, ret);
	case CXCursor_UnaryOperator:
		return node->op == CLAW_OP_DEREF &&
			pointer_range(asking, node->first, root, ret);
	default:
		return false;
	}
}

static bool asked_range(struct claw_asking *asking,
			const struct claw_asked *asked,
			struct claw_root *root, struct claw_range *ret)
{
	struct claw_range offset;

	if (asked->place)
		return place_range(asking, asked->place, root, ret);
	if (!asked->index)
		return pointer_range(asking, asked->pointer, root, ret);
	return pointer_range(asking, asked->pointer, root, &offset) &&
		step_range(asking, &offset, asked->index, false,
			   (long long)asked->factor * claw_type_size(
				claw_type_pointee(asked->pointer->type)), ret);
}

bool claw_range_of_bytes(struct claw_hoist *hoist, int part,
			 const struct claw_asked *asked, struct claw_root *root,
			 struct claw_range *ret)
{
	struct claw_asking asking;

	claw_asking_init(&asking, hoist, part);
	size_t length = asking.text->length, known = hoist->known_count[part];

	return claw_asking_settle(&asking,
				  asked_range(&asking, asked, root, ret),
				  length, known);
}
