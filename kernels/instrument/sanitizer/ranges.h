/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an integer expression can be, seen from an earlier place: a lower and
 * an upper bound as text that is computed there, in 64 bits. Whatever the
 * program's own arithmetic could do otherwise (wrap, convert) makes the text's
 * __claw_ok false: a range that is ok is right, and where none is, accesses
 * are checked one by one. What is here is shared by the files ranges.c (by the
 * kind of an expression), range_arithmetic.c, range_pure.c, range_variables.c,
 * range_loops.c and range_bytes.c; see sanitizer.h for what others ask.
 */
#ifndef CLAW_INSTRUMENT_RANGES_H
#define CLAW_INSTRUMENT_RANGES_H

#include "sanitizer.h"

#define CLAW_RANGE_LIMIT (1LL << 61)
#define CLAW_RANGE_FACTOR (1LL << 31)	/* of a product's sides */

/* A question from a place (the hoist's); text is what answers it. */
struct claw_asking {
	struct claw_hoist *hoist;
	int part;
	struct claw_text *text;
	struct claw_body *body;
	int depth;
};

void claw_asking_init(struct claw_asking *asking, struct claw_hoist *hoist,
		      int part);
/* Its end: what was tried in vain leaves nothing of what is behind length and
 * known. Returns found. */
bool claw_asking_settle(struct claw_asking *asking, bool found, size_t length,
			size_t known);

/*
 * ranges.c: any expression. ring: only sums and products of the same 32 bits
 * are made of it, so that it may wrap when what becomes of it does not.
 */
bool claw_range_of_expression(struct claw_asking *asking,
			      struct claw_node *node, bool ring,
			      struct claw_range *ret);
/* range_pure.c: the text itself, on one line, where it can stand earlier. */
bool claw_range_of_pure(struct claw_asking *asking, struct claw_node *node,
			struct claw_range *ret);
/* range_variables.c */
bool claw_range_of_variable(struct claw_asking *asking, struct claw_node *node,
			    struct claw_range *ret);
/* range_loops.c: a variable that only a for statement around its use moves. */
bool claw_range_of_moving(struct claw_asking *asking,
			  const struct claw_variable *variable,
			  struct claw_node *use, struct claw_range *ret);

/* range_arithmetic.c. Both ends as text: */
struct claw_range_words {
	char lo[32], hi[32];
};

struct claw_range_words claw_range_words(const struct claw_range *range);
void claw_range_set(struct claw_range *range, long long lo, long long hi);
/* One with a number of its own, for text to come. */
void claw_range_set_new(struct claw_asking *asking, struct claw_range *range);
/* What values of a type stay within; false: a type that is not looked at. */
bool claw_range_limits(CXType type, long long *lo, long long *hi);
/* The text is ok only where the range is within; false: it never is. */
bool claw_range_keep_within(struct claw_asking *asking,
			    struct claw_range *range, long long lo,
			    long long hi);
bool claw_range_keep_type(struct claw_asking *asking, struct claw_range *range,
			  CXType type);
bool claw_range_multiply(struct claw_asking *asking, struct claw_range *a,
			 struct claw_range *b, struct claw_range *ret);
/* a + b; minus: a - b. */
void claw_range_add(struct claw_asking *asking, const struct claw_range *a,
		    const struct claw_range *b, bool minus,
		    struct claw_range *ret);
/* low of the lower, high of the higher ends, each "min" or "max". */
void claw_range_both_ends(struct claw_asking *asking, const char *low,
			  const char *high, const struct claw_range *a,
			  const struct claw_range *b, struct claw_range *ret);
/* a / b, a % b, a >> b, a & b, b one value. */
bool claw_range_divide(struct claw_asking *asking, enum claw_operator op,
		       struct claw_range *a, struct claw_range *b,
		       struct claw_range *ret);

#endif
