/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set of source lines, each with its function and how often it ran, and the
 * text that records and people are given of one: "/src/tile.c:120-124,130
 * (load_tile)", a function a line.
 */
#ifndef CLAW_CODE_LINES_H
#define CLAW_CODE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct claw_code_line {
	const char *file, *function;	/* the set's */
	unsigned int number;
	bool mark;		/* whatever it means to the caller */
	uint64_t runs;
};

struct claw_code_lines {
	struct claw_code_line *items;
	size_t count;
	size_t left_out;	/* files whose lines are not known */
	/* For the set itself. */
	char **texts;
	size_t text_count;
};

void claw_code_lines_add(struct claw_code_lines *lines, const char *file,
			 const char *function, unsigned int number,
			 uint64_t runs, bool mark);
/* By file and number, and each line once: runs are added up, a mark stays. */
void claw_code_lines_sort(struct claw_code_lines *lines);
/* In a set that is sorted; NULL: it is not there. */
struct claw_code_line *claw_code_lines_find(const struct claw_code_lines *lines,
					    const char *file,
					    unsigned int number);
void claw_code_lines_release(struct claw_code_lines *lines);

/* The index after the last line of the function that begins at `first`. */
size_t claw_code_lines_function_end(const struct claw_code_lines *lines,
				    size_t first);

/* As text, of a set that is sorted; malloced, "" for none. is_wanted: NULL for
 * all. */
typedef bool claw_code_line_wanted(const struct claw_code_line *line);
char *claw_code_lines_text(const struct claw_code_lines *lines,
			   claw_code_line_wanted *is_wanted);
/* Add those of a text. false: part of it is no such text. */
bool claw_code_lines_parse(struct claw_code_lines *lines, const char *text,
			   uint64_t runs, bool mark);

#endif
