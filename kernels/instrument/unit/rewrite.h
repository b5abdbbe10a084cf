/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One rewriting: what all that put in probes share, and the order in which
 * they come. hidden.c hands the context down (a parameter of each function of
 * the text, a variable of each kernel); coverage.c and the sanitizer's files
 * add their edits, what they need in the context, and what a kernel does first
 * and last. A new kind of probe is a row in main.c.
 */
#ifndef CLAW_INSTRUMENT_REWRITE_H
#define CLAW_INSTRUMENT_REWRITE_H

#include <stdio.h>

#include "edits.h"
#include "request.h"
#include "unit.h"

/* A text that grows; text is valid after claw_words_text(). */
struct claw_words {
	FILE *stream;
	char *bytes;
	size_t size;
};

void claw_words_init(struct claw_words *words);
const char *claw_words_text(struct claw_words *words);
void claw_words_release(struct claw_words *words);

struct claw_rewrite {
	const struct claw_probes_kind *const *kinds;	/* NULL ends them */
	const struct claw_request *request;
	struct claw_unit *unit;
	struct claw_edits edits;
	struct claw_words fields;	/* members of struct __claw_ctx */
	struct claw_words own_fields;	/* behind these: of no use to functions that
					 * other programs' kernels may call */
	struct claw_words helpers;	/* macros and functions, behind the struct;
					 * lines of their own are allowed here */
	struct claw_words map;
	char **files;		/* of the map */
	unsigned int file_count;
	unsigned int counters, accesses;
	bool has_regions;	/* regions.h */
	char *error;		/* where a refusal is put */
	size_t error_size;
	void *of_probes[4];	/* a kind's own, by its row */
};

/* A kind of probe. */
struct claw_probes_kind {
	unsigned int modes;	/* any of these bits: it takes part */
	/* Gather and put in edits, over the whole unit. 0, -1: cannot (error). */
	int (*rewrite)(struct claw_rewrite *rewrite);
	/* Parameters behind __claw_p of a kernel (", uint __claw_launch" ...):
	 * how many; lines of the map about them. first: index of the first. May
	 * be NULL. */
	unsigned int (*parameters)(struct claw_rewrite *rewrite,
				   const struct claw_function *kernel,
				   unsigned int first, FILE *out);
	/* What a kernel does first (its context is __claw_k, a pointer to it
	 * __claw; __claw_p is the words), and before each return and at its end.
	 * Statements on one line. May be NULL. */
	void (*begin)(struct claw_rewrite *rewrite,
		      const struct claw_function *kernel, FILE *out);
	void (*end)(struct claw_rewrite *rewrite,
		    const struct claw_function *kernel, FILE *out);
	/* Further parameters of a function that is no kernel, behind the
	 * context, and the arguments for them in a call (caller: the function the
	 * call is in). May be NULL. */
	void (*function_parameters)(struct claw_rewrite *rewrite,
				    const struct claw_function *function,
				    FILE *out);
	void (*call_arguments)(struct claw_rewrite *rewrite,
			       const struct claw_function *callee,
			       CXCursor call, FILE *out);
	void (*release)(struct claw_rewrite *rewrite);
};

/* Context and hidden parameters: edits of all functions, calls and returns. */
int claw_hidden_rewrite(struct claw_rewrite *rewrite);
/* The next kind of probe that is enabled, in the table's order. */
const struct claw_probes_kind *claw_rewrite_next_kind(
	const struct claw_rewrite *rewrite, unsigned int *position);

/* A file's number in the map (written there when it is new). */
unsigned int claw_rewrite_file(struct claw_rewrite *rewrite, const char *path);

/*
 * Rewrite. 0: ret_text and ret_map are the caller's (free); -1: cannot, one
 * line "FILE:LINE:COLUMN: why" in error.
 */
int claw_rewrite_run(const struct claw_probes_kind *const *kinds,
		     const struct claw_request *request, char **ret_text,
		     char **ret_map, char *error, size_t error_size);

#endif
