/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What "openclaw explore" knows of a kernel before it runs: its arguments, as
 * the driver describes them, and what its text shows: constants, which of its
 * work-items' ids are compared with an argument, whether work-groups matter.
 */
#ifndef CLAW_EXPLORE_KERNEL_H
#define CLAW_EXPLORE_KERNEL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/cases/clw/clw.h"

enum {
	CLAW_EXPLORE_ARGS = 32,
	CLAW_EXPLORE_NUMBERS = 32,	/* of each kind of constant */
	CLAW_EXPLORE_BOUNDS = 8,
	CLAW_EXPLORE_NAME = 64,
};

enum claw_explore_role {
	CLAW_ROLE_INTEGER, CLAW_ROLE_OTHER,	/* by value */
	CLAW_ROLE_BUFFER, CLAW_ROLE_LOCAL,
	CLAW_ROLE_IMAGE, CLAW_ROLE_SAMPLER,
};

struct claw_explore_arg {
	enum claw_explore_role role;
	char name[CLAW_EXPLORE_NAME];
	struct claw_clw_type type;	/* what a kernel file calls its elements */
	size_t units;			/* of type in one element: a struct's bytes */
	bool is_const;
	bool is_size;			/* by its name: how many of something */
	bool is_limit;			/* ids are below it, or it is a row's length */
	bool is_unused;			/* the kernel does not mention it */
	bool is_bounds;			/* its elements I and I + 1 are a loop's ends */
	bool is_counter;		/* atomic functions are given it */
	bool is_from_one;		/* its elements less 1 are indices */
	bool is_signed;			/* the kernel asks whether they are below 0 */
	unsigned int free_ids;		/* bits: these ids are its indices where
					 * nothing is compared */
	bool is_written;		/* an image: write_only */
	char image[4];			/* "f", "i", "ui" */
};

/* Numbers without doubles, in order of their appearance. */
struct claw_explore_numbers {
	unsigned int count;
	uint32_t items[CLAW_EXPLORE_NUMBERS];
};

/* What callers keep to, as the kernel's indices show: global_size[dimension] +
 * plus, or (-1) plus, is no more than the argument. */
struct claw_explore_bound {
	int8_t dimension;
	uint8_t arg;
	uint32_t plus;
};

struct claw_explore_kernel {
	char name[128];
	unsigned int arg_count, dimensions;
	struct claw_explore_arg args[CLAW_EXPLORE_ARGS];
	bool has_groups;		/* it matters how work-items form groups */
	bool is_task;			/* it asks for no ids: one work-item */
	bool may_be_one_group;		/* nothing in it needs more groups */
	bool is_guarded[3];		/* this id is compared with an argument */
	uint32_t margins[3];		/* elements that no work-item is for */
	unsigned int bound_count;
	struct claw_explore_bound bounds[CLAW_EXPLORE_BOUNDS];
	uint32_t subtracted;		/* from an id, the most; 0: little */
	struct claw_explore_numbers rows;	/* from 4, times an id but the first */
	bool has_loaded_index;		/* of memory, by what a buffer holds */
	bool is_bytewise;		/* a pointer becomes one to bytes */
	size_t max_group;		/* of the device: work-items */
	uint32_t required[3];		/* reqd_work_group_size; 0: none */
	struct claw_explore_numbers literals;	/* all of them */
	struct claw_explore_numbers factors;	/* beside "*", "<<", of vectors */
	struct claw_explore_numbers adders;	/* from 2, beside "+" and "-" */
	struct claw_explore_numbers limits;	/* from 2 to 64, behind "<" and "<=" */
	struct claw_explore_numbers tiles;	/* of arrays in local memory */
};

/*
 * kernel: as "openclaw __kernels" describes it. source: the text, preprocessed
 * where that can be; build_options or NULL, for the constants in them.
 *
 * Returns 0, or -CLAW_E_LIMIT with why it cannot be explored in reterr_why,
 * malloced.
 */
int claw_explore_kernel_read(const json_t *kernel, const char *source,
			     const char *build_options,
			     struct claw_explore_kernel *ret_kernel,
			     char **reterr_why);

static inline size_t claw_explore_element(const struct claw_explore_arg *arg)
{
	return claw_clw_type_bytes(arg->type) * arg->units;
}

#endif
