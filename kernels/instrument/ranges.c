/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an integer expression can be, seen from an earlier place: a lower and
 * an upper bound as text that is computed there, in 64 bits. Whatever the
 * program's own arithmetic could do otherwise (wrap, convert) makes the text's
 * __claw_ok false: a range that is ok is right, and where none is, accesses
 * are checked one by one. See sanitizer.h.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "sanitizer.h"

#define LIMIT (1LL << 61)
#define FACTOR (1LL << 31)

struct asking {
	struct claw_hoist *hoist;
	int part;
	struct claw_text *text;
	struct claw_body *body;
	int depth;
};

static bool range_of(struct asking *asking, struct claw_node *node, bool ring,
		     struct claw_range *ret);

void claw_range_write(char *out, size_t size, const struct claw_range *range,
		      bool high)
{
	if (range->is_known)
		snprintf(out, size, "%lldL", high ? range->hi : range->lo);
	else
		snprintf(out, size, "__claw_%c%u", high ? 's' : 'r',
			 range->number);
}

struct words { char lo[32], hi[32]; };

static struct words words_of(const struct claw_range *range)
{
	struct words words;

	claw_range_write(words.lo, sizeof(words.lo), range, false);
	claw_range_write(words.hi, sizeof(words.hi), range, true);
	return words;
}

static void set_known(struct claw_range *range, long long lo, long long hi)
{
	*range = (struct claw_range){ .is_known = true, .lo = lo, .hi = hi };
}

static void set_new(struct asking *asking, struct claw_range *range)
{
	*range = (struct claw_range){
		.number = asking->body->sanitizer->numbers++,
	};
}

/* What values of a type stay within; false: a type that is not looked at. */
static bool limits_of(CXType type, long long *lo, long long *hi)
{
	long long size = claw_type_size(type);
	bool is_unsigned = claw_type_is_unsigned(type);

	if (!claw_type_is_integer(type) || size < 1 || size > 8)
		return false;
	*lo = is_unsigned ? 0 : size == 8 ? -LIMIT : -(1LL << (8 * size - 1));
	*hi = size == 8 ? LIMIT : (1LL << (8 * size - !is_unsigned)) - 1;
	return true;
}

static bool keep_within(struct asking *asking, struct claw_range *range,
			long long lo, long long hi)
{
	struct words words = words_of(range);
	bool told = range->least != range->most;

	if (range->is_known)
		return range->lo >= lo && range->hi <= hi;
	if (!told || range->least < lo)
		claw_text_add(asking->text, "__claw_ok &= %s >= %lldL; ",
			      words.lo, lo);
	if (!told || range->most > hi)
		claw_text_add(asking->text, "__claw_ok &= %s <= %lldL; ",
			      words.hi, hi);
	range->least = told && range->least > lo ? range->least : lo;
	range->most = told && range->most < hi ? range->most : hi;
	return true;
}

static bool keep_type(struct asking *asking, struct claw_range *range,
		      CXType type)
{
	long long lo, hi;

	return limits_of(type, &lo, &hi) && keep_within(asking, range, lo, hi);
}

/* Values that are what they are there already; text is evaluated there. */
static bool is_fixed(struct asking *asking, const struct claw_node *node)
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

static bool is_pure(struct asking *asking, struct claw_node *node);

static bool are_pure(struct asking *asking, struct claw_node *node)
{
	for (struct claw_node *child = node->first; child; child = child->next)
		if (!is_pure(asking, child))
			return false;
	return true;
}

static bool is_pure_call(struct asking *asking, struct claw_node *node)
{
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

static bool is_pure(struct asking *asking, struct claw_node *node)
{
	long long value;

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
		if (node->op == CLAW_OP_ASSIGN || node->op == CLAW_OP_NONE)
			return false;
		if ((node->op == CLAW_OP_DIV || node->op == CLAW_OP_MOD) &&
		    (!claw_nodes_constant(node->last, &value) || value <= 0))
			return false;
		return are_pure(asking, node);
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

/* The text itself, on one line. */
static bool add_pure(struct asking *asking, struct claw_node *node,
		     struct claw_range *ret)
{
	const struct claw_unit *unit = asking->body->sanitizer->rewrite->unit;

	if (node->end <= node->start || node->end - node->start > 400 ||
	    memchr(unit->text + node->start, '\n', node->end - node->start) ||
	    !is_pure(asking, node))
		return false;
	set_new(asking, ret);
	claw_text_add(asking->text,
		      "const long __claw_r%u = (long)(%.*s), __claw_s%u = __claw_r%u; ",
		      ret->number, (int)(node->end - node->start),
		      unit->text + node->start, ret->number, ret->number);
	if (claw_type_size(node->type) < 8)
		return limits_of(node->type, &ret->least, &ret->most);
	return keep_type(asking, ret, node->type);
}

static void add_corners(struct asking *asking, const struct claw_range *a,
			const struct claw_range *b, struct claw_range *ret)
{
	struct words x = words_of(a), y = words_of(b);

	set_new(asking, ret);
	if (b->is_known && b->lo == b->hi && b->lo >= 0)
		claw_text_add(asking->text,
			      "const long __claw_r%u = %s * %s, __claw_s%u = %s * %s; ",
			      ret->number, x.lo, y.lo, ret->number, x.hi, y.hi);
	else
		claw_text_add(asking->text,
			      "const long __claw_r%u = __CLAW_LEAST(%s, %s, %s, %s), __claw_s%u = __CLAW_MOST(%s, %s, %s, %s); ",
			      ret->number, x.lo, x.hi, y.lo, y.hi, ret->number,
			      x.lo, x.hi, y.lo, y.hi);
}

static bool multiply(struct asking *asking, struct claw_range *a,
		     struct claw_range *b, struct claw_range *ret)
{
	if (!keep_within(asking, a, -FACTOR, FACTOR) ||
	    !keep_within(asking, b, -FACTOR, FACTOR))
		return false;
	if (a->is_known && b->is_known) {
		long long c[4] = { a->lo * b->lo, a->lo * b->hi, a->hi * b->lo,
				   a->hi * b->hi };

		set_known(ret, c[0], c[0]);
		for (int i = 1; i < 4; i++) {
			ret->lo = c[i] < ret->lo ? c[i] : ret->lo;
			ret->hi = c[i] > ret->hi ? c[i] : ret->hi;
		}
		return true;
	}
	if (a->is_known && a->lo == a->hi)
		add_corners(asking, b, a, ret);
	else
		add_corners(asking, a, b, ret);
	return true;
}

/* a + b, a - b. */
static void add(struct asking *asking, const struct claw_range *a,
		const struct claw_range *b, bool minus, struct claw_range *ret)
{
	struct words x = words_of(a), y = words_of(b);

	if (a->is_known && b->is_known) {
		set_known(ret, minus ? a->lo - b->hi : a->lo + b->lo,
			  minus ? a->hi - b->lo : a->hi + b->hi);
		return;
	}
	set_new(asking, ret);
	claw_text_add(asking->text,
		      "const long __claw_r%u = %s %c %s, __claw_s%u = %s %c %s; ",
		      ret->number, x.lo, minus ? '-' : '+', minus ? y.hi : y.lo,
		      ret->number, x.hi, minus ? '-' : '+',
		      minus ? y.lo : y.hi);
}

/* min, max of both ends; join: the lower of the lower, the higher of the
 * higher ones. */
static void both_ends(struct asking *asking, const char *low, const char *high,
		      const struct claw_range *a, const struct claw_range *b,
		      struct claw_range *ret)
{
	struct words x = words_of(a), y = words_of(b);

	set_new(asking, ret);
	claw_text_add(asking->text,
		      "const long __claw_r%u = %s(%s, %s), __claw_s%u = %s(%s, %s); ",
		      ret->number, low, x.lo, y.lo, ret->number, high, x.hi,
		      y.hi);
}

/* a / b, a % b, a >> b, a & b, b one value. */
static bool divide(struct asking *asking, enum claw_operator op,
		   struct claw_range *a, struct claw_range *b,
		   struct claw_range *ret)
{
	struct words x = words_of(a), y = words_of(b);
	long long least = op == CLAW_OP_SHR || op == CLAW_OP_AND ? 0 : 1;

	if (!keep_within(asking, b, least, op == CLAW_OP_SHR ? 31 : LIMIT))
		return false;
	set_new(asking, ret);
	switch (op) {
	case CLAW_OP_DIV:
		/* A lower divisor makes what is above 0 larger: 1 is the
		 * least; a negative number is not divided. */
		if (!keep_within(asking, a, 0, LIMIT))
			return false;
		claw_text_add(asking->text,
			      "const long __claw_r%u = %s / (%s < 1L ? 1L : %s), __claw_s%u = %s / (%s < 1L ? 1L : %s); ",
			      ret->number, x.lo, y.hi, y.hi, ret->number, x.hi,
			      y.lo, y.lo);
		return true;
	case CLAW_OP_MOD:
		claw_text_add(asking->text,
			      "const long __claw_r%u = %s < 0L ? 1L - %s : 0L, __claw_s%u = min(max(%s, 0L), %s - 1L); ",
			      ret->number, x.lo, y.hi, ret->number, x.hi, y.hi);
		return true;
	case CLAW_OP_SHR:
		if (!keep_within(asking, a, 0, LIMIT))
			return false;
		claw_text_add(asking->text,
			      "const long __claw_r%u = %s >> (%s & 63L), __claw_s%u = %s >> (%s & 63L); ",
			      ret->number, x.lo, y.hi, ret->number, x.hi, y.lo);
		return true;
	case CLAW_OP_AND:
		claw_text_add(asking->text,
			      "const long __claw_r%u = 0L, __claw_s%u = %s; ",
			      ret->number, ret->number, y.hi);
		return true;
	default:
		return false;
	}
}

static bool is_ring(enum claw_operator op)
{
	return op == CLAW_OP_ADD || op == CLAW_OP_SUB || op == CLAW_OP_MUL;
}

static bool range_of_binary(struct asking *asking, struct claw_node *node,
			    bool ring, struct claw_range *ret)
{
	struct claw_range a, b;
	long long shift;
	bool sum = node->op == CLAW_OP_ADD || node->op == CLAW_OP_SUB;

	if (node->op == CLAW_OP_SHL) {
		if (!claw_nodes_constant(node->last, &shift) || shift < 0 ||
		    shift > 30 || !range_of(asking, node->first, false, &a))
			return false;
		set_known(&b, 1LL << shift, 1LL << shift);
		return multiply(asking, &a, &b, ret) &&
			keep_type(asking, ret, node->type);
	}
	if (!range_of(asking, node->first, sum, &a) ||
	    !range_of(asking, node->last, sum, &b))
		return false;
	if (node->op == CLAW_OP_AND && a.is_known && a.lo == a.hi) {
		struct claw_range other = a;

		a = b;
		b = other;
	}
	if (node->op == CLAW_OP_MUL) {
		if (!multiply(asking, &a, &b, ret))
			return false;
		ring = false;
	} else if (sum) {
		add(asking, &a, &b, node->op == CLAW_OP_SUB, ret);
	} else if (!divide(asking, node->op, &a, &b, ret)) {
		return false;
	}
	return ((ring && is_ring(node->op) && claw_type_size(node->type) == 4) ||
		keep_type(asking, ret, node->type));
}

static bool range_of_work_item(struct asking *asking, struct claw_node *node,
			       const char *name, struct claw_range *ret)
{
	long long dimension;
	bool global = strcmp(name, "get_global_id") == 0;

	if ((!global && strcmp(name, "get_local_id") != 0) ||
	    !claw_nodes_constant(claw_nodes_child(node, 1), &dimension))
		return false;
	set_new(asking, ret);
	claw_text_add(asking->text,
		      "const long __claw_r%u = __CLAW_%c0(%lld), __claw_s%u = __CLAW_%c1(%lld); ",
		      ret->number, global ? 'G' : 'L', dimension, ret->number,
		      global ? 'G' : 'L', dimension);
	ret->most = LIMIT;
	return true;
}

static bool range_of_call(struct asking *asking, struct claw_node *node,
			  struct claw_range *ret)
{
	struct claw_range a, b, c;
	char *name = claw_callee_name(node);
	bool is_min = strcmp(name, "min") == 0, is_max = strcmp(name, "max") == 0;
	bool is_clamp = strcmp(name, "clamp") == 0;
	bool found = false;

	if (claw_unit_callee(asking->body->sanitizer->rewrite->unit,
			     node->cursor))
		goto out;
	if (!is_min && !is_max && !is_clamp) {
		found = node->first && node->first->next &&
			range_of_work_item(asking, node, name, ret);
		goto out;
	}
	found = claw_nodes_count(node) == (is_clamp ? 4 : 3) &&
		range_of(asking, claw_nodes_child(node, 1), false, &a) &&
		range_of(asking, claw_nodes_child(node, 2), false, &b);
	if (!found)
		goto out;
	if (!is_clamp) {
		both_ends(asking, is_min ? "min" : "max", is_min ? "min" : "max",
			  &a, &b, ret);
		goto out;
	}
	found = range_of(asking, claw_nodes_child(node, 3), false, &c);
	if (found) {
		struct claw_range above;

		both_ends(asking, "max", "max", &a, &b, &above);
		both_ends(asking, "min", "min", &above, &c, ret);
	}
out:
	free(name);
	return found;
}

/* The variable of "VARIABLE OP END" (or turned round) and OP as seen from it. */
static bool read_condition(struct asking *asking, struct claw_node *condition,
			   const struct claw_variable *variable,
			   enum claw_operator *op, struct claw_node **end)
{
	static const enum claw_operator turned[][2] = {
		{ CLAW_OP_LT, CLAW_OP_GT }, { CLAW_OP_GT, CLAW_OP_LT },
		{ CLAW_OP_LE, CLAW_OP_GE }, { CLAW_OP_GE, CLAW_OP_LE },
	};

	condition = claw_nodes_strip(condition);
	if (!condition || condition->kind != CXCursor_BinaryOperator)
		return false;
	if (condition->op == CLAW_OP_LAND)
		return read_condition(asking, condition->first, variable, op,
				      end) ||
			read_condition(asking, condition->last, variable, op,
				       end);
	for (int side = 0; side < 2; side++) {
		struct claw_node *one = claw_nodes_strip(side ?
			condition->last : condition->first);
		struct claw_variable *named = one->kind ==
			CXCursor_DeclRefExpr ?
			claw_variables_find(asking->body, one) : NULL;

		if (named != variable)
			continue;
		*end = side ? condition->first : condition->last;
		for (int i = 0; i < 4; i++)
			if (turned[i][0] == condition->op) {
				*op = turned[i][side];
				return true;
			}
	}
	return false;
}

/* The loop's step of its variable: +n, -n (n: what one changes), 1: larger by
 * some factor, -1: smaller. */
static bool read_step(struct asking *asking, struct claw_node *step,
		      bool *ret_up, struct claw_range *ret_by)
{
	long long value;

	set_known(ret_by, 1, 1);
	if (step->kind == CXCursor_UnaryOperator) {
		*ret_up = step->op == CLAW_OP_INC;
		return true;
	}
	if (step->kind != CXCursor_CompoundAssignOperator)
		return false;
	*ret_up = step->op == CLAW_OP_ADD || step->op == CLAW_OP_MUL ||
		step->op == CLAW_OP_SHL;
	switch (step->op) {
	case CLAW_OP_ADD:
	case CLAW_OP_SUB:
		return range_of(asking, step->last, false, ret_by) &&
			keep_within(asking, ret_by, 1, FACTOR);
	case CLAW_OP_SHR:
	case CLAW_OP_DIV:
		/* Never below 0, never back up. */
		set_known(ret_by, 0, 0);
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

/* A variable that only a for statement around the access moves. */
static bool range_of_moving(struct asking *asking,
			    const struct claw_variable *variable,
			    struct claw_node *use, struct claw_range *ret)
{
	const struct claw_unit *unit = asking->body->sanitizer->rewrite->unit;
	struct claw_for parts;
	struct claw_node *loop = use, *end;
	size_t begin = asking->hoist->loop ? asking->hoist->loop->start : 0;
	enum claw_operator op;
	long long least, most;
	bool up;

	for (; loop; loop = loop->parent) {
		if (loop->kind != CXCursor_ForStmt)
			continue;
		claw_nodes_for(unit, loop, &parts);
		if (parts.body && parts.step && parts.condition &&
		    use->start >= parts.body->start &&
		    use->end <= parts.body->end &&
		    start_value(variable, &parts))
			break;
	}
	if (!loop || loop->start < begin || variable->address_taken ||
	    !limits_of(variable->type, &least, &most))
		return false;
	struct claw_node *step = claw_nodes_strip(parts.step);
	struct claw_node *start = start_value(variable, &parts);

	for (size_t i = 0; i < variable->change_count; i++) {
		struct claw_node *at = variable->changes[i].at;
		bool inside = at->start < loop->end && at->end > loop->start;

		if (inside && at != step && variable->changes[i].value != start)
			return false;
	}
	if (!step->first || claw_nodes_strip(step->first)->kind !=
	    CXCursor_DeclRefExpr ||
	    claw_variables_find(asking->body, claw_nodes_strip(step->first)) !=
	    variable)
		return false;
	struct claw_range from, to, by;

	if (!read_condition(asking, parts.condition, variable, &op, &end) ||
	    !read_step(asking, step, &up, &by) ||
	    up != (op == CLAW_OP_LT || op == CLAW_OP_LE) ||
	    !range_of(asking, start, false, &from) ||
	    !range_of(asking, end, false, &to) ||
	    !keep_type(asking, &from, variable->type))
		return false;
	/* The comparison is in its operands' common type: nothing negative
	 * may become large in it. */
	if (claw_type_is_unsigned(end->type) && !keep_within(asking, &from, 0, LIMIT))
		return false;
	if (claw_type_is_unsigned(variable->type) &&
	    !keep_within(asking, &to, 0, LIMIT))
		return false;
	struct claw_range one, last, behind;

	set_known(&one, op == CLAW_OP_LT || op == CLAW_OP_GT,
		  op == CLAW_OP_LT || op == CLAW_OP_GT);
	add(asking, &to, &one, up, &last);
	add(asking, &last, &by, !up, &behind);
	if (up ? !keep_within(asking, &behind, -LIMIT, most) :
	    !keep_within(asking, &behind, by.is_known && by.hi == 0 ? 0 : least,
			 LIMIT))
		return false;
	set_new(asking, ret);
	struct words a = words_of(&from), b = words_of(&last);

	/* A loop that is not entered has neither end. */
	if (up)
		claw_text_add(asking->text,
			      "const long __claw_r%u = %s, __claw_s%u = max(%s, %s); ",
			      ret->number, a.lo, ret->number, a.lo, b.hi);
	else
		claw_text_add(asking->text,
			      "const long __claw_r%u = min(%s, %s), __claw_s%u = %s; ",
			      ret->number, a.hi, b.lo, ret->number, a.hi);
	if (from.is_known && last.is_known)
		set_known(ret, up ? from.lo : last.lo < from.hi ? last.lo : from.hi,
			  up ? last.hi > from.lo ? last.hi : from.lo : from.hi);
	return true;
}

/* One that is set to some values, each of which can be told. */
static bool range_of_set(struct asking *asking, struct claw_variable *variable,
			 struct claw_range *ret)
{
	struct claw_range all, one;

	if (variable->is_parameter || variable->address_taken ||
	    variable->change_count == 0 || variable->change_count > 4)
		return false;
	for (size_t i = 0; i < variable->change_count; i++) {
		if (!variable->changes[i].value ||
		    !range_of(asking, variable->changes[i].value, false, &one) ||
		    !keep_type(asking, &one, variable->type))
			return false;
		if (i == 0)
			all = one;
		else if (all.is_known && one.is_known)
			set_known(&all, all.lo < one.lo ? all.lo : one.lo,
				  all.hi > one.hi ? all.hi : one.hi);
		else {
			struct claw_range both;

			both_ends(asking, "min", "max", &all, &one, &both);
			all = both;
		}
	}
	*ret = all;
	return true;
}

static void remember(struct asking *asking, const struct claw_variable *variable,
		     const struct claw_range *range)
{
	struct claw_hoist *hoist = asking->hoist;
	int part = asking->part;
	struct claw_known *grown = realloc(hoist->known[part],
		(hoist->known_count[part] + 1) * sizeof(*grown));

	if (!grown)
		abort();
	hoist->known[part] = grown;
	grown[hoist->known_count[part]++] =
		(struct claw_known){ .variable = variable, .range = *range };
}

static bool range_of_variable(struct asking *asking, struct claw_node *node,
			      struct claw_range *ret)
{
	struct claw_variable *variable = claw_variables_find(asking->body, node);
	struct claw_hoist *hoist = asking->hoist;

	if (!variable || !claw_type_is_integer(variable->type) || variable->busy)
		return false;
	for (size_t i = 0; i < hoist->known_count[asking->part]; i++)
		if (hoist->known[asking->part][i].variable == variable) {
			*ret = hoist->known[asking->part][i].range;
			return true;
		}
	size_t start = hoist->loop ? hoist->loop->start :
		asking->body->function->body;

	variable->busy = true;
	bool found = range_of_moving(asking, variable, node, ret);
	bool moving = found;

	/* One declared earlier may have a value from before. */
	if (!found && variable->node->start >= start)
		found = range_of_set(asking, variable, ret);
	variable->busy = false;
	if (found && !moving)
		remember(asking, variable, ret);
	return found;
}

static bool range_of_conversion(struct asking *asking, struct claw_node *node,
				bool ring, struct claw_range *ret)
{
	struct claw_node *from = node->last;

	if (!from || !claw_type_is_integer(from->type) ||
	    !claw_type_is_integer(node->type))
		return false;
	long long size = claw_type_size(from->type);
	bool same = size == claw_type_size(node->type);
	long long lo, hi, from_lo, from_hi;

	if (!range_of(asking, from, same && ring, ret) ||
	    !limits_of(node->type, &lo, &hi) ||
	    !limits_of(from->type, &from_lo, &from_hi))
		return false;
	if (from_lo >= lo && from_hi <= hi)
		return true;
	return (same && ring && size == 4) || keep_within(asking, ret, lo, hi);
}

static bool range_of_choice(struct asking *asking, struct claw_node *node,
			    struct claw_range *ret)
{
	struct claw_range a, b;

	if (claw_nodes_count(node) != 3 ||
	    !range_of(asking, claw_nodes_child(node, 1), false, &a) ||
	    !range_of(asking, claw_nodes_child(node, 2), false, &b))
		return false;
	both_ends(asking, "min", "max", &a, &b, ret);
	return true;
}

static bool range_of_unary(struct asking *asking, struct claw_node *node,
			   struct claw_range *ret)
{
	struct claw_range zero, inner;

	if (node->op == CLAW_OP_PLUS)
		return range_of(asking, node->first, false, ret);
	if (node->op != CLAW_OP_MINUS ||
	    !range_of(asking, node->first, false, &inner))
		return false;
	set_known(&zero, 0, 0);
	add(asking, &zero, &inner, true, ret);
	return keep_type(asking, ret, node->type);
}

/* ring: only sums and products of the same 32 bits are made of it, so that it
 * may wrap when what becomes of it does not. */
static bool range_of(struct asking *asking, struct claw_node *node, bool ring,
		     struct claw_range *ret)
{
	long long value;
	bool found = false;

	node = claw_nodes_bare(node);
	if (!node || !claw_type_is_integer(node->type) || asking->depth > 40)
		return false;
	if (node->kind != CXCursor_DeclRefExpr &&
	    claw_nodes_constant(node, &value) && value <= LIMIT &&
	    value >= -LIMIT) {
		set_known(ret, value, value);
		return true;
	}
	if (asking->text->length > 20000)
		return false;
	size_t length = asking->text->length;

	if (add_pure(asking, node, ret))
		return true;
	asking->text->length = length;
	asking->depth++;
	switch (node->kind) {
	case CXCursor_DeclRefExpr:
		found = range_of_variable(asking, node, ret);
		break;
	case CXCursor_BinaryOperator:
		found = node->op != CLAW_OP_COMMA &&
			range_of_binary(asking, node, ring, ret);
		break;
	case CXCursor_UnaryOperator:
		found = range_of_unary(asking, node, ret);
		break;
	case CXCursor_CallExpr:
		found = range_of_call(asking, node, ret);
		break;
	case CXCursor_ConditionalOperator:
		found = range_of_choice(asking, node, ret);
		break;
	case CXCursor_UnexposedExpr:
	case CXCursor_CStyleCastExpr:
		found = range_of_conversion(asking, node, ring, ret);
		break;
	default:
		break;
	}
	asking->depth--;
	return found;
}

static void init_asking(struct asking *asking, struct claw_hoist *hoist,
			int part)
{
	*asking = (struct asking){
		.hoist = hoist, .part = part, .text = &hoist->text[part],
		.body = hoist->body,
	};
}

/* What was tried in vain leaves nothing. */
static bool settle(struct asking *asking, bool found, size_t length,
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
	struct asking asking;

	init_asking(&asking, hoist, part);
	size_t length = asking.text->length, known = hoist->known_count[part];

	return settle(&asking, range_of(&asking, node, false, ret), length,
		      known);
}

static bool pointer_range(struct asking *asking, struct claw_node *node,
			  struct claw_root *root, struct claw_range *ret);
static bool place_range(struct asking *asking, struct claw_node *node,
			struct claw_root *root, struct claw_range *ret);

/* offset + index * size. */
static bool step_range(struct asking *asking, const struct claw_range *offset,
		       struct claw_node *index, bool minus, long long size,
		       struct claw_range *ret)
{
	struct claw_range number, factor, bytes;

	set_known(&factor, size, size);
	if (size <= 0 || !range_of(asking, index, false, &number) ||
	    !multiply(asking, &number, &factor, &bytes))
		return false;
	add(asking, offset, &bytes, minus, ret);
	return true;
}

static bool variable_range(struct asking *asking, struct claw_node *node,
			   struct claw_root *root, struct claw_range *ret)
{
	struct claw_variable *variable = claw_variables_find(asking->body, node);
	struct claw_node *value = variable ?
		claw_variables_only_value(variable) : NULL;

	if (!variable || variable->busy)
		return false;
	if (variable->is_parameter) {
		*root = (struct claw_root){
			.kind = CLAW_ROOT_PARAMETER,
			.parameter = variable->parameter,
			.declaration = variable->declaration,
		};
		set_known(ret, 0, 0);
		return variable->change_count == 0 && !variable->address_taken;
	}
	const struct claw_hoist *hoist = asking->hoist;

	if (!value || (hoist->loop &&
		       variable->changes[0].at->start < hoist->loop->start))
		return false;
	variable->busy = true;
	bool found = pointer_range(asking, value, root, ret);

	variable->busy = false;
	return found;
}

static bool pointer_range(struct asking *asking, struct claw_node *node,
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

static bool member_range(struct asking *asking, struct claw_node *node,
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
	set_known(&offset, bits / 8, bits / 8);
	add(asking, &base, &offset, false, ret);
	return true;
}

static bool place_range(struct asking *asking, struct claw_node *node,
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
		set_known(ret, 0, 0);
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

static bool asked_range(struct asking *asking, const struct claw_asked *asked,
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
	struct asking asking;

	init_asking(&asking, hoist, part);
	size_t length = asking.text->length, known = hoist->known_count[part];

	return settle(&asking, asked_range(&asking, asked, root, ret), length,
		      known);
}
