/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions with one value: sums and products are computed in a type without a
 * sign, which wraps, and become one with a sign by as_int() and so on (OpenCL C
 * 1.2, 6.2.4.2); shifts are defined for any count (6.3.j).
 */
#include "config.h"

#include "random_expression.h"

#include <inttypes.h>
#include <string.h>

#include "harness/explore/case/explore_case.h"

static const struct claw_random_type types[] = {
	{ "char", "uchar", "uint", 8, 1 },
	{ "uchar", "uchar", "uint", 8, 1 },
	{ "short", "ushort", "uint", 16, 1 },
	{ "ushort", "ushort", "uint", 16, 1 },
	{ "int", "uint", "uint", 32, 1 },
	{ "uint", "uint", "uint", 32, 1 },
	{ "long", "ulong", "ulong", 64, 1 },
	{ "ulong", "ulong", "ulong", 64, 1 },
	{ "int2", "uint2", "uint2", 32, 2 },
	{ "uint4", "uint4", "uint4", 32, 4 },
	{ "ushort8", "ushort8", "ushort8", 16, 8 },
	{ "long2", "ulong2", "ulong2", 64, 2 },
	{ "char4", "uchar4", "uchar4", 8, 4 },
};

enum { SCALARS = 8, TYPES = sizeof(types) / sizeof(types[0]) };

typedef const struct claw_random_type type_ptr;
typedef struct claw_random_scope scope;

unsigned int claw_random_below(scope *in, unsigned int limit)
{
	return (unsigned int)(claw_explore_random(&in->random) % limit);
}

/* Vectors now and then. */
type_ptr *claw_random_type(scope *in)
{
	return &types[claw_random_below(in, claw_random_below(in, 3) ?
					SCALARS : TYPES)];
}

type_ptr *claw_random_type_named(const char *name)
{
	unsigned int at = 0;

	while (strcmp(types[at].name, name) != 0)
		at++;
	return &types[at];
}

/* ---- leaves ------------------------------------------------------------------ */

/* 0, 1, ends of ranges, others. */
static void put_number(scope *in, type_ptr *type)
{
	static const uint64_t numbers[] = {
		0, 1, 2, 3, 7, 31, 127, 128, 255, 0x7fff, 0x8000, 0xffff,
		0x7fffffff, 0x80000000, 0xffffffff, INT64_MAX, UINT64_MAX,
	};
	unsigned int count = sizeof(numbers) / sizeof(numbers[0]);
	uint64_t number = claw_random_below(in, 2) ?
		numbers[claw_random_below(in, count)] :
		claw_explore_random(&in->random);

	if (type->bits < 64)
		number &= (UINT64_C(1) << type->bits) - 1;
	fprintf(in->out, "as_%s((%s)%" PRIu64 "UL)", type->name, type->same,
		number);
}

static int find_variable(scope *in, type_ptr *type)
{
	unsigned int from = in->count ?
		claw_random_below(in, in->count) : 0;

	for (unsigned int i = 0; i < in->count; i++) {
		unsigned int at = (from + i) % in->count;

		if (in->types[at] == type)
			return (int)at;
	}
	return -1;
}

static void put_vector_of(scope *in, type_ptr *type)
{
	static const char *const parts[] = { "char", "short", "int", "long" };
	unsigned int size = type->bits == 8 ? 0 : type->bits == 16 ? 1 :
		type->bits == 32 ? 2 : 3;
	bool has_sign = *type->name != 'u';

	fprintf(in->out, "(%s)(", type->name);
	for (unsigned int i = 0; i < type->width; i++) {
		fprintf(in->out, "%sas_%s%s((u%s)(", i ? ", " : "",
			has_sign ? "" : "u", parts[size], parts[size]);
		claw_random_expression(in, &types[claw_random_below(in,
			SCALARS)], 0);
		fputs("))", in->out);
	}
	fputc(')', in->out);
}

static void put_leaf(scope *in, type_ptr *type)
{
	int at = find_variable(in, type);

	if (at >= 0 && claw_random_below(in, 5))
		fprintf(in->out, "v%d", at);
	else if (type->width > 1)
		put_vector_of(in, type);
	else if (claw_random_below(in, 3) || !in->count)
		put_number(in, type);
	else {
		at = (int)claw_random_below(in, in->count);
		fprintf(in->out, "as_%s((%s)v%d%s)", type->name, type->same, at,
			in->types[at]->width == 1 ? "" :
			claw_random_below(in, 2) ? ".s0" : ".s1");
	}
}

/* ---- operations ---------------------------------------------------------------- */

/* What a template stands for: %t the type, %s the same without a sign, %w the one
 * to compute in, %a to %c parts of the type. */
static const char *const scalar_forms[] = {
	"as_%t((%s)((%w)(%a) + (%w)(%b)))", "as_%t((%s)((%w)(%a) - (%w)(%b)))",
	"as_%t((%s)((%w)(%a) * (%w)(%b)))",
	"as_%t((%s)((%w)(%s)(%a) / ((%w)(%s)(%b) | 1)))",
	"as_%t((%s)((%w)(%s)(%a) % ((%w)(%s)(%b) | 1)))",
	"as_%t((%s)(-(%w)(%a)))",
	"(%t)~(%a)", "(%t)((%a) & (%b))", "(%t)((%a) | (%b))",
	"(%t)((%a) ^ (%b))", "as_%t((%s)((%a) << (%b)))", "(%t)((%a) >> (%b))",
	"(%t)((%a) < (%b))", "(%t)((%a) == (%b) || (%c))",
	"(%t)((%a) <= (%b) ? (%a) : (%c))", "(%t)(!(%a) && (%b))",
	"(%t)((%a), (%b))",
};
static const char *const vector_forms[] = {
	"as_%t(as_%s(%a) + as_%s(%b))", "as_%t(as_%s(%a) - as_%s(%b))",
	"as_%t(as_%s(%a) * as_%s(%b))", "as_%t(as_%s(%a) / (as_%s(%b) | (%s)(1)))",
	"~(%a)", "((%a) & (%b))", "((%a) ^ (%b))", "((%a) | (%b))",
	"as_%t((%a) < (%b))", "as_%t((%a) != (%b))", "((%a) << (%b))",
	"((%a) >> (%b))", "((%a) < (%b) ? (%a) : (%c))",
};
static const char *const function_forms[] = {
	"max(%a, %b)", "min(%a, %b)", "add_sat(%a, %b)", "sub_sat(%a, %b)",
	"hadd(%a, %b)", "rhadd(%a, %b)", "rotate(%a, %b)", "clz(%a)",
	"popcount(%a)", "mul_hi(%a, %b)", "bitselect(%a, %b, %c)",
	"as_%t(abs_diff(%a, %b))", "as_%t(abs(%a))",
	"clamp(%a, min(%b, %c), max(%b, %c))",
};

#define ONE_OF(in, list) \
	(list)[claw_random_below(in, sizeof(list) / sizeof((list)[0]))]

/* A letter that is there twice is written alike. */
static void put_form(scope *in, type_ptr *type, const char *form,
		     unsigned int depth)
{
	uint64_t random[3];

	for (unsigned int i = 0; i < 3; i++)
		random[i] = claw_explore_random(&in->random);
	for (; *form; form++) {
		uint64_t saved = in->random;

		if (*form != '%' || !form[1] || !strchr("tswabc", form[1])) {
			fputc(*form, in->out);
			continue;
		}
		form++;
		if (*form == 't' || *form == 's' || *form == 'w') {
			fputs(*form == 't' ? type->name : *form == 's' ?
			      type->same : type->wide, in->out);
			continue;
		}
		in->random = random[*form - 'a'];
		claw_random_expression(in, type, depth);
		in->random = saved;
	}
}

/* What only numbers are: of memory, of a function. */
static bool put_call(scope *in, type_ptr *type, unsigned int depth)
{
	bool is_call = in->functions && claw_random_below(in, 2);

	if (type->width > 1 || (!is_call && !in->has_array))
		return false;
	if (is_call)
		fprintf(in->out, "as_%s((%s)f%u(", type->name, type->same,
			claw_random_below(in, in->functions));
	else
		fprintf(in->out, "as_%s((%s)own[(", type->name, type->same);
	claw_random_expression(in, &types[is_call ? 6 : 5], depth);
	fputs(is_call ? "))" : ") % 8])", in->out);
	return true;
}

void claw_random_expression(scope *in, type_ptr *type, unsigned int depth)
{
	unsigned int kind = claw_random_below(in, 8);

	if (!depth || kind == 0)
		put_leaf(in, type);
	else if (kind < 3)
		put_form(in, type, ONE_OF(in, function_forms), depth - 1);
	else if (kind == 3 && put_call(in, type, depth - 1))
		return;
	else
		put_form(in, type, type->width > 1 ?
			 ONE_OF(in, vector_forms) :
			 ONE_OF(in, scalar_forms), depth - 1);
}

void claw_random_condition(scope *in, unsigned int depth)
{
	static const char *const forms[] = {
		"(%a) < (%b)", "(%a) == (%b)", "(%a) != (%b) && (%c)",
		"((%a) & 1) == 0", "((%a) ^ (%b)) % 3 == 1",
	};

	type_ptr *type = &types[claw_random_below(in, SCALARS)];

	put_form(in, type, ONE_OF(in, forms), depth);
}
