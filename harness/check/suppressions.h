/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a person knows and does not want to hear again, in LeakSanitizer's
 * form: lines "leak:GLOB", "lifetime:GLOB" (errors in what the program does
 * with its objects), "guards:GLOB" (bytes outside of a buffer) and
 * "kernels:GLOB" (what the kernel sanitizer sees), # comments.
 * GLOB, in which * is any text, is matched against function names, files and
 * modules of the site's frames, the OpenCL call, and the chain of both,
 * "clCreateBuffer < load_tile < main"; anywhere in them unless ^ or $ ties it.
 */
#ifndef CLAW_SUPPRESSIONS_H
#define CLAW_SUPPRESSIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum claw_suppression_kind {
	CLAW_SUPPRESS_LEAK, CLAW_SUPPRESS_LIFETIME, CLAW_SUPPRESS_GUARDS,
	CLAW_SUPPRESS_KERNELS,
	CLAW_SUPPRESS_COUNT,
};

struct claw_suppressions {
	struct claw_suppression {
		enum claw_suppression_kind kind;
		char *glob;		/* as it was written */
		char *pattern;		/* for claw_glob_match() */
		char *origin;		/* "FILE:LINE" */
		uint64_t used;		/* objects or findings that it kept silent */
	} *items;
	size_t count;
};

/* "leak", "lifetime", "guards", "kernels". */
const char *claw_suppression_kind_name(enum claw_suppression_kind kind);

/* error: "FILE:LINE:COLUMN: expected ...". 0, -CLAW_E_IO, -CLAW_E_LIMIT or
 * -CLAW_E_SYNTAX. May be called for several files. */
int claw_suppressions_read(const char *path, struct claw_suppressions *to,
			   char *error, size_t error_size);
void claw_suppressions_release(struct claw_suppressions *suppressions);

/* The first of that kind that matches one of the texts or one of the words
 * (lists that end with NULL; words may be NULL), with `more` added to what it
 * has kept silent; or NULL. */
const struct claw_suppression *
claw_suppressions_find(struct claw_suppressions *suppressions,
		       enum claw_suppression_kind kind,
		       const char *const *texts, char *const *words,
		       uint64_t more);

/* The line that matches this chain and no other. */
void claw_suppression_write(enum claw_suppression_kind kind, const char *chain,
			    FILE *out);

#endif
