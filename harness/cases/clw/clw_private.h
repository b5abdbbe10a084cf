/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of the reader of kernel files share: the reader itself, its
 * cursor over words, and what each part does. Nobody else includes this.
 */
#ifndef CLAW_CLW_PRIVATE_H
#define CLAW_CLW_PRIVATE_H

#include "clw.h"

enum {
	CLAW_CLW_FILE_BYTES_MAX = 16 << 20,
	CLAW_CLW_BUFFER_BYTES_MAX = 256 << 20,	/* of a buffer with given values */
	CLAW_CLW_DATA_BYTES_MAX = 1 << 30,	/* of all given values of a file */
	CLAW_CLW_TESTS_MAX = 10000,
	CLAW_CLW_INDEX_MAX = 1023,		/* of a kernel's argument */
	CLAW_CLW_REPEAT_MAX = 1000000,
	CLAW_CLW_WORD_BYTES = 256,
};

struct claw_clw_place {
	unsigned int line, column;	/* from 1; columns are bytes */
};

/* Where reading goes on. A copy is a place to come back to. */
struct claw_clw_cursor {
	const char *at, *end;		/* text is no string */
	const char *line_start;
	unsigned int line;
};

/* A word, whole or its start: length tells. */
struct claw_clw_word {
	char text[CLAW_CLW_WORD_BYTES];
	size_t length;			/* 0: there was none before the end of the line */
	struct claw_clw_place place;
};

/* What is known of a section while it is read, beside the test. */
struct claw_clw_draft {
	struct claw_clw_test test;
	uint64_t seen;			/* keys, as bits */
	struct claw_clw_place place;	/* of "[test]" */
	/* of each number */
	struct claw_clw_place global_places[3], local_places[3],
			      offset_places[3];
	bool has_dimensions;
	unsigned int global_numbers, local_numbers, offset_numbers;
	/* of each argument, by its index: where its lines are */
	struct claw_clw_place *in_places, *out_places;
};

/* One argument while it is read. */
struct claw_clw_arg_draft {
	struct claw_clw_arg arg;
	bool is_in;
	struct claw_clw_place place;	/* of the line's value */
	struct claw_clw_word type_word;
	int fill;			/* CLAW_CLW_FILL_*, or -1: numbers */
	struct claw_clw_cursor values;
	size_t given;			/* numbers from there on */
	struct claw_clw_word behind;	/* what follows the values */
	uint32_t options;		/* seen, as bits */
	unsigned int order, channel;	/* positions in tables of clw_options.c */
};
enum {
	CLAW_CLW_FILL_REPEAT, CLAW_CLW_FILL_RANDOM, CLAW_CLW_FILL_NULL,
	CLAW_CLW_FILL_UNDEFINED,
};

struct claw_clw_reader {
	const char *path;
	struct claw_clw *clw;
	struct claw_clw_error *error;
	struct claw_clw_draft config;	/* defaults of every test */
	struct claw_clw_draft *draft;	/* of the section, NULL before the first */
	struct claw_clw_draft test;	/* the current one */
	struct claw_clw_cursor cursor;
	bool is_program_test;		/* .program_test: no comment round the header */
	bool is_strict;		/* .clw: a number has to fit into its type */
	bool has_config;
	struct claw_clw_place source_file_place, kernel_place;
	char *source_file;		/* program_source_file */
	size_t data_bytes;		/* given values of the whole file */
};

/* ---- clw_words.c ----------------------------------------------------- */

/* "path:line:column: MESSAGE"; returns -CLAW_E_SYNTAX. */
int claw_clw_fail(struct claw_clw_reader *reader, struct claw_clw_place place,
		  const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same with ", found "WORD"", and "(did you mean X?)" where one of known
 * (NULL-terminated, or NULL) is near. */
int claw_clw_fail_word(struct claw_clw_reader *reader,
		       const struct claw_clw_word *word,
		       const char *const *known, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

struct claw_clw_place claw_clw_place(const struct claw_clw_cursor *cursor);
/* Blanks, comments and continued lines are passed over; at the end of a value
 * length is 0 and the cursor is at the newline, or the end. */
void claw_clw_next_word(struct claw_clw_cursor *cursor,
			struct claw_clw_word *ret_word);
/* To the start of the next line. */
void claw_clw_skip_line(struct claw_clw_cursor *cursor);
/* The rest of a value as one text without blanks round it; malloced. 0 or
 * -CLAW_E_*: nothing there, or bytes that are no text. */
int claw_clw_read_text(struct claw_clw_reader *reader, char **ret_text);

/* Case does not matter. */
bool claw_clw_word_is(const struct claw_clw_word *word, const char *text);
/* Position in a NULL-terminated list, or -1. */
int claw_clw_word_find(const struct claw_clw_word *word,
		       const char *const *list);
/* Decimal or 0x; true on success. */
bool claw_clw_word_uint(const struct claw_clw_word *word, uint64_t max,
			uint64_t *ret_value);
/* "017" is octal to C, decimal to most people: it is no number here. */
bool claw_clw_word_is_octal(const struct claw_clw_word *word);
/* The next word as such. what: "a line", for the message. */
int claw_clw_read_uint(struct claw_clw_reader *reader, const char *what,
		       uint64_t min, uint64_t max, uint64_t *ret_value);
int claw_clw_read_bool(struct claw_clw_reader *reader, bool *ret_value);
int claw_clw_read_bytes(struct claw_clw_reader *reader, const char *what,
			uint64_t max, size_t *ret_bytes);
/* Nothing more may be in this value. */
int claw_clw_read_end(struct claw_clw_reader *reader);

/* ---- clw_options.c --------------------------------------------------- */

/* One of a NULL-terminated list of words. */
int claw_clw_read_choice(struct claw_clw_reader *reader,
			 const char *const *list, const char *what,
			 unsigned int *ret_position);
/* The number of a kernel's argument. */
int claw_clw_read_index(struct claw_clw_reader *reader,
			unsigned int *ret_index);
/* All that stands behind the values, to the end of the line. */
int claw_clw_read_options(struct claw_clw_reader *reader,
			  struct claw_clw_arg_draft *draft);
/* Is every option of an image there, and is its type that of a pixel? */
int claw_clw_check_image(struct claw_clw_reader *reader,
			 const struct claw_clw_arg_draft *draft);

/* ---- clw_source.c ---------------------------------------------------- */

/* Forward to at, counting lines. */
void claw_clw_move_to(struct claw_clw_cursor *cursor, const char *at);
/* Set the cursor to what is in the header. 0, -CLAW_E_SYNTAX, or
 * -CLAW_E_NOT_FOUND. */
int claw_clw_find_header(struct claw_clw_reader *reader);
/* The source, where no [program source] was it. text: the whole file. */
int claw_clw_take_program(struct claw_clw_reader *reader, const char *text,
			  size_t size);

/* ---- clw_keys.c, clw_args.c, clw_check.c, clw_names.c ---------------- */

/* The cursor is behind "KEY:". */
int claw_clw_read_key(struct claw_clw_reader *reader,
		      const struct claw_clw_word *key);
int claw_clw_read_arg(struct claw_clw_reader *reader, bool is_in);
/* One more finding that the test expects. */
void claw_clw_expect(struct claw_clw_test *test,
		     struct claw_expected_finding expected);
/* Start a [test] from [config]'s defaults; what a finished one must hold. */
void claw_clw_draft_init(struct claw_clw_draft *draft,
			 const struct claw_clw_draft *defaults);
int claw_clw_check_test(struct claw_clw_reader *reader);
void claw_clw_test_release(struct claw_clw_test *test);
void claw_clw_draft_release(struct claw_clw_draft *draft);
/* Give every test its case_name. */
void claw_clw_name_cases(struct claw_clw *clw);

#endif
