/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an access is, as a sum of the ids of its work-item, each times what all
 * work-items of a launch have alike, and a rest that they have alike, too.
 */
#ifndef CLAW_INSTRUMENT_FORMS_H
#define CLAW_INSTRUMENT_FORMS_H

#include "sanitizer_private.h"

/* Ids, of each dimension. */
enum { CLAW_ID_GLOBAL, CLAW_ID_GROUP = 3, CLAW_ID_LOCAL = 6, CLAW_IDS = 9 };

/* number * words; words are an expression (long) of a kernel's begin. */
struct claw_factor {
	long long number;	/* 0: no such id in the sum */
	char *words;		/* NULL: 1 */
	unsigned int rank;	/* how many names are multiplied in it */
};

struct claw_form {
	struct claw_factor ids[CLAW_IDS];
	struct claw_factor rest;
	long long offset;	/* is added */
};

/* Of an access in a kernel, in bytes from its object's begin. False: it is
 * none. needs: statements for the kernel's begin, which make __claw_ok false
 * where the program's arithmetic comes to something else than the sum. */
bool claw_form_of(struct claw_body *kernel, const struct claw_asked *asked,
		  struct claw_form *ret, struct claw_text *needs);
/* Whether two are one, but for the offset. */
bool claw_form_is(const struct claw_form *a, const struct claw_form *b);
/* Statements that make __claw_ok false unless span bytes from there on are
 * nobody else's: in the launch, or (is_local) in the group. */
void claw_form_own(const struct claw_form *form, long long span, bool is_local,
		   struct claw_text *out);
void claw_form_release(struct claw_form *form);

#endif
