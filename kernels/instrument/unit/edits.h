/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes to a text that nest: words put around ranges of it, words put in
 * between. Offsets are always of the text as it was. No word may hold a
 * newline: lines stay what they were.
 */
#ifndef CLAW_INSTRUMENT_EDITS_H
#define CLAW_INSTRUMENT_EDITS_H

#include <stddef.h>

struct claw_edit {
	size_t start, end;	/* end == start: an insertion */
	unsigned int order;	/* as they came */
	char *before, *after;	/* replace: before stands for the range */
	char *middle;		/* twin: between the two */
	int kind;
	unsigned int tag;
};

struct claw_edits {
	struct claw_edit *list;
	size_t count;
	unsigned int tag;	/* what is added gets it */
};

/*
 * Put words before and after a range. Where ranges are equal the one that came
 * first is the outer one; ranges that overlap in part are a mistake of ours.
 * The words are printf's, copied.
 */
void claw_edits_wrap(struct claw_edits *edits, size_t start, size_t end,
		     const char *before, const char *after);
/* Insert at an offset: behind everything that closes there, before everything
 * that opens there, in the order they came. */
void claw_edits_insert(struct claw_edits *edits, size_t offset,
		       const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* In place of a range, in which no other edit may lie. */
void claw_edits_replace(struct claw_edits *edits, size_t start, size_t end,
			const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* The same, and the edits in it are forgotten. Words may hold newlines. */
void claw_edits_cut(struct claw_edits *edits, size_t start, size_t end,
		    const char *words);
/* Forget what came after the first count of them. */
void claw_edits_forget(struct claw_edits *edits, size_t count);
/*
 * Write a range twice: before, the range on one line without the edits in it
 * that have the tag that is set now, middle, the range with all of them,
 * after. No line of it may begin with #.
 */
void claw_edits_twin(struct claw_edits *edits, size_t start, size_t end,
		     const char *before, const char *middle, const char *after);
/* The text with all of them; malloc'ed. NULL: two overlap (a mistake of ours). */
char *claw_edits_apply(struct claw_edits *edits, const char *text, size_t bytes);
void claw_edits_release(struct claw_edits *edits);

#endif
