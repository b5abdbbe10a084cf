/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a kernel file's header, each with its place, and the error
 * messages that name it. "#" begins a comment; "\" before the end of a line, or
 * before a comment, continues the value on the next line.
 */
#include "config.h"

#include "clw_private.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "faults/shared/nearest.h"

/* ---- errors ---------------------------------------------------------- */

/* Append to the message; what was found may hold anything, and an error
 * stays one line. */
static void say(struct claw_clw_reader *reader, const char *format,
		va_list args)
{
	char *message = reader->error->message;
	size_t size = sizeof(reader->error->message), length = strlen(message);

	vsnprintf(message + length, size - length, format, args);
	for (char *at = message + length; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
}

static void say_words(struct claw_clw_reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void say_words(struct claw_clw_reader *reader, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(reader, format, args);
	va_end(args);
}

static void say_place(struct claw_clw_reader *reader,
		      struct claw_clw_place place)
{
	reader->error->message[0] = '\0';
	say_words(reader, "%.300s:%u:%u: ", reader->path, place.line,
		  place.column);
}

int claw_clw_fail(struct claw_clw_reader *reader, struct claw_clw_place place,
		  const char *format, ...)
{
	va_list args;

	say_place(reader, place);
	va_start(args, format);
	say(reader, format, args);
	va_end(args);
	return -CLAW_E_SYNTAX;
}

int claw_clw_fail_word(struct claw_clw_reader *reader,
		       const struct claw_clw_word *word,
		       const char *const *known, const char *format, ...)
{
	struct claw_nearest nearest;
	va_list args;

	say_place(reader, word->place);
	va_start(args, format);
	say(reader, format, args);
	va_end(args);
	if (word->length == 0) {
		say_words(reader, ", found nothing");
		return -CLAW_E_SYNTAX;
	}
	say_words(reader, ", found \"%.40s%s\"", word->text,
		  word->length > 40 ? "..." : "");
	claw_nearest_init(&nearest, word->text);
	if (isdigit((unsigned char)*word->text))	/* all are near */
		known = NULL;
	for (; known && *known && word->length < 60; known++)
		claw_nearest_offer(&nearest, *known);
	if (nearest.best)
		say_words(reader, " (did you mean %s?)", nearest.best);
	return -CLAW_E_SYNTAX;
}

/* ---- the cursor ------------------------------------------------------ */

struct claw_clw_place claw_clw_place(const struct claw_clw_cursor *cursor)
{
	return (struct claw_clw_place) {
		cursor->line,
		(unsigned int)(cursor->at - cursor->line_start) + 1,
	};
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static void skip_blanks(struct claw_clw_cursor *cursor)
{
	while (cursor->at < cursor->end && is_blank(*cursor->at))
		cursor->at++;
}

/* At a newline: to the next line. */
static void start_line(struct claw_clw_cursor *cursor)
{
	cursor->at++;
	cursor->line++;
	cursor->line_start = cursor->at;
}

void claw_clw_skip_line(struct claw_clw_cursor *cursor)
{
	while (cursor->at < cursor->end && *cursor->at != '\n')
		cursor->at++;
	if (cursor->at < cursor->end)
		start_line(cursor);
}

/* Is the "\" at that place followed by nothing but blanks and a comment? */
static bool is_continued(const char *at, const char *end)
{
	for (at++; at < end && is_blank(*at); at++)
		;
	return at == end || *at == '\n' || *at == '#';
}

/* Past blanks, and past the end of a line that is continued. */
static void skip_to_word(struct claw_clw_cursor *cursor)
{
	for (;;) {
		skip_blanks(cursor);
		if (cursor->at == cursor->end || *cursor->at != '\\' ||
		    !is_continued(cursor->at, cursor->end))
			return;
		while (cursor->at < cursor->end && *cursor->at != '\n')
			cursor->at++;
		if (cursor->at == cursor->end)
			return;
		start_line(cursor);
	}
}

/* Bytes up to the next blank, comment, continuation or line end. */
static size_t word_length(const struct claw_clw_cursor *cursor)
{
	const char *at = cursor->at;

	while (at < cursor->end && !is_blank(*at) && *at != '\n' &&
	       *at != '#' &&
	       !(*at == '\\' && is_continued(at, cursor->end)))
		at++;
	return (size_t)(at - cursor->at);
}

void claw_clw_next_word(struct claw_clw_cursor *cursor,
			struct claw_clw_word *ret_word)
{
	size_t kept;

	skip_to_word(cursor);
	ret_word->place = claw_clw_place(cursor);
	ret_word->length = word_length(cursor);
	kept = ret_word->length < CLAW_CLW_WORD_BYTES ? ret_word->length :
		CLAW_CLW_WORD_BYTES - 1;
	memcpy(ret_word->text, cursor->at, kept);
	ret_word->text[kept] = '\0';
	cursor->at += ret_word->length;
}

/* ---- texts ----------------------------------------------------------- */

/* One line of a text, from a word to the last one before a comment, a
 * continuation or the line's end. */
static size_t piece_length(const struct claw_clw_cursor *cursor)
{
	const char *at = cursor->at;

	while (at < cursor->end && *at != '\n' && *at != '#' &&
	       !(*at == '\\' && is_continued(at, cursor->end)))
		at++;
	while (at > cursor->at && is_blank(at[-1]))
		at--;
	return (size_t)(at - cursor->at);
}

/* Records are UTF-8, and a text is shown in one line. */
static bool is_text(const char *text, size_t length)
{
	json_t *string = json_stringn(text, length);

	json_decref(string);
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] < ' ' && text[i] != '\t')
			return false;
	return string != NULL;
}

int claw_clw_read_text(struct claw_clw_reader *reader, char **ret_text)
{
	struct claw_clw_cursor *cursor = &reader->cursor;
	struct claw_clw_place place;
	char *text = NULL;
	size_t size = 0, length;
	FILE *out;

	skip_to_word(cursor);
	place = claw_clw_place(cursor);
	if (piece_length(cursor) == 0)
		return claw_clw_fail(reader, place,
				     "expected a text, found nothing");
	out = claw_text_begin(&text, &size);
	while ((length = piece_length(cursor)) > 0) {
		fwrite(cursor->at, 1, length, out);
		cursor->at += length;
		skip_to_word(cursor);
		if (piece_length(cursor) > 0)
			fputc(' ', out);
	}
	claw_text_end(out);
	if (!is_text(text, size)) {
		free(text);
		return claw_clw_fail(reader, place, "expected a text in UTF-8, "
				     "found other bytes");
	}
	*ret_text = text;
	return 0;
}

/* ---- words ----------------------------------------------------------- */

bool claw_clw_word_is(const struct claw_clw_word *word, const char *text)
{
	return strcasecmp(word->text, text) == 0;
}

int claw_clw_word_find(const struct claw_clw_word *word,
		       const char *const *list)
{
	for (int i = 0; list[i]; i++)
		if (claw_clw_word_is(word, list[i]))
			return i;
	return -1;
}

bool claw_clw_word_uint(const struct claw_clw_word *word, uint64_t max,
			uint64_t *ret_value)
{
	const char *digits = word->text;
	int base = 10;
	char *end;

	if (*digits == '+')
		digits++;
	if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
		base = 16;
		digits += 2;
	}
	/* Octal to C, decimal to most people: neither. */
	if (base == 10 && digits[0] == '0' && digits[1] != '\0')
		return false;
	if (!isxdigit((unsigned char)*digits) ||
	    word->length >= CLAW_CLW_WORD_BYTES)
		return false;
	errno = 0;
	*ret_value = strtoull(digits, &end, base);
	return errno == 0 && *end == '\0' && *ret_value <= max;
}

bool claw_clw_word_is_octal(const struct claw_clw_word *word)
{
	const char *text = word->text + strspn(word->text, "+-");

	return text[0] == '0' && isdigit((unsigned char)text[1]);
}

int claw_clw_read_uint(struct claw_clw_reader *reader, const char *what,
		       uint64_t min, uint64_t max, uint64_t *ret_value)
{
	struct claw_clw_word word;

	claw_clw_next_word(&reader->cursor, &word);
	if (claw_clw_word_uint(&word, max, ret_value) && *ret_value >= min)
		return 0;
	return claw_clw_fail_word(reader, &word, NULL, "expected %s from %"
		PRIu64 " to %" PRIu64 "%s", what, min, max,
		claw_clw_word_is_octal(&word) ? " without leading zeros" : "");
}

int claw_clw_read_bool(struct claw_clw_reader *reader, bool *ret_value)
{
	static const char *const words[] = { "false", "true", "0", "1", NULL };
	struct claw_clw_word word;
	int found;

	claw_clw_next_word(&reader->cursor, &word);
	found = claw_clw_word_find(&word, words);
	if (found < 0)
		return claw_clw_fail_word(reader, &word, words,
					  "expected true or false");
	*ret_value = found & 1;
	return 0;
}

int claw_clw_read_bytes(struct claw_clw_reader *reader, const char *what,
			uint64_t max, size_t *ret_bytes)
{
	static const struct {
		const char *suffix;
		unsigned int shift;
	} units[] = { { "KiB", 10 }, { "MiB", 20 }, { "GiB", 30 } };
	struct claw_clw_word word, number;
	unsigned int shift = 0;
	uint64_t value;

	claw_clw_next_word(&reader->cursor, &word);
	number = word;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t length = strlen(number.text);

		if (length > 3 &&
		    strcmp(number.text + length - 3, units[i].suffix) == 0) {
			number.text[length - 3] = '\0';
			shift = units[i].shift;
			break;
		}
	}
	if (!claw_clw_word_uint(&number, max >> shift, &value))
		return claw_clw_fail_word(reader, &word, NULL, "expected %s "
			"in bytes, KiB, MiB or GiB, at most %" PRIu64 " MiB",
			what, max >> 20);
	*ret_bytes = (size_t)(value << shift);
	return 0;
}

int claw_clw_read_end(struct claw_clw_reader *reader)
{
	struct claw_clw_word word;

	claw_clw_next_word(&reader->cursor, &word);
	if (word.length == 0)
		return 0;
	return claw_clw_fail_word(reader, &word, NULL,
				  "expected the end of the line");
}
