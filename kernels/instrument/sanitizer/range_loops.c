/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a for statement does to its variable,
 *
 *	for (i = START; i < END; i += STEP)
 *
 * and i > END with a step down; END may be on the left side, and one of several
 * conditions. See sanitizer_private.h.
 */
#include "config.h"

#include "sanitizer_private.h"

/* What is read of one. */
struct moving {
	const struct claw_variable *variable;
	struct claw_node *loop;
	struct claw_for parts;
	struct claw_node *start, *step, *end;	/* end: of the condition */
	enum claw_operator op;			/* variable op end */
	bool up;
	struct claw_range by;			/* 0: smaller, but not below 0 */
};

static bool is_variable(const struct claw_asking *asking,
			const struct claw_node *node,
			const struct claw_variable *variable)
{
	return node->kind == CXCursor_DeclRefExpr &&
		claw_variables_find(asking->body, node) == variable;
}

/* The operator as seen from the variable. */
static bool read_operator(enum claw_operator op, bool is_turned,
			  enum claw_operator *ret)
{
	static const enum claw_operator turned[][2] = {
		{ CLAW_OP_LT, CLAW_OP_GT }, { CLAW_OP_GT, CLAW_OP_LT },
		{ CLAW_OP_LE, CLAW_OP_GE }, { CLAW_OP_GE, CLAW_OP_LE },
	};

	for (int i = 0; i < 4; i++)
		if (turned[i][0] == op) {
			*ret = turned[i][is_turned];
			return true;
		}
	return false;
}

/* The variable of "VARIABLE OP END" (or turned round). */
static bool read_condition(const struct claw_asking *asking,
			   struct claw_node *condition, struct moving *moving)
{
	condition = claw_nodes_strip(condition);
	if (!condition || condition->kind != CXCursor_BinaryOperator)
		return false;
	if (condition->op == CLAW_OP_LAND)
		return read_condition(asking, condition->first, moving) ||
			read_condition(asking, condition->last, moving);
	for (int side = 0; side < 2; side++) {
		struct claw_node *one = side ? condition->last :
			condition->first;

		if (!is_variable(asking, claw_nodes_strip(one),
				 moving->variable))
			continue;
		moving->end = side ? condition->first : condition->last;
		if (read_operator(condition->op, side == 1, &moving->op))
			return true;
	}
	return false;
}

static bool read_step(struct claw_asking *asking, struct moving *moving)
{
	struct claw_node *step = moving->step;
	long long value;

	claw_range_set(&moving->by, 1, 1);
	if (step->kind == CXCursor_UnaryOperator) {
		moving->up = step->op == CLAW_OP_INC;
		return true;
	}
	if (step->kind != CXCursor_CompoundAssignOperator)
		return false;
	moving->up = step->op == CLAW_OP_ADD;
	switch (step->op) {
	case CLAW_OP_ADD:
	case CLAW_OP_SUB:
		return claw_range_of_expression(asking, step->last, false,
						&moving->by) &&
			claw_range_keep_within(asking, &moving->by, 1,
					       CLAW_RANGE_FACTOR);
	case CLAW_OP_SHR:
	case CLAW_OP_DIV:
		/* Never below 0, never back up. */
		claw_range_set(&moving->by, 0, 0);
		return claw_nodes_constant(step->last, &value) && value >= 1 &&
			value < 32;
	default:
		return false;
	}
}

static struct claw_node *start_value(const struct claw_variable *variable,
				     const struct claw_for *parts)
{
	for (size_t i = 0; i < variable->change_count; i++) {
		const struct claw_change *change = &variable->changes[i];

		if (parts->init && change->at->start >= parts->init->start &&
		    change->at->end <= parts->init->end)
			return change->value;
	}
	return NULL;
}

/* The loop around a use that starts the variable. */
static bool find_loop(const struct claw_asking *asking, struct claw_node *use,
		      struct moving *moving)
{
	const struct claw_unit *unit = asking->body->sanitizer->rewrite->unit;
	const struct claw_hoist *hoist = asking->hoist;
	struct claw_for *parts = &moving->parts;

	for (struct claw_node *loop = use; loop; loop = loop->parent) {
		if (loop->kind != CXCursor_ForStmt)
			continue;
		claw_nodes_for(unit, loop, parts);
		if (!parts->body || !parts->step || !parts->condition ||
		    use->start < parts->body->start ||
		    use->end > parts->body->end)
			continue;
		moving->loop = loop;
		moving->start = start_value(moving->variable, parts);
		moving->step = claw_nodes_strip(parts->step);
		if (moving->start)
			return !hoist->loop ||
				loop->start >= hoist->loop->start;
	}
	return false;
}

/* Nothing in the loop but its step changes the variable. */
static bool only_step_moves(const struct claw_asking *asking,
			    const struct moving *moving)
{
	const struct claw_variable *variable = moving->variable;
	const struct claw_node *loop = moving->loop;

	for (size_t i = 0; i < variable->change_count; i++) {
		const struct claw_change *change = &variable->changes[i];
		const struct claw_node *at = change->at;

		if (at->start < loop->end && at->end > loop->start &&
		    at != moving->step && change->value != moving->start)
			return false;
	}
	return moving->step->first &&
		is_variable(asking, claw_nodes_strip(moving->step->first),
			    variable);
}

/* Of the first and the last value: the step behind the last one does not wrap,
 * and in the comparison's type nothing negative becomes large. */
static bool keep_ends(struct claw_asking *asking, const struct moving *moving,
		      struct claw_range *from, struct claw_range *to,
		      struct claw_range *last)
{
	bool is_open = moving->op == CLAW_OP_LT || moving->op == CLAW_OP_GT;
	const struct claw_range *by = &moving->by;
	CXType type = moving->variable->type;
	struct claw_range one, behind;
	long long least, most;

	if (!claw_range_keep_type(asking, from, type) ||
	    !claw_range_limits(type, &least, &most))
		return false;
	if (claw_type_is_unsigned(moving->end->type) &&
	    !claw_range_keep_within(asking, from, 0, CLAW_RANGE_LIMIT))
		return false;
	if (claw_type_is_unsigned(type) &&
	    !claw_range_keep_within(asking, to, 0, CLAW_RANGE_LIMIT))
		return false;
	claw_range_set(&one, is_open, is_open);
	claw_range_add(asking, to, &one, moving->up, last);
	claw_range_add(asking, last, by, !moving->up, &behind);
	if (moving->up)
		return claw_range_keep_within(asking, &behind,
					      -CLAW_RANGE_LIMIT, most);
	if ((by->is_known && by->hi == 0) ||
	    claw_type_is_unsigned(moving->end->type))
		least = 0;
	return claw_range_keep_within(asking, &behind, least,
				      CLAW_RANGE_LIMIT);
}

/* All between both; a loop that is not entered has neither. */
static void set_between(struct claw_asking *asking, bool up,
			const struct claw_range *from,
			const struct claw_range *last, struct claw_range *ret)
{
	struct claw_range_words a = claw_range_words(from);
	struct claw_range_words b = claw_range_words(last);

	claw_range_set_new(asking, ret);
	if (up)
		claw_text_add(asking->text,
			      "const long __claw_r%u = %s, __claw_s%u = __claw_max(%s, %s); ",
			      ret->number, a.lo, ret->number, a.lo, b.hi);
	else
		claw_text_add(asking->text,
			      "const long __claw_r%u = __claw_min(%s, %s), __claw_s%u = %s; ",
			      ret->number, a.hi, b.lo, ret->number, a.hi);
	if (!from->is_known || !last->is_known)
		return;
	if (up)
		claw_range_set(ret, from->lo,
			       last->hi > from->lo ? last->hi : from->lo);
	else
		claw_range_set(ret, last->lo < from->hi ? last->lo : from->hi,
			       from->hi);
}

bool claw_range_of_moving(struct claw_asking *asking,
			  const struct claw_variable *variable,
			  struct claw_node *use, struct claw_range *ret)
{
	struct moving moving = { .variable = variable };
	struct claw_range from, to, last;

	if (variable->address_taken || !find_loop(asking, use, &moving) ||
	    !only_step_moves(asking, &moving) ||
	    !read_condition(asking, moving.parts.condition, &moving) ||
	    !read_step(asking, &moving) ||
	    moving.up != (moving.op == CLAW_OP_LT || moving.op == CLAW_OP_LE))
		return false;
	if (!claw_range_of_expression(asking, moving.start, false, &from) ||
	    !claw_range_of_expression(asking, moving.end, false, &to) ||
	    !keep_ends(asking, &moving, &from, &to, &last))
		return false;
	set_between(asking, moving.up, &from, &last, ret);
	return true;
}
