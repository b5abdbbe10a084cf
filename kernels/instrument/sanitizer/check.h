/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One check that is about to be written: what the files share that write it.
 * checks.c puts it around a place or pointer, check_indices.c around indices
 * in a place, check_decision.c writes what decides, check_map.c what the map
 * says of it, bounds.c where objects are, wrapped.c knows what has a check
 * already. See sanitizer.h for what others ask.
 */
#ifndef CLAW_INSTRUMENT_CHECK_H
#define CLAW_INSTRUMENT_CHECK_H

#include "sanitizer.h"

struct claw_check {
	struct claw_body *body;
	struct claw_node *node;		/* the place, or the pointer */
	enum claw_access_kind kind;
	enum claw_space space;
	unsigned long long bytes;
	long long align;
	bool align_asked, bounds_asked;
	bool is_step;	/* as far from the object's begin as a multiple of bytes */
	const char *flag;
	struct claw_roots roots;
	unsigned int number, name;	/* of the access; of its variables */
	unsigned int indices;		/* checks of indices inside */
};

/* check_decision.c: the type of what is touched as text, for
 * "__typeof__(...) *"; malloc'ed. NULL: there are no words for it. */
char *claw_check_type(const struct claw_check *check, CXType type);
/* It will be written: its line in the map, what it needs. */
void claw_check_begin(struct claw_check *check);
/* An expression: the address, or where what is wrong goes instead. */
void claw_check_decide(const struct claw_check *check, FILE *out);

/* check_indices.c: the subscripts of arrays in a place; required becomes the
 * alignment that its structs have. */
void claw_check_indices(struct claw_check *check, struct claw_node *place,
			long long *required);

/* check_map.c: a line of the access, and its number. */
void claw_check_name(struct claw_check *check);
/* A line of what is not checked. */
void claw_check_unchecked(struct claw_body *body, const struct claw_node *node);
/* A line of a kernel of which nothing is, node for one. */
void claw_check_blind(struct claw_body *kernel, const struct claw_node *node);

/* bounds.c: LO, BYTES, OBJECT of a root as text, for a pointer into space. */
struct claw_bounds {
	char lo[300], bytes[64], object[32];
};

struct claw_bounds claw_bounds_of(const struct claw_body *body,
				  const struct claw_root *root,
				  enum claw_space space);
/* Roots that cannot be named at an offset become unknown ones. */
void claw_roots_only_visible(struct claw_body *body, struct claw_roots *roots,
			     size_t offset);

/* wrapped.c: whether an edit may be put around a node: written as one, and
 * not done before. True counts as done. */
bool claw_wrapped_add(struct claw_body *body, const struct claw_node *node);

#endif
