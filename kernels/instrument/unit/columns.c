/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of the original text: see columns.h. */
#include "config.h"

#include "columns.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool ends(char c)
{
	return c == '\0' || c == '\n';
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Over blanks and comments. */
static size_t skip_original(const char *line, size_t at)
{
	for (;;) {
		while (!ends(line[at]) && isspace((unsigned char)line[at]))
			at++;
		if (line[at] == '/' && line[at + 1] == '/') {
			while (!ends(line[at]))
				at++;
		} else if (line[at] == '/' && line[at + 1] == '*') {
			at += 2;
			while (!ends(line[at]) &&
			       !(line[at] == '*' && line[at + 1] == '/'))
				at++;
			at += ends(line[at]) ? 0 : 2;
		} else {
			return at;
		}
	}
}

/* The same but for blanks up to at: where at is in the original. */
static bool follow(const char *original, const char *line, size_t at,
		   size_t *ret_at)
{
	size_t there = skip_original(original, 0);

	for (size_t here = 0; here < at; here++) {
		if (ends(line[here]))
			return false;
		if (isspace((unsigned char)line[here]))
			continue;
		if (original[there] != line[here])
			return false;
		there = skip_original(original, there + 1);
	}
	*ret_at = there;
	return original[there] == line[at];
}

static size_t token_length(const char *at)
{
	size_t length = 0;

	while (is_word(at[length]))
		length++;
	return length ? length : 1;
}

/* The next place of a token from at on, which is none of a longer word. */
static const char *next_token(const char *line, const char *at,
			      const char *token, size_t length)
{
	for (; !ends(*at); at++) {
		if (strncmp(at, token, length) != 0)
			continue;
		if (!is_word(*token) ||
		    ((at == line || !is_word(at[-1])) && !is_word(at[length])))
			return at;
	}
	return NULL;
}

unsigned int claw_column_find(const char *original, const char *line, size_t at)
{
	size_t there;

	if (follow(original, line, at, &there))
		return (unsigned int)there + 1;
	const char *token = line + at, *found = NULL;

	if (ends(*token))
		return 1;
	size_t length = token_length(token);
	const char *here = next_token(line, line, token, length);
	const char *next = next_token(original, original, token, length);

	while (next) {
		found = next;
		if (!here || here >= token)
			break;
		here = next_token(line, here + length, token, length);
		next = next_token(original, next + length, token, length);
	}
	return found ? (unsigned int)(found - original) + 1 : 1;
}
