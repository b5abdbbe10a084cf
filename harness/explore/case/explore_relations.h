/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a kernel's arguments may belong together. A length is a natural number of
 * elements of a buffer ("n", "width * height", "global size 0"). A reading is
 * what a host program may keep to in every launch: how the work sizes depend on
 * arguments, which local sizes there are. A finding counts if each reading and
 * each length under it has it: then no host program is right.
 */
#ifndef CLAW_EXPLORE_RELATIONS_H
#define CLAW_EXPLORE_RELATIONS_H

#include "explore_kernel.h"

enum {
	CLAW_EXPLORE_LENGTHS = 128,
	CLAW_EXPLORE_READINGS = 512,
	CLAW_EXPLORE_FACTORS = 3,
};

/* The numbers of a case that lengths are made of: scalar arguments by their
 * index, and these. */
enum claw_explore_term {
	CLAW_TERM_GLOBAL = CLAW_EXPLORE_ARGS,	/* three */
	CLAW_TERM_GROUPS = CLAW_TERM_GLOBAL + 3,	/* of all dimensions */
	CLAW_TERM_LOCAL,			/* work-items of a group */
	CLAW_TERM_COUNT,
};

/* (product or sum of (term + each)) * times + plus; without terms: plus. */
struct claw_explore_length {
	uint8_t count, terms[CLAW_EXPLORE_FACTORS];
	bool is_sum;
	uint32_t each, times, plus;
};

/* ret_lengths: of one argument that has a length, the most natural first.
 * Returns how many. */
unsigned int claw_explore_lengths(const struct claw_explore_kernel *kernel,
				  unsigned int arg, struct claw_explore_length
				  ret_lengths[CLAW_EXPLORE_LENGTHS]);
/* terms: CLAW_TERM_COUNT numbers. At least 1; UINT64_MAX: too large. */
uint64_t claw_explore_length_value(const struct claw_explore_length *length,
				   const int64_t *terms);
/* "width * height", "2 * n + 1"; malloced. */
char *claw_explore_length_text(const struct claw_explore_kernel *kernel,
			       const struct claw_explore_length *length);

enum claw_explore_relation { CLAW_RELATION_FREE, CLAW_RELATION_UPTO,
			     CLAW_RELATION_SAME };
enum claw_explore_local { CLAW_LOCAL_FREE, CLAW_LOCAL_POWER, CLAW_LOCAL_FIXED };

struct claw_explore_reading {
	uint8_t relation;		/* of all dimensions that have a scalar */
	int8_t scalars[3];		/* argument, or -1: free */
	int8_t second;			/* another factor in dimension 0, or -1 */
	int8_t pitch;			/* argument, the bytes of a row; -1: none */
	uint32_t unit;			/* of which one element has so many */
	uint32_t limit;			/* of global_size[0]; 0: none */
	uint8_t local;
	uint32_t fixed;			/* of FIXED: the size in each dimension */
	bool keeps_bounds;		/* all of the kernel's */
	bool is_one_group;
	bool is_multiple;		/* size arguments are multiples of the local size */
};

/* The weakest first. Returns how many. */
unsigned int claw_explore_readings(const struct claw_explore_kernel *kernel,
				   struct claw_explore_reading
				   ret_readings[CLAW_EXPLORE_READINGS]);
/* The bound at of a reading that keeps to bounds: those of the kernel, then those
 * that its margins make of its sizes. False: there is none. */
bool claw_explore_reading_bound(const struct claw_explore_kernel *kernel,
				const struct claw_explore_reading *reading,
				unsigned int at,
				struct claw_explore_bound *ret_bound);
/* Does a launch with these sizes keep to it? */
bool claw_explore_reading_holds(const struct claw_explore_kernel *kernel,
				const struct claw_explore_reading *reading,
				const int64_t *terms, const uint32_t *local);
/* Assumptions as a kernel file states them, with ", " between:
 * "global_size[0] == n, local_size[0] == 16"; "" of the weakest; malloced. */
char *claw_explore_reading_text(const struct claw_explore_kernel *kernel,
				const struct claw_explore_reading *reading);

#endif
