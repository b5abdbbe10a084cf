/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a host program keeps to, as a kernel file states it: "n <= len(a)",
 * "global_size % 16 == 0", "power_of_two(local_size)". openclaw explore tries nothing that breaks it.
 */
#ifndef CLAW_ASSUME_H
#define CLAW_ASSUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLAW_ASSUME_NODES = 48, CLAW_ASSUME_NAME = 64 };

enum claw_assume_what {
	CLAW_ASSUME_NUMBER,
	CLAW_ASSUME_ARGUMENT,		/* name: of an argument by value */
	CLAW_ASSUME_LENGTH,		/* name: elements of that argument */
	CLAW_ASSUME_GLOBAL, CLAW_ASSUME_LOCAL,	/* number: the dimension */
	CLAW_ASSUME_OPERATOR,		/* number: a character, '<' + 128 for <=,
					 * '^' for power_of_two() */
};

struct claw_assume {
	unsigned int count;		/* the last node is the whole */
	struct claw_assume_node {
		enum claw_assume_what what;
		int64_t number;
		char name[CLAW_ASSUME_NAME];
		uint8_t left, right;	/* of an operator */
	} nodes[CLAW_ASSUME_NODES];
};

/* 0 or -CLAW_E_SYNTAX; reterr_at: the byte, reterr_expected: what belongs
 * there, a constant. */
int claw_assume_parse(const char *text, struct claw_assume *ret_assume,
		      size_t *reterr_at, const char **reterr_expected);

/* The value of an argument, a length or a size; false: there is none. */
typedef bool claw_assume_value(const void *user,
			       const struct claw_assume_node *node,
			       int64_t *ret_value);
/* Does it hold? True where it is about something that is not there, or divides
 * by 0. */
bool claw_assume_holds(const struct claw_assume *assume,
		       claw_assume_value *value, const void *user);

#endif
