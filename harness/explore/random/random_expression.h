/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers that a random kernel computes. */
#ifndef CLAW_RANDOM_EXPRESSION_H
#define CLAW_RANDOM_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CLAW_RANDOM_VARIABLES = 48 };

struct claw_random_type {
	const char *name;
	const char *same;		/* of the same width, without a sign */
	const char *wide;		/* to compute in, without overflow */
	unsigned int bits, width;	/* width: elements of a vector; 1: none */
};

/* Variables that are in scope, by their number: "v3". */
struct claw_random_scope {
	FILE *out;
	uint64_t random;
	unsigned int count;
	const struct claw_random_type *types[CLAW_RANDOM_VARIABLES];
	bool is_fixed[CLAW_RANDOM_VARIABLES];	/* a loop counts it */
	unsigned int functions;			/* "f0" and so on: long to long */
	bool has_array;				/* uint own[8] */
};

/* 0 to limit - 1 */
unsigned int claw_random_below(struct claw_random_scope *scope,
			       unsigned int limit);
const struct claw_random_type *claw_random_type(struct claw_random_scope *scope);
/* "long": one that there is. */
const struct claw_random_type *claw_random_type_named(const char *name);
/* Write an expression of that type. depth: how far its parts go. */
void claw_random_expression(struct claw_random_scope *scope,
			    const struct claw_random_type *type,
			    unsigned int depth);
/* Write one that is true or false: of numbers, no vectors. */
void claw_random_condition(struct claw_random_scope *scope,
			   unsigned int depth);

#endif
