/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A preprocessed OpenCL C text as libclang understands it: its functions, and
 * from each cursor to its place in the text. Offsets are bytes of the text.
 */
#ifndef CLAW_INSTRUMENT_UNIT_H
#define CLAW_INSTRUMENT_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#include <clang-c/Index.h>

#include "request.h"

struct claw_function {
	CXCursor cursor;	/* a declaration or the definition */
	CXCursor canonical;	/* the same of all declarations of a function */
	CXCursor body_cursor;	/* a definition's */
	char *name;
	bool is_kernel, is_definition;
	bool is_foreign;	/* declared, but not this or another program's: a builtin */
	unsigned int parameters;
	size_t name_at;		/* of its name in this declaration */
	size_t open, close;	/* ( and ) of its parameters */
	size_t body, body_end;	/* { and } of a definition */
};

/* A line of the text, and what the line markers say of it. */
struct claw_unit_line {
	size_t start;
	unsigned int file;	/* index of the unit's files */
	unsigned int line;
};

struct claw_unit {
	const struct claw_request *request;
	CXIndex index;
	CXTranslationUnit tu;
	CXFile file;
	char *text;		/* the preprocessed text, ends with a NUL */
	size_t bytes;
	struct claw_function *functions;	/* all declarations in the text, in order */
	size_t function_count;
	struct claw_unit_line *lines;
	size_t line_count;
	struct claw_unit_file *files;
	size_t file_count;
};

/* A place of the original text, by the line markers. */
struct claw_place {
	const char *file;	/* the unit's, until it is released */
	unsigned int line, column;	/* column: of the original line; where a macro
					 * was expanded that of what can be found there */
};

/*
 * Parse. text becomes the unit's. 0, or -1 with one line "FILE:LINE:COLUMN: why"
 * in error: any error of libclang's.
 */
int claw_unit_parse(struct claw_unit *unit, const struct claw_request *request,
		    char *text, char *error, size_t error_size);
void claw_unit_release(struct claw_unit *unit);

/* [start, end) of a cursor in the text; false: it is not of the text (of a
 * header, or invented). */
bool claw_unit_range(const struct claw_unit *unit, CXCursor cursor,
		     size_t *start, size_t *end);
/* The place of a text offset in the original. The string is the unit's. */
void claw_unit_place(const struct claw_unit *unit, size_t offset,
		     struct claw_place *place);
/* The same without its column. */
void claw_unit_place_line(const struct claw_unit *unit, size_t offset,
			  struct claw_place *place);
/* unit_places.c: gather the lines of the text; forget them. */
void claw_unit_lines_init(struct claw_unit *unit);
void claw_unit_lines_release(struct claw_unit *unit);
/* Find the offset of a declaration's name. */
bool claw_unit_name_at(const struct claw_unit *unit, CXCursor declaration,
		       size_t *offset);
/* Behind a statement whose cursor ends at end: behind its semicolon, too. */
size_t claw_unit_statement_end(const struct claw_unit *unit, CXCursor statement,
			       size_t end);
/* The declaration of the text that a call calls (by name), or NULL: a builtin. */
const struct claw_function *claw_unit_callee(const struct claw_unit *unit,
					     CXCursor call);
/* "%s at FILE:LINE:COLUMN" for a refusal. */
void claw_unit_refuse(const struct claw_unit *unit, CXCursor cursor,
		      const char *why, char *error, size_t error_size);
/* Behind the string or character constant at offset. */
size_t claw_unit_skip_quoted(const struct claw_unit *unit, size_t offset);
/* From offset on, over blanks and line markers; comments are gone already. */
size_t claw_unit_skip_blank(const struct claw_unit *unit, size_t offset);
/* The offset for words before the construct at offset: nothing may precede a
 * pragma on its line, so it is the end of the line above. */
size_t claw_unit_before_pragmas(const struct claw_unit *unit, size_t offset);
/* The bracket that closes the one at offset; unit->bytes: none. Strings and
 * character constants are passed over. */
size_t claw_unit_closing(const struct claw_unit *unit, size_t offset);
/* The next semicolon outside of brackets; unit->bytes: none. */
size_t claw_unit_semicolon(const struct claw_unit *unit, size_t offset);

/* "FILE" of a line marker, unquoted, from its first quote on; malloced, NULL:
 * there is none. */
char *claw_unit_marker_name(const char *at);

#endif
