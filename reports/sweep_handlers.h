/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Error paths by the lines of code: which the program has run for the first
 * time because of a fault, and which it never has. For programs that gcc built
 * with --coverage.
 */
#ifndef CLAW_SWEEP_HANDLERS_H
#define CLAW_SWEEP_HANDLERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/cover/code_lines.h"

/* Environment records: lines that no run without faults has executed. First
 * those that come after a call which can fail, in the functions that make it
 * or lead to it; then all others in the files of those functions, and how
 * many files are left out. */
#define CLAW_SWEEP_UNRUN "unrun"
#define CLAW_SWEEP_UNRUN_ELSEWHERE "unrun elsewhere"

/* Before how many, the last line of those elsewhere. */
#define CLAW_SWEEP_LEFT_OUT "files omitted: "

struct claw_sweep_handlers {
	struct claw_code_lines lines;	/* runs: points; mark: after a call */
	uint64_t unknown;		/* points that did not tell all */
	uint64_t left_out;		/* files of which nothing is known */
	bool is_known;			/* the program tells at all */
	bool is_sorted;
};

/* A value of an environment record; others are passed over. */
void claw_sweep_handlers_begin(struct claw_sweep_handlers *handlers,
			       const char *key, const char *value);
/* What a point has run first, as its result has it; NULL: nothing is known. */
void claw_sweep_handlers_add(struct claw_sweep_handlers *handlers,
			     const char *first_run);
void claw_sweep_handlers_release(struct claw_sweep_handlers *handlers);

struct claw_sweep_handlers_counts {
	size_t first_lines, first_functions, never_lines, never_functions;
};

/*
 * Once all is added: the lines that ran first because of a fault (runs: points
 * that ran them), and with runs 0 those that never did, as far as they may
 * handle one: what comes after a call, and the rest of a function that only a
 * fault has led to. All others are not marked.
 */
const struct claw_code_lines *
claw_sweep_handlers_lines(struct claw_sweep_handlers *handlers);
struct claw_sweep_handlers_counts
claw_sweep_handlers_count(struct claw_sweep_handlers *handlers);
/* The two as text (code_lines.h), malloced. */
char *claw_sweep_handlers_first(struct claw_sweep_handlers *handlers);
char *claw_sweep_handlers_never(struct claw_sweep_handlers *handlers);

/* "handlers first run because of a fault: 12 lines in 3 functions; never run:
 * ..." without a newline. whole: false: other shards know more. */
void claw_sweep_handlers_put_counts(FILE *out,
				    struct claw_sweep_handlers *handlers,
				    bool whole);
/* A text's lines, each after a title, at most that many; those of a point of
 * which nothing is known, and NULL: nothing. */
void claw_sweep_handlers_print_lines(FILE *out, const char *title,
				     const char *text, size_t most,
				     const char *root);
/* That, and below it the lines, a function a line: of those that never ran
 * some, of all: all, and those that ran first. root: paths are shown relative
 * to it, or NULL. */
void claw_sweep_handlers_print(FILE *out, struct claw_sweep_handlers *handlers,
			       bool all, bool whole, const char *root);

#endif
