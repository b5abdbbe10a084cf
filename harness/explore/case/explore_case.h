/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A case: one launch with all its arguments, as the fixed number of bytes that
 * libFuzzer keeps. Whatever is in the bytes, claw_explore_case_settle() makes a
 * launch of it that keeps to its reading, so that equal bytes are equal
 * launches.
 */
#ifndef CLAW_EXPLORE_CASE_H
#define CLAW_EXPLORE_CASE_H

#include "explore_relations.h"
#include "harness/cases/clw/assume.h"

/* What no host program with sense gives: bits. A finding of such a case is
 * listed apart. */
enum claw_explore_wild {
	CLAW_WILD_SCALARS = 1 << 0,	/* 0, negative, huge numbers */
	CLAW_WILD_CONTENTS = 1 << 1,	/* indices out of range, NaN */
	CLAW_WILD_OFFSET = 1 << 2,	/* a global offset */
	CLAW_WILD_COUNT = 3,
};

enum claw_explore_fill {
	CLAW_FILL_ZERO, CLAW_FILL_ONE, CLAW_FILL_ORDER, CLAW_FILL_RANDOM,
	CLAW_FILL_SORTED, CLAW_FILL_CONSTANTS, CLAW_FILL_WILD,
	CLAW_FILL_COUNT,
};

struct claw_explore_case {
	uint32_t reading, wild;
	uint32_t global[3], local[3], offset[3];
	struct claw_explore_value {
		int64_t number;		/* by value: of an integer */
		uint32_t length;	/* elements; derived of the rest */
		uint16_t rule;		/* which of the argument's lengths */
		uint8_t fill;
		uint8_t keep;		/* elements that are not 0, log2; 255: all */
		uint32_t seed;
		uint32_t spare;
	} values[CLAW_EXPLORE_ARGS];
};

/* All that is derived of a kernel and does not change. */
struct claw_explore_plan {
	struct claw_explore_kernel kernel;
	unsigned int reading_count;
	struct claw_explore_reading readings[CLAW_EXPLORE_READINGS];
	unsigned int length_counts[CLAW_EXPLORE_ARGS];
	struct claw_explore_length lengths[CLAW_EXPLORE_ARGS]
					 [CLAW_EXPLORE_LENGTHS];
	unsigned int local_count;	/* local sizes that are tried */
	uint32_t locals[8][3];
	uint64_t max_items, max_bytes;
	unsigned int assume_count;	/* of the kernel file, borrowed */
	const struct claw_assume *assumes;
	/* Who steers: which lengths are worth a try (NULL: all). */
	bool (*may_try)(const void *user, unsigned int arg, unsigned int rule,
			unsigned int reading);
	unsigned int (*choose_reading)(const void *user, uint64_t *random);
	const void *user;
};

/* max_group: the device's largest work-group; 0: unknown. */
void claw_explore_plan_make(const struct claw_explore_kernel *kernel,
			    size_t max_group, struct claw_explore_plan *ret_plan);

/* What a kernel sees of a number in an argument of that type. */
int64_t claw_explore_fit(enum claw_clw_base base, int64_t number);
/* A small case of the weakest reading. */
void claw_explore_case_begin(const struct claw_explore_plan *plan,
			     struct claw_explore_case *ret_case);
/* Another one near it. */
void claw_explore_case_mutate(const struct claw_explore_plan *plan,
			      uint64_t *random,
			      struct claw_explore_case *what);
/* Of two: each part of one of them. */
void claw_explore_case_cross(const struct claw_explore_plan *plan,
			     uint64_t *random,
			     const struct claw_explore_case *other,
			     struct claw_explore_case *what);
/* False: it would be too large. */
bool claw_explore_case_settle(const struct claw_explore_plan *plan,
			      struct claw_explore_case *what);
/* The numbers that lengths are made of. */
void claw_explore_case_terms(const struct claw_explore_plan *plan,
			     const struct claw_explore_case *what,
			     int64_t ret_terms[CLAW_TERM_COUNT]);
/* The elements of an argument; bytes: room for all. */
void claw_explore_case_fill(const struct claw_explore_plan *plan,
			    const struct claw_explore_case *what,
			    unsigned int arg, unsigned char *bytes);
/* Whether no buffer holds an index twice, as far as there are work-items. */
bool claw_explore_case_is_distinct(const struct claw_explore_plan *plan,
				   const struct claw_explore_case *what);
/* Bytes of an argument's elements. */
size_t claw_explore_case_bytes(const struct claw_explore_plan *plan,
			       const struct claw_explore_case *what,
			       unsigned int arg);
/* How large it is to a reader: work-items, elements, arguments that are not
 * simple. */
uint64_t claw_explore_case_cost(const struct claw_explore_plan *plan,
				const struct claw_explore_case *what);

uint64_t claw_explore_random(uint64_t *state);

#endif
