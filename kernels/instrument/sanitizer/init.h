/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads of what nobody wrote. init.c knows the objects, init_sure.c which
 * variables are written first for sure, init_parts.c which bytes of a type
 * count, init_edits.c writes the probes and init_text.c what they do.
 *
 * Each object has a shadow: a byte a byte of global memory, which lives as
 * long as the buffer (faults/instrument/instrument_valid.c); a byte a granule
 * of local memory and of variables. 0xff: written.
 *
 * A value is read where it decides something or leaves: in a condition, an
 * index, an argument, global memory. What is computed of it for local memory or
 * a variable with a shadow (x += e, x = e) is as unwritten as it was.
 */
#ifndef CLAW_INSTRUMENT_INIT_H
#define CLAW_INSTRUMENT_INIT_H

#include "sanitizer_private.h"

/* A variable with a shadow: private, without an initialiser; or local. */
struct claw_cell {
	CXCursor declaration;
	CXType type;
	char *name;			/* its variable's */
	size_t behind;			/* of its declarator in the text; of local memory
					 * of the whole declaration */
	enum claw_space space;
	unsigned int number;		/* of its names */
	struct claw_shade shade;
	bool is_used;
};

struct claw_init {
	struct claw_cell *cells;
	size_t cell_count;
	struct claw_shade *shades;	/* of parameters */
	unsigned long long local_bytes;	/* of the shadows of local variables */
	/* A read adds to __claw_tN of an assignment around it, N + 1; 0: it is
	 * reported. target: of the assignment whose left side was seen last. */
	unsigned int defer, target;
	struct claw_parts mask;		/* of a vector; count 0: all of it */
};

/* NULL: no variable with a shadow. */
struct claw_cell *claw_init_cell(const struct claw_body *body,
				 CXCursor declaration);

/* Nobody uses its value. */
bool claw_init_is_statement(const struct claw_node *node);
/* What is done to the object is done to it by one more. True: that is new. */
bool claw_init_join(struct claw_body *body, const struct claw_root *root,
		    const struct claw_shade *more);

/* init_sure.c: whether a variable without an initialiser is written before
 * each of its reads, whichever way control goes. */
bool claw_init_is_sure(const struct claw_body *body,
		       const struct claw_variable *variable);

/* init_parts.c: without padding; of components. False: they are too many, or
 * nobody knows. */
bool claw_init_parts_of_type(CXType type, struct claw_parts *ret);
bool claw_init_parts_of_swizzle(const struct claw_body *body,
				const struct claw_node *node,
				struct claw_parts *ret);

/* init_edits.c: "E = V", "E += V" of local memory or a variable. False: not
 * written so, nothing was done. */
bool claw_init_assign(struct claw_check *check);

/* init_text.c */
void claw_init_text(FILE *out);

#endif
