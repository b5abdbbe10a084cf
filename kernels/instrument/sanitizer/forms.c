/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of ids: see forms.h. A form holds for all of a launch: its words are made
 * of arguments that nothing changes, and of the launch's sizes. Whole numbers
 * are meant, as if none of them ever wrapped: where a conversion could make
 * something else of one, a need says so.
 *
 * That no two work-items come to the same bytes is asked as of the digits of a
 * number: the ids in the order of their factors, each factor at least as large
 * as all that those before it can come to.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "forms.h"
#include "harness/base/memory.h"

struct asking {
	struct claw_body *body;
	struct claw_text *needs;
	unsigned int depth;
};

enum { DEPTH_MAX = 40 };

/* ---- factors ------------------------------------------------------------------ */

static void set_number(struct claw_factor *factor, long long number)
{
	*factor = (struct claw_factor){ .number = number };
}

static char *copy_words(const char *words)
{
	return words ? claw_strdup(words) : NULL;
}

static bool is_alike(const struct claw_factor *a, const struct claw_factor *b)
{
	return (!a->words && !b->words) ||
		(a->words && b->words && strcmp(a->words, b->words) == 0);
}

/* malloc'ed */
static char *factor_words(const struct claw_factor *factor)
{
	if (!factor->words)
		return claw_format("%lldL", factor->number);
	if (factor->number == 1)
		return claw_strdup(factor->words);
	return claw_format("__claw_times(%lldL, %s)", factor->number,
			   factor->words);
}

static bool multiply(const struct claw_factor *a, const struct claw_factor *b,
		     struct claw_factor *ret)
{
	struct claw_factor product = { .rank = 0 };

	if (__builtin_mul_overflow(a->number, b->number, &product.number))
		return false;
	if (product.number)
		product.rank = a->rank + b->rank;
	if (product.number && a->words && b->words)
		product.words = claw_format("__claw_times(%s, %s)", a->words,
					    b->words);
	else if (product.number)
		product.words = copy_words(a->words ? a->words : b->words);
	*ret = product;
	return true;
}

/* What is taken away has to be a number, or of the same words. */
static bool add(const struct claw_factor *a, const struct claw_factor *b,
		bool minus, struct claw_factor *ret)
{
	struct claw_factor sum = { .rank = a->rank > b->rank ? a->rank : b->rank };
	char *one, *two;

	/* Of what is not there the rank is 0. */

	if (!a->number || !b->number || is_alike(a, b)) {
		const struct claw_factor *words = a->number ? a : b;

		if (minus ? __builtin_sub_overflow(a->number, b->number,
						   &sum.number) :
		    __builtin_add_overflow(a->number, b->number, &sum.number))
			return false;
		if (sum.number)
			sum.words = copy_words(words->words);
		else
			sum.rank = 0;
		*ret = sum;
		return true;
	}
	if (a->number < 0 || b->number < 0 || minus)
		return false;
	one = factor_words(a);
	two = factor_words(b);
	sum.number = 1;
	sum.words = claw_format("(%s + %s)", one, two);
	sum.rank = sum.rank ? sum.rank : 1;
	free(one);
	free(two);
	*ret = sum;
	return true;
}

/* ---- forms -------------------------------------------------------------------- */

void claw_form_release(struct claw_form *form)
{
	for (unsigned int i = 0; i < CLAW_IDS; i++)
		free(form->ids[i].words);
	free(form->rest.words);
	memset(form, 0, sizeof(*form));
}

bool claw_form_is(const struct claw_form *a, const struct claw_form *b)
{
	bool same = a->rest.number == b->rest.number &&
		is_alike(&a->rest, &b->rest);

	for (unsigned int i = 0; i < CLAW_IDS && same; i++)
		same = a->ids[i].number == b->ids[i].number &&
			is_alike(&a->ids[i], &b->ids[i]);
	return same;
}

static void set_offset(struct claw_form *form, long long offset)
{
	memset(form, 0, sizeof(*form));
	form->offset = offset;
}

static bool add_forms(const struct claw_form *a, const struct claw_form *b,
		      bool minus, struct claw_form *ret)
{
	bool done = !(minus ?
		__builtin_sub_overflow(a->offset, b->offset, &ret->offset) :
		__builtin_add_overflow(a->offset, b->offset, &ret->offset)) &&
		add(&a->rest, &b->rest, minus, &ret->rest);

	for (unsigned int i = 0; i < CLAW_IDS && done; i++)
		done = add(&a->ids[i], &b->ids[i], minus, &ret->ids[i]);
	return done;
}

static bool has_ids(const struct claw_form *form)
{
	for (unsigned int i = 0; i < CLAW_IDS; i++)
		if (form->ids[i].number)
			return true;
	return false;
}

/* Of what all have alike. */
static bool read_factor(const struct claw_form *form, struct claw_factor *ret)
{
	struct claw_factor offset;

	if (has_ids(form))
		return false;
	set_number(&offset, form->offset);
	return add(&form->rest, &offset, false, ret);
}

/* form * factor */
static bool scale(const struct claw_form *form, const struct claw_factor *factor,
		  struct claw_form *ret)
{
	struct claw_form alike = { .rest = form->rest, .offset = form->offset };
	struct claw_factor rest = { .words = NULL };
	bool done = true;

	for (unsigned int i = 0; i < CLAW_IDS && done; i++)
		done = multiply(&form->ids[i], factor, &ret->ids[i]);
	if (!factor->words)
		return done && multiply(&form->rest, factor, &ret->rest) &&
			!__builtin_mul_overflow(form->offset, factor->number,
						&ret->offset);
	done = done && read_factor(&alike, &rest) &&
		multiply(&rest, factor, &ret->rest);
	free(rest.words);
	return done;
}

static bool multiply_forms(const struct claw_form *a, const struct claw_form *b,
			   struct claw_form *ret)
{
	struct claw_factor factor = { .words = NULL };
	bool done = read_factor(b, &factor) ? scale(a, &factor, ret) :
		read_factor(a, &factor) && scale(b, &factor, ret);

	free(factor.words);
	return done;
}

/* A global id beside parts of one: of these, too. */
static bool split(struct claw_form *form)
{
	for (unsigned int d = 0; d < 3; d++) {
		struct claw_factor *whole = &form->ids[CLAW_ID_GLOBAL + d];
		struct claw_form parts = { .offset = 0 }, sum = { .offset = 0 };
		struct claw_factor size = { .number = 1, .rank = 1 };
		bool done;

		if (!whole->number || !(form->ids[CLAW_ID_GROUP + d].number ||
					form->ids[CLAW_ID_LOCAL + d].number))
			continue;
		size.words = claw_format("(long)__CLAW_LS(%u)", d);
		done = multiply(whole, &size, &parts.ids[CLAW_ID_GROUP + d]);
		free(size.words);
		size.words = claw_format("(long)get_global_offset(%u)", d);
		done = done && multiply(whole, &size, &parts.rest);
		free(size.words);
		parts.ids[CLAW_ID_LOCAL + d] = *whole;
		set_number(whole, 0);
		done = done && add_forms(form, &parts, false, &sum);
		claw_form_release(form);
		claw_form_release(&parts);
		*form = sum;
		if (!done)
			return false;
	}
	return true;
}

/* ---- what must not wrap --------------------------------------------------------- */

/* The highest value of an id, the lowest one is 0 but for an offset. */
static char *id_most(unsigned int id)
{
	static const char *const sizes[] = {
		"get_global_size", "get_num_groups", "__CLAW_LS",
	};

	return claw_format("((long)%s(%u) - 1L)", sizes[id / 3], id % 3);
}

/* "__claw_ok &= 5L + ... <= 9L; ", once. */
static void put_end(const struct claw_form *form, bool high, long long limit,
		    struct claw_text *needs)
{
	struct claw_text all = { .bytes = NULL }, *out = &all;
	char *rest = factor_words(&form->rest);

	claw_text_add(out, "__claw_ok &= %lldL", form->offset);
	if (form->rest.number)
		claw_text_add(out, " + %s", rest);
	free(rest);
	for (unsigned int i = 0; i < CLAW_IDS; i++) {
		char *factor = factor_words(&form->ids[i]), *most = id_most(i);

		if (form->ids[i].number && i < CLAW_ID_GROUP)
			claw_text_add(out, " + __claw_times(%s, (long)get_global_offset(%u))",
				      factor, i);
		if (form->ids[i].number && high)
			claw_text_add(out, " + __claw_times(%s, %s)", factor,
				      most);
		free(factor);
		free(most);
	}
	claw_text_add(out, " %s %lldL; ", high ? "<=" : ">=", limit);
	claw_text_add_once(needs, all.bytes);
	free(all.bytes);
}

/* Groups are never that large. */
static bool is_local_id(const struct claw_form *form)
{
	for (unsigned int i = 0; i < CLAW_IDS; i++)
		if (form->ids[i].words || form->ids[i].number !=
		    (i < CLAW_ID_LOCAL ? 0 : form->ids[i].number & 1))
			return false;
	return !form->rest.number && form->offset == 0;
}

/* Values of a type: at 64 bits addresses come round just so. */
static bool need_type(struct asking *asking, struct claw_form *form, CXType type)
{
	long long lo, hi;

	if (!split(form) || !claw_range_limits(type, &lo, &hi))
		return false;
	for (unsigned int i = 0; i < CLAW_IDS; i++)
		if (form->ids[i].number < 0)
			return false;
	if (claw_type_size(type) >= 8)
		return true;
	if (!has_ids(form) && !form->rest.number)
		return form->offset >= lo && form->offset <= hi;
	if (form->rest.number || form->offset < lo)
		put_end(form, false, lo, asking->needs);
	if (hi < INT32_MAX || !is_local_id(form))
		put_end(form, true, hi, asking->needs);
	return true;
}

/* ---- expressions ------------------------------------------------------------------ */

static bool form_of(struct asking *asking, struct claw_node *node,
		    struct claw_form *ret);

static bool form_as(struct asking *asking, struct claw_node *node, CXType type,
		    struct claw_form *ret)
{
	return claw_type_is_integer(node->type) &&
		form_of(asking, node, ret) &&
		(clang_equalTypes(clang_getCanonicalType(node->type),
				  clang_getCanonicalType(type)) ||
		 (need_type(asking, ret, node->type) &&
		  need_type(asking, ret, type)));
}

/* An argument that nothing changes. */
static bool form_of_argument(const struct claw_variable *variable,
			     struct claw_form *ret)
{
	bool is_long = claw_type_size(variable->type) >= 8;

	if (variable->change_count || variable->address_taken ||
	    !claw_type_is_integer(variable->type))
		return false;
	set_offset(ret, 0);
	ret->rest = (struct claw_factor){ .number = 1, .rank = 1 };
	ret->rest.words = claw_format(is_long ? "__claw_times(1L, (long)%s)" :
				      "(long)%s", variable->name);
	return true;
}

static bool form_of_variable(struct asking *asking, struct claw_node *node,
			     struct claw_form *ret)
{
	struct claw_variable *variable = claw_variables_find(asking->body, node);
	struct claw_node *value;

	if (!variable)
		return false;
	if (variable->is_parameter)
		return form_of_argument(variable, ret);
	value = claw_variables_only_value(variable);
	return value && variable->changes[0].at->kind == CXCursor_VarDecl &&
		claw_type_is_integer(variable->type) &&
		form_as(asking, value, variable->type, ret);
}

/* What a function of the language gives in a dimension. */
static const struct {
	const char *name, *size;
	unsigned int id;
} queries[] = {
	{ "get_global_id", NULL, CLAW_ID_GLOBAL },
	{ "get_group_id", NULL, CLAW_ID_GROUP },
	{ "get_local_id", NULL, CLAW_ID_LOCAL },
	{ "get_global_size", "get_global_size", 0 },
	{ "get_num_groups", "get_num_groups", 0 },
	{ "get_global_offset", "get_global_offset", 0 },
	{ "get_enqueued_local_size", "__CLAW_LS", 0 },
	{ "get_local_size", "__CLAW_LS", 0 },
};

static bool set_query(struct asking *asking, size_t i, unsigned int dimension,
		      struct claw_form *ret)
{
	set_offset(ret, 0);
	if (!queries[i].size) {
		set_number(&ret->ids[queries[i].id + dimension], 1);
		return true;
	}
	ret->rest = (struct claw_factor){ .number = 1, .rank = 1 };
	ret->rest.words = claw_format("(long)%s(%u)", queries[i].size,
				      dimension);
	/* The last group may be smaller. */
	if (strcmp(queries[i].name, "get_local_size") == 0)
		claw_text_add(asking->needs, "__claw_ok &= __CLAW_ALIKE(%u); ",
			      dimension);
	return true;
}

static bool form_of_call(struct asking *asking, struct claw_node *node,
			 struct claw_form *ret)
{
	const struct claw_node *argument = claw_argument(node, 0);
	long long dimension;
	bool done = false;
	char *name;

	if (claw_unit_callee(asking->body->sanitizer->rewrite->unit,
			     node->cursor) || !argument ||
	    !claw_nodes_constant(argument, &dimension) || dimension < 0 ||
	    dimension > 2)
		return false;
	name = claw_callee_name(node);
	for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++)
		if (strcmp(queries[i].name, name) == 0)
			done = set_query(asking, i, (unsigned int)dimension,
					 ret);
	free(name);
	return done;
}

static bool form_of_operator(struct asking *asking, struct claw_node *node,
			     struct claw_form *ret)
{
	struct claw_form a = { .offset = 0 }, b = { .offset = 0 };
	bool done;

	if (node->op == CLAW_OP_SHL) {
		done = form_of(asking, node->last, &b) && !has_ids(&b) &&
			!b.rest.number && b.offset >= 0 && b.offset < 31;
		b.offset = done ? 1LL << b.offset : 0;
		done = done && form_as(asking, node->first, node->type, &a) &&
			multiply_forms(&a, &b, ret);
	} else {
		done = (node->op == CLAW_OP_ADD || node->op == CLAW_OP_SUB ||
			node->op == CLAW_OP_MUL) &&
			form_as(asking, node->first, node->type, &a) &&
			form_as(asking, node->last, node->type, &b) &&
			(node->op == CLAW_OP_MUL ? multiply_forms(&a, &b, ret) :
			 add_forms(&a, &b, node->op == CLAW_OP_SUB, ret));
	}
	claw_form_release(&a);
	claw_form_release(&b);
	return done;
}

static bool form_of_constant(const struct claw_node *node,
			     struct claw_form *ret)
{
	long long value;

	if (!claw_nodes_constant(node, &value))
		return false;
	set_offset(ret, value);
	return true;
}

static bool form_of_kind(struct asking *asking, struct claw_node *node,
			 struct claw_form *ret)
{
	switch (node->kind) {
	case CXCursor_IntegerLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_UnaryExpr:	/* sizeof */
		return form_of_constant(node, ret);
	case CXCursor_ParenExpr:
		return node->first && form_of(asking, node->first, ret);
	case CXCursor_UnexposedExpr:
		return node->first && !node->first->next &&
			claw_nodes_strip(node) != node &&
			form_as(asking, node->first, node->type, ret);
	case CXCursor_CStyleCastExpr:
		return node->last && claw_type_is_integer(node->type) &&
			form_as(asking, node->last, node->type, ret);
	case CXCursor_DeclRefExpr:
		return clang_getCursorKind(claw_nodes_declaration(node)) ==
			CXCursor_EnumConstantDecl ?
			form_of_constant(node, ret) :
			form_of_variable(asking, node, ret);
	case CXCursor_CallExpr:
		return form_of_call(asking, node, ret);
	case CXCursor_BinaryOperator:
		return form_of_operator(asking, node, ret);
	default:
		return false;
	}
}

/* Of an integer: as a whole number. */
static bool form_of(struct asking *asking, struct claw_node *node,
		    struct claw_form *ret)
{
	bool done;

	memset(ret, 0, sizeof(*ret));
	if (asking->depth == DEPTH_MAX)
		return false;
	asking->depth++;
	done = form_of_kind(asking, node, ret);
	asking->depth--;
	if (!done)
		claw_form_release(ret);
	return done;
}

/* ---- places ---------------------------------------------------------------------- */

static bool pointer_form(struct asking *asking, struct claw_node *node,
			 struct claw_form *ret);
static bool place_form(struct asking *asking, struct claw_node *node,
		       struct claw_form *ret);

/* ret += index * size */
static bool step(struct asking *asking, struct claw_form *ret,
		 struct claw_node *index, bool minus, long long size)
{
	struct claw_form number = { .offset = 0 }, bytes = { .offset = 0 };
	struct claw_form sum = { .offset = 0 };
	struct claw_factor factor;
	bool done;

	set_number(&factor, size);
	done = size > 0 && claw_type_is_integer(index->type) &&
		form_of(asking, index, &number) &&
		need_type(asking, &number, index->type) &&
		scale(&number, &factor, &bytes) &&
		add_forms(ret, &bytes, minus, &sum);
	claw_form_release(&number);
	claw_form_release(&bytes);
	claw_form_release(ret);
	*ret = sum;
	return done;
}

static bool pointer_variable_form(struct asking *asking, struct claw_node *node,
				  struct claw_form *ret)
{
	struct claw_variable *variable = claw_variables_find(asking->body, node);
	struct claw_node *value;

	if (!variable || variable->address_taken)
		return false;
	if (variable->is_parameter)
		return variable->change_count == 0;
	value = claw_variables_only_value(variable);
	return value && variable->changes[0].at->kind == CXCursor_VarDecl &&
		pointer_form(asking, value, ret);
}

static bool pointer_sum_form(struct asking *asking, struct claw_node *node,
			     struct claw_form *ret)
{
	bool turned = claw_type_is_integer(node->first->type);

	return (node->op == CLAW_OP_ADD || node->op == CLAW_OP_SUB) &&
		pointer_form(asking, turned ? node->last : node->first, ret) &&
		step(asking, ret, turned ? node->first : node->last,
		     node->op == CLAW_OP_SUB,
		     claw_type_size(claw_type_pointee(node->type)));
}

static bool pointer_kind_form(struct asking *asking, struct claw_node *node,
			      struct claw_form *ret)
{
	switch (node->kind) {
	case CXCursor_DeclRefExpr:
		return claw_type_is_array(node->type) ?
			place_form(asking, node, ret) :
			pointer_variable_form(asking, node, ret);
	case CXCursor_UnexposedExpr:
	case CXCursor_CStyleCastExpr:
		if (!node->last || (node->kind == CXCursor_UnexposedExpr &&
				    claw_nodes_strip(node) == node))
			return false;
		if (claw_type_is_array(node->last->type))
			return place_form(asking, node->last, ret);
		return claw_type_is_pointer(node->last->type) &&
			pointer_form(asking, node->last, ret);
	case CXCursor_BinaryOperator:
		return pointer_sum_form(asking, node, ret);
	case CXCursor_UnaryOperator:
		return node->op == CLAW_OP_ADDRESS &&
			place_form(asking, node->first, ret);
	default:
		return false;
	}
}

/* Both: ret is 0 bytes before. */
static bool pointer_form(struct asking *asking, struct claw_node *node,
			 struct claw_form *ret)
{
	bool done;

	if (asking->depth == DEPTH_MAX)
		return false;
	asking->depth++;
	done = pointer_kind_form(asking, claw_nodes_bare(node), ret);
	asking->depth--;
	return done;
}

static bool member_form(struct asking *asking, struct claw_node *node,
			struct claw_form *ret)
{
	long long bits = clang_Cursor_getOffsetOfField(
		clang_getCursorReferenced(node->cursor));

	if (bits < 0 || !node->first ||
	    !(claw_member_is_arrow(node) ?
	      pointer_form(asking, node->first, ret) :
	      place_form(asking, node->first, ret)))
		return false;
	ret->offset += bits / 8;
	return true;
}

static bool place_form(struct asking *asking, struct claw_node *node,
		       struct claw_form *ret)
{
	struct claw_node *base, *index;

	node = claw_nodes_strip(node);
	switch (node->kind) {
	case CXCursor_DeclRefExpr:
		return true;
	case CXCursor_ArraySubscriptExpr:
		claw_subscript_parts(node, &base, &index);
		return !claw_type_is_vector(base->type) &&
			pointer_form(asking, base, ret) &&
			step(asking, ret, index, false,
			     claw_type_size(node->type));
	case CXCursor_MemberRefExpr:
		return member_form(asking, node, ret);
	case CXCursor_UnaryOperator:
		return node->op == CLAW_OP_DEREF &&
			pointer_form(asking, node->first, ret);
	default:
		return false;
	}
}

static bool asked_form(struct asking *asking, const struct claw_asked *asked,
		       struct claw_form *ret)
{
	if (asked->place)
		return place_form(asking, asked->place, ret);
	return pointer_form(asking, asked->pointer, ret) &&
		(!asked->index ||
		 step(asking, ret, asked->index, false,
		      (long long)asked->factor * claw_type_size(
				claw_type_pointee(asked->pointer->type))));
}

bool claw_form_of(struct claw_body *kernel, const struct claw_asked *asked,
		  struct claw_form *ret, struct claw_text *needs)
{
	struct asking asking = { .body = kernel, .needs = needs };
	bool done;

	set_offset(ret, 0);
	done = asked_form(&asking, asked, ret) && split(ret);
	for (unsigned int i = 0; i < CLAW_IDS && done; i++)
		done = ret->ids[i].number >= 0;
	if (!done)
		claw_form_release(ret);
	return done;
}

/* ---- nobody else's ------------------------------------------------------------------ */

/* Ids that tell work-items apart, with their factors. */
struct digits {
	struct claw_factor factors[CLAW_IDS];
	unsigned int ids[CLAW_IDS], count;
};

static bool is_before(const struct claw_factor *a, const struct claw_factor *b)
{
	return a->rank != b->rank ? a->rank < b->rank : a->number < b->number;
}

static void add_digit(struct digits *digits, unsigned int id,
		      const struct claw_factor *factor)
{
	unsigned int at = digits->count++;

	while (at > 0 && is_before(factor, &digits->factors[at - 1])) {
		digits->factors[at] = digits->factors[at - 1];
		digits->ids[at] = digits->ids[at - 1];
		at--;
	}
	digits->factors[at] = *factor;
	digits->ids[at] = id;
}

/* An id that is not there has to be 0 in all of them. */
static void read_digit(struct digits *digits, const struct claw_form *form,
		       unsigned int id, struct claw_text *out)
{
	char *most;

	if (form->ids[id].number) {
		add_digit(digits, id, &form->ids[id]);
		return;
	}
	most = id_most(id);
	claw_text_add(out, "__claw_ok &= %s == 0L; ", most);
	free(most);
}

/* In a group a global id is a local one, and what the group's comes to is alike. */
static void read_digits(struct digits *digits, const struct claw_form *form,
			bool is_local, struct claw_text *out)
{
	for (unsigned int d = 0; d < 3; d++) {
		bool is_whole = form->ids[CLAW_ID_GLOBAL + d].number;

		if (is_whole && is_local) {
			add_digit(digits, CLAW_ID_LOCAL + d,
				  &form->ids[CLAW_ID_GLOBAL + d]);
		} else if (is_local) {
			read_digit(digits, form, CLAW_ID_LOCAL + d, out);
		} else if (is_whole || !(form->ids[CLAW_ID_GROUP + d].number ||
					 form->ids[CLAW_ID_LOCAL + d].number)) {
			read_digit(digits, form, CLAW_ID_GLOBAL + d, out);
		} else {
			read_digit(digits, form, CLAW_ID_GROUP + d, out);
			read_digit(digits, form, CLAW_ID_LOCAL + d, out);
		}
	}
}

void claw_form_own(const struct claw_form *form, long long span, bool is_local,
		   struct claw_text *out)
{
	struct digits digits = { .count = 0 };

	claw_text_add(out, "{ long __claw_m = %lldL; ", span);
	read_digits(&digits, form, is_local, out);
	for (unsigned int i = 0; i < digits.count; i++) {
		char *factor = factor_words(&digits.factors[i]);
		char *most = id_most(digits.ids[i]);

		claw_text_add(out, "__claw_ok &= %s >= __claw_m; __claw_m += __claw_times(%s, %s); ",
			      factor, factor, most);
		free(factor);
		free(most);
	}
	claw_text_add(out, "__claw_ok &= __claw_m < (1L << 40); } ");
}
