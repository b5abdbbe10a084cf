/* SPDX-License-Identifier: Apache-2.0 */
/* Scanning of a preprocessed text, in which lines that begin with # are line
 * markers and pragmas: see unit.h. */
#include "config.h"

#include <string.h>

#include "unit.h"

static size_t line_end(const struct claw_unit *unit, size_t offset)
{
	const char *end = memchr(unit->text + offset, '\n',
				 unit->bytes - offset);

	return end ? (size_t)(end - unit->text) : unit->bytes;
}

static bool is_marker(const struct claw_unit *unit, size_t offset)
{
	return unit->text[offset] == '#' &&
		(offset == 0 || unit->text[offset - 1] == '\n');
}

size_t claw_unit_skip_blank(const struct claw_unit *unit, size_t offset)
{
	for (;;) {
		offset += strspn(unit->text + offset, " \t\r\n\f\v");
		if (!is_marker(unit, offset))
			return offset;
		offset = line_end(unit, offset);
	}
}

size_t claw_unit_before_pragmas(const struct claw_unit *unit, size_t offset)
{
	for (;;) {
		size_t line = offset;

		while (line > 0 && unit->text[line - 1] != '\n')
			line--;
		if (line == 0 ||
		    unit->text[line + strspn(unit->text + line, " \t")] != '#')
			return offset;
		offset = line - 1;
	}
}

/* At the end of the string or character constant at offset. */
static size_t skip_quoted(const struct claw_unit *unit, size_t offset)
{
	char quote = unit->text[offset++];

	while (offset < unit->bytes && unit->text[offset] != quote)
		offset += unit->text[offset] == '\\' ? 2 : 1;
	return offset < unit->bytes ? offset : unit->bytes;
}

size_t claw_unit_skip_quoted(const struct claw_unit *unit, size_t offset)
{
	size_t end = skip_quoted(unit, offset);

	return end < unit->bytes ? end + 1 : end;
}

/* The first of these outside of brackets that are opened on the way; depth:
 * how many are open already. */
static size_t find(const struct claw_unit *unit, size_t offset, int depth,
		   char wanted)
{
	for (; offset < unit->bytes; offset++) {
		char c = unit->text[offset];

		if (is_marker(unit, offset))
			offset = line_end(unit, offset);
		else if (c == '"' || c == '\'')
			offset = skip_quoted(unit, offset);
		else if (c == wanted && depth == 0)
			return offset;
		else if (c == '(' || c == '[' || c == '{')
			depth++;
		else if (c == ')' || c == ']' || c == '}')
			depth--;
		if (depth == 0 && wanted == '\0')
			return offset;
	}
	return unit->bytes;
}

size_t claw_unit_closing(const struct claw_unit *unit, size_t offset)
{
	return find(unit, offset, 0, '\0');
}

size_t claw_unit_semicolon(const struct claw_unit *unit, size_t offset)
{
	return find(unit, offset, 0, ';');
}
