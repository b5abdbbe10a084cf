/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, products and quotients of ranges: see sanitizer_private.h. */
#include "config.h"

#include "sanitizer_private.h"

#include <stdio.h>

void claw_range_write(char *out, size_t size, const struct claw_range *range,
		      bool high)
{
	if (range->is_known)
		snprintf(out, size, "%lldL", high ? range->hi : range->lo);
	else
		snprintf(out, size, "__claw_%c%u", high ? 's' : 'r',
			 range->number);
}

struct claw_range_words claw_range_words(const struct claw_range *range)
{
	struct claw_range_words words;

	claw_range_write(words.lo, sizeof(words.lo), range, false);
	claw_range_write(words.hi, sizeof(words.hi), range, true);
	return words;
}

void claw_range_set(struct claw_range *range, long long lo, long long hi)
{
	*range = (struct claw_range){ .is_known = true, .lo = lo, .hi = hi };
}

void claw_range_set_new(struct claw_asking *asking, struct claw_range *range)
{
	*range = (struct claw_range){
		.number = asking->body->sanitizer->numbers++,
	};
}

bool claw_range_limits(CXType type, long long *lo, long long *hi)
{
	long long size = claw_type_size(type);
	bool is_unsigned = claw_type_is_unsigned(type);

	if (!claw_type_is_integer(type) || size < 1 || size > 8)
		return false;
	*lo = is_unsigned ? 0 : size == 8 ? -CLAW_RANGE_LIMIT :
		-(1LL << (8 * size - 1));
	*hi = size == 8 ? CLAW_RANGE_LIMIT :
		(1LL << (8 * size - !is_unsigned)) - 1;
	return true;
}

bool claw_range_keep_within(struct claw_asking *asking,
			    struct claw_range *range, long long lo,
			    long long hi)
{
	struct claw_range_words words = claw_range_words(range);
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

bool claw_range_keep_type(struct claw_asking *asking, struct claw_range *range,
			  CXType type)
{
	long long lo, hi;

	return claw_range_limits(type, &lo, &hi) &&
		claw_range_keep_within(asking, range, lo, hi);
}

static void multiply_known(const struct claw_range *a,
			   const struct claw_range *b, struct claw_range *ret)
{
	long long corners[4] = {
		a->lo * b->lo, a->lo * b->hi, a->hi * b->lo, a->hi * b->hi,
	};

	claw_range_set(ret, corners[0], corners[0]);
	for (int i = 1; i < 4; i++) {
		ret->lo = corners[i] < ret->lo ? corners[i] : ret->lo;
		ret->hi = corners[i] > ret->hi ? corners[i] : ret->hi;
	}
}

static void multiply_text(struct claw_asking *asking,
			  const struct claw_range *a,
			  const struct claw_range *b, struct claw_range *ret)
{
	struct claw_range_words x = claw_range_words(a);
	struct claw_range_words y = claw_range_words(b);

	claw_range_set_new(asking, ret);
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

bool claw_range_multiply(struct claw_asking *asking, struct claw_range *a,
			 struct claw_range *b, struct claw_range *ret)
{
	if (!claw_range_keep_within(asking, a, -CLAW_RANGE_FACTOR,
				    CLAW_RANGE_FACTOR) ||
	    !claw_range_keep_within(asking, b, -CLAW_RANGE_FACTOR,
				    CLAW_RANGE_FACTOR))
		return false;
	if (a->is_known && b->is_known)
		multiply_known(a, b, ret);
	else if (a->is_known && a->lo == a->hi)
		multiply_text(asking, b, a, ret);
	else
		multiply_text(asking, a, b, ret);
	return true;
}

void claw_range_add(struct claw_asking *asking, const struct claw_range *a,
		    const struct claw_range *b, bool minus,
		    struct claw_range *ret)
{
	struct claw_range_words x = claw_range_words(a);
	struct claw_range_words y = claw_range_words(b);
	char sign = minus ? '-' : '+';

	if (a->is_known && b->is_known) {
		claw_range_set(ret, minus ? a->lo - b->hi : a->lo + b->lo,
			       minus ? a->hi - b->lo : a->hi + b->hi);
		return;
	}
	claw_range_set_new(asking, ret);
	claw_text_add(asking->text,
		      "const long __claw_r%u = %s %c %s, __claw_s%u = %s %c %s; ",
		      ret->number, x.lo, sign, minus ? y.hi : y.lo,
		      ret->number, x.hi, sign, minus ? y.lo : y.hi);
}

void claw_range_both_ends(struct claw_asking *asking, const char *low,
			  const char *high, const struct claw_range *a,
			  const struct claw_range *b, struct claw_range *ret)
{
	struct claw_range_words x = claw_range_words(a);
	struct claw_range_words y = claw_range_words(b);

	claw_range_set_new(asking, ret);
	claw_text_add(asking->text,
		      "const long __claw_r%u = %s(%s, %s), __claw_s%u = %s(%s, %s); ",
		      ret->number, low, x.lo, y.lo, ret->number, high, x.hi,
		      y.hi);
}

/* What is divided is not below 0. */
static void divide_text(struct claw_asking *asking, enum claw_operator op,
			const struct claw_range *a, const struct claw_range *b,
			const struct claw_range *ret)
{
	struct claw_range_words x = claw_range_words(a);
	struct claw_range_words y = claw_range_words(b);

	if (op == CLAW_OP_DIV)
		claw_text_add(asking->text,
			      "const long __claw_r%u = %s / (%s < 1L ? 1L : %s), __claw_s%u = %s / (%s < 1L ? 1L : %s); ",
			      ret->number, x.lo, y.hi, y.hi, ret->number, x.hi,
			      y.lo, y.lo);
	else
		claw_text_add(asking->text,
			      "const long __claw_r%u = %s >> (%s & 63L), __claw_s%u = %s >> (%s & 63L); ",
			      ret->number, x.lo, y.hi, ret->number, x.hi, y.lo);
}

bool claw_range_divide(struct claw_asking *asking, enum claw_operator op,
		       struct claw_range *a, struct claw_range *b,
		       struct claw_range *ret)
{
	struct claw_range_words x = claw_range_words(a);
	struct claw_range_words y = claw_range_words(b);
	long long least = op == CLAW_OP_SHR || op == CLAW_OP_AND ? 0 : 1;

	if (!claw_range_keep_within(asking, b, least, op == CLAW_OP_SHR ? 31 :
				    CLAW_RANGE_LIMIT))
		return false;
	claw_range_set_new(asking, ret);
	switch (op) {
	case CLAW_OP_DIV:
	case CLAW_OP_SHR:
		if (!claw_range_keep_within(asking, a, 0, CLAW_RANGE_LIMIT))
			return false;
		divide_text(asking, op, a, b, ret);
		return true;
	case CLAW_OP_MOD:
		claw_text_add(asking->text,
			      "const long __claw_r%u = %s < 0L ? 1L - %s : 0L, __claw_s%u = __claw_min(__claw_max(%s, 0L), %s - 1L); ",
			      ret->number, x.lo, y.hi, ret->number, x.hi, y.hi);
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
