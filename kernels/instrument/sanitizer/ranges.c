/* SPDX-License-Identifier: Apache-2.0 */
/* What an expression can be, by its kind: see sanitizer_private.h. */
#include "config.h"

#include "sanitizer_private.h"

#include <stdlib.h>
#include <string.h>

/* What an operand can be. */
static bool ask(struct claw_asking *asking, struct claw_node *node,
		struct claw_range *ret)
{
	return claw_range_of_expression(asking, node, false, ret);
}

static bool range_of_shift(struct claw_asking *asking, struct claw_node *node,
			   struct claw_range *ret)
{
	struct claw_range number, factor;
	long long shift;

	if (!claw_nodes_constant(node->last, &shift) || shift < 0 ||
	    shift > 30 || !ask(asking, node->first, &number))
		return false;
	claw_range_set(&factor, 1LL << shift, 1LL << shift);
	return claw_range_multiply(asking, &number, &factor, ret) &&
		claw_range_keep_type(asking, ret, node->type);
}

static bool range_of_sum(struct claw_asking *asking, struct claw_node *node,
			 bool ring, struct claw_range *ret)
{
	struct claw_range a, b;

	if (!claw_range_of_expression(asking, node->first, true, &a) ||
	    !claw_range_of_expression(asking, node->last, true, &b))
		return false;
	claw_range_add(asking, &a, &b, node->op == CLAW_OP_SUB, ret);
	return (ring && claw_type_size(node->type) == 4) ||
		claw_range_keep_type(asking, ret, node->type);
}

static bool range_of_product(struct claw_asking *asking, struct claw_node *node,
			     struct claw_range *ret)
{
	struct claw_range a, b;

	return ask(asking, node->first, &a) && ask(asking, node->last, &b) &&
		claw_range_multiply(asking, &a, &b, ret) &&
		claw_range_keep_type(asking, ret, node->type);
}

static bool range_of_quotient(struct claw_asking *asking,
			      struct claw_node *node, struct claw_range *ret)
{
	struct claw_range a, b;

	if (!ask(asking, node->first, &a) || !ask(asking, node->last, &b))
		return false;
	bool is_turned = node->op == CLAW_OP_AND && a.is_known && a.lo == a.hi;

	return claw_range_divide(asking, node->op, is_turned ? &b : &a,
				 is_turned ? &a : &b, ret) &&
		claw_range_keep_type(asking, ret, node->type);
}

static bool range_of_binary(struct claw_asking *asking, struct claw_node *node,
			    bool ring, struct claw_range *ret)
{
	switch (node->op) {
	case CLAW_OP_COMMA:
		return false;
	case CLAW_OP_SHL:
		return range_of_shift(asking, node, ret);
	case CLAW_OP_ADD:
	case CLAW_OP_SUB:
		return range_of_sum(asking, node, ring, ret);
	case CLAW_OP_MUL:
		return range_of_product(asking, node, ret);
	default:
		return range_of_quotient(asking, node, ret);
	}
}

static bool range_of_work_item(struct claw_asking *asking,
			       struct claw_node *node, const char *name,
			       struct claw_range *ret)
{
	bool global = strcmp(name, "get_global_id") == 0;
	char letter = global ? 'G' : 'L';
	long long dimension;

	if ((!global && strcmp(name, "get_local_id") != 0) ||
	    !claw_nodes_constant(claw_nodes_child(node, 1), &dimension))
		return false;
	claw_range_set_new(asking, ret);
	claw_text_add(asking->text,
		      "const long __claw_r%u = __CLAW_%c0(%lld), __claw_s%u = __CLAW_%c1(%lld); ",
		      ret->number, letter, dimension, ret->number, letter,
		      dimension);
	ret->most = CLAW_RANGE_LIMIT;
	return true;
}

/* min or max, by its name. */
static bool range_of_least(struct claw_asking *asking, struct claw_node *node,
			   const char *name, struct claw_range *ret)
{
	struct claw_range a, b;

	if (claw_nodes_count(node) != 3 ||
	    !ask(asking, claw_nodes_child(node, 1), &a) ||
	    !ask(asking, claw_nodes_child(node, 2), &b))
		return false;
	claw_range_both_ends(asking, name, name, &a, &b, ret);
	return true;
}

static bool range_of_clamp(struct claw_asking *asking, struct claw_node *node,
			   struct claw_range *ret)
{
	struct claw_range a, b, c, above;

	if (claw_nodes_count(node) != 4 ||
	    !ask(asking, claw_nodes_child(node, 1), &a) ||
	    !ask(asking, claw_nodes_child(node, 2), &b) ||
	    !ask(asking, claw_nodes_child(node, 3), &c))
		return false;
	claw_range_both_ends(asking, "max", "max", &a, &b, &above);
	claw_range_both_ends(asking, "min", "min", &above, &c, ret);
	return true;
}

static bool range_of_call(struct claw_asking *asking, struct claw_node *node,
			  struct claw_range *ret)
{
	const struct claw_unit *unit = asking->body->sanitizer->rewrite->unit;

	if (claw_unit_callee(unit, node->cursor))
		return false;
	char *name = claw_callee_name(node);
	bool found;

	if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0)
		found = range_of_least(asking, node, name, ret);
	else if (strcmp(name, "clamp") == 0)
		found = range_of_clamp(asking, node, ret);
	else
		found = node->first && node->first->next &&
			range_of_work_item(asking, node, name, ret);
	free(name);
	return found;
}

static bool range_of_conversion(struct claw_asking *asking,
				struct claw_node *node, bool ring,
				struct claw_range *ret)
{
	struct claw_node *from = node->last;
	long long lo, hi, from_lo, from_hi;

	if (!from || !claw_type_is_integer(from->type) ||
	    !claw_type_is_integer(node->type))
		return false;
	long long size = claw_type_size(from->type);

	ring = ring && size == claw_type_size(node->type);
	if (!claw_range_of_expression(asking, from, ring, ret) ||
	    !claw_range_limits(node->type, &lo, &hi) ||
	    !claw_range_limits(from->type, &from_lo, &from_hi))
		return false;
	if (from_lo >= lo && from_hi <= hi)
		return true;
	return (ring && size == 4) ||
		claw_range_keep_within(asking, ret, lo, hi);
}

static bool range_of_choice(struct claw_asking *asking, struct claw_node *node,
			    struct claw_range *ret)
{
	struct claw_range a, b;

	if (claw_nodes_count(node) != 3 ||
	    !ask(asking, claw_nodes_child(node, 1), &a) ||
	    !ask(asking, claw_nodes_child(node, 2), &b))
		return false;
	claw_range_both_ends(asking, "min", "max", &a, &b, ret);
	return true;
}

static bool range_of_unary(struct claw_asking *asking, struct claw_node *node,
			   struct claw_range *ret)
{
	struct claw_range zero, inner;

	if (node->op == CLAW_OP_PLUS)
		return ask(asking, node->first, ret);
	if (node->op != CLAW_OP_MINUS || !ask(asking, node->first, &inner))
		return false;
	claw_range_set(&zero, 0, 0);
	claw_range_add(asking, &zero, &inner, true, ret);
	return claw_range_keep_type(asking, ret, node->type);
}

static bool range_by_kind(struct claw_asking *asking, struct claw_node *node,
			  bool ring, struct claw_range *ret)
{
	switch (node->kind) {
	case CXCursor_DeclRefExpr:
		return claw_range_of_variable(asking, node, ret);
	case CXCursor_BinaryOperator:
		return range_of_binary(asking, node, ring, ret);
	case CXCursor_UnaryOperator:
		return range_of_unary(asking, node, ret);
	case CXCursor_CallExpr:
		return range_of_call(asking, node, ret);
	case CXCursor_ConditionalOperator:
		return range_of_choice(asking, node, ret);
	case CXCursor_UnexposedExpr:
	case CXCursor_CStyleCastExpr:
		return range_of_conversion(asking, node, ring, ret);
	default:
		return false;
	}
}

bool claw_range_of_expression(struct claw_asking *asking,
			      struct claw_node *node, bool ring,
			      struct claw_range *ret)
{
	long long value;

	node = claw_nodes_bare(node);
	if (!node || !claw_type_is_integer(node->type) || asking->depth > 40)
		return false;
	if (node->kind != CXCursor_DeclRefExpr &&
	    claw_nodes_constant(node, &value) && value <= CLAW_RANGE_LIMIT &&
	    value >= -CLAW_RANGE_LIMIT) {
		claw_range_set(ret, value, value);
		return true;
	}
	if (asking->text->length > 20000)
		return false;
	size_t length = asking->text->length;

	if (claw_range_of_pure(asking, node, ret))
		return true;
	asking->text->length = length;
	asking->depth++;
	bool found = range_by_kind(asking, node, ring, ret);

	asking->depth--;
	return found;
}

void claw_asking_init(struct claw_asking *asking, struct claw_hoist *hoist,
		      int part)
{
	*asking = (struct claw_asking){
		.hoist = hoist, .part = part, .text = &hoist->text[part],
		.body = hoist->body,
	};
}

bool claw_asking_settle(struct claw_asking *asking, bool found, size_t length,
			size_t known)
{
	if (!found) {
		asking->text->length = length;
		asking->hoist->known_count[asking->part] = known;
	}
	return found;
}

bool claw_range_of(struct claw_hoist *hoist, int part, struct claw_node *node,
		   struct claw_range *ret)
{
	struct claw_asking asking;

	claw_asking_init(&asking, hoist, part);
	size_t length = asking.text->length, known = hoist->known_count[part];

	return claw_asking_settle(&asking, ask(&asking, node, ret), length,
				  known);
}
