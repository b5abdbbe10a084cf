/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of any length as lines of a page's width. */
#include "config.h"

#include "emit_parts.h"

#include <string.h>

enum { COLUMNS = 80, TAB = 8, CONTINUED = 3 * TAB };

struct wrapping {
	FILE *out;
	unsigned int column;
};

static void start_line(struct wrapping *w)
{
	fputs("\n\t\t\t", w->out);
	w->column = CONTINUED;
}

static bool continues(const char *line)
{
	return strncmp(line, "\t\t\t", 3) == 0;
}

/* Where this word ends: at a blank that is in no text, or the line's end. */
static size_t word_length(const char *text)
{
	bool is_text = false;
	size_t i = 0;

	for (; text[i] && (is_text || (text[i] != ' ' && text[i] != '\n'));
	     i++) {
		if (is_text && text[i] == '\\' && text[i + 1])
			i++;
		else if (text[i] == '"')
			is_text = !is_text;
	}
	return i;
}

/* A text that is longer than a line, in parts, which the compiler joins. */
static void put_long(struct wrapping *w, const char *word, size_t length)
{
	bool is_text = false;

	for (size_t i = 0; i < length; i++) {
		size_t unit = is_text && word[i] == '\\' && i + 1 < length ?
			2 : 1;

		if (is_text && w->column + unit > COLUMNS - 4 &&
		    word[i] != '"') {
			fputc('"', w->out);
			start_line(w);
			fputc('"', w->out);
			w->column++;
		}
		if (unit == 1 && word[i] == '"')
			is_text = !is_text;
		fwrite(word + i, 1, unit, w->out);
		w->column += (unsigned int)unit;
		i += unit - 1;
	}
}

static void put_word(struct wrapping *w, const char *word, size_t length,
		     bool is_first)
{
	bool is_long = length > COLUMNS - CONTINUED - 4;

	if (!is_first && (is_long ? w->column > COLUMNS / 2 :
			  w->column + 1 + length > COLUMNS - 1))
		start_line(w);
	else if (!is_first) {
		fputc(' ', w->out);
		w->column++;
	}
	if (is_long) {
		put_long(w, word, length);
		return;
	}
	fwrite(word, 1, length, w->out);
	w->column += (unsigned int)length;
}

/* One line with those that continue it; where it ends. */
static const char *put_line(struct wrapping *w, const char *text)
{
	bool is_first = true;

	w->column = 0;
	for (; *text == '\t'; text++) {
		fputc('\t', w->out);
		w->column += TAB;
	}
	for (;;) {
		size_t length = word_length(text);

		if (length) {
			put_word(w, text, length, is_first);
			is_first = false;
		}
		text += length;
		if (*text == '\n' && !continues(text + 1))
			break;
		while (*text == ' ' || *text == '\n' || *text == '\t') {
			if (*text == '\n' && !continues(text + 1))
				break;
			text++;
		}
		if (!*text || *text == '\n')
			break;
	}
	fputc('\n', w->out);
	return *text ? text + 1 : text;
}

void claw_emit_wrap(FILE *out, const char *text)
{
	struct wrapping w = { .out = out };

	while (*text)
		text = put_line(&w, text);
}
