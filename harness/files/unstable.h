/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of a program's output that differ from run to run without any fault:
 * they are set aside, or compared without the numbers that do.
 */
#ifndef CLAW_UNSTABLE_H
#define CLAW_UNSTABLE_H

#include <stddef.h>
#include <stdint.h>

enum claw_line_kind {
	CLAW_LINE_STABLE,
	CLAW_LINE_NUMBERS,	/* some of its numbers differ */
	CLAW_LINE_UNSTABLE,	/* its words, too */
};

struct claw_unstable_line {
	enum claw_line_kind kind;
	uint64_t numbers;	/* bit i: its number i differs; the last bit stands
				 * for all from there on */
};

struct claw_unstable {
	struct claw_unstable_line *lines;
	size_t count;
	size_t numbers, words;	/* lines of the two kinds */
};

/*
 * Learn from two more runs of the program; *unstable is all 0 at first.
 *
 * Returns 0, -CLAW_E_LIMIT (they have not the same number of lines: nothing
 * is learnt) or -CLAW_E_IO.
 */
int claw_unstable_learn(struct claw_unstable *unstable, const char *first,
			const char *second);
/* Set aside what need not have varied to be unstable, in a run's lines: the same
 * numbers of all lines with the same words, and times ("0.5 s"). 0 or
 * -CLAW_E_IO. */
int claw_unstable_spread(struct claw_unstable *unstable, const char *path);
void claw_unstable_release(struct claw_unstable *unstable);

/* How much of a run's lines is compared; blank ones are no lines. */
struct claw_unstable_amount {
	size_t lines;		/* that the run has */
	size_t compared;	/* all of them, or all but numbers that vary, where
				 * other numbers are left */
	size_t part;		/* of compared: without some numbers */
};

/* 0 or -CLAW_E_IO. */
int claw_unstable_count(const struct claw_unstable *unstable, const char *path,
			struct claw_unstable_amount *ret_amount);

/* As claw_results_compare(), but for what is unstable. */
int claw_unstable_compare(const struct claw_unstable *unstable,
			  const char *first, const char *second,
			  const char *what, char **ret_difference);

/* "2 lines of standard output, and the numbers of 3"; malloced, NULL: there
 * are none. */
char *claw_unstable_text(const struct claw_unstable *unstable);

#endif
