/* SPDX-License-Identifier: Apache-2.0 */
/* What cannot be rewritten: see guard.h. */
#include "config.h"

#include "guard.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "options.h"

int claw_guard_request(const struct claw_request *request, char *error,
		       size_t error_size)
{
	struct claw_build_options options;
	int ret = 0;

	claw_build_options_parse(request->options.text, &options);
	if (options.standard && (strncmp(options.standard, "CLC", 3) == 0 ||
				 strncmp(options.standard, "clc", 3) == 0)) {
		snprintf(error, error_size, "%s:1:1: -cl-std=%s is C++",
			 request->name, options.standard);
		ret = -1;
	}
	claw_build_options_release(&options);
	return ret;
}

static bool is_ours(const char *word, size_t length)
{
	return (length >= 6 && (strncmp(word, "__claw", 6) == 0 ||
				strncmp(word, "__CLAW", 6) == 0)) ||
		(length == 6 && (strncmp(word, "CLAW_C", 6) == 0 ||
				 strncmp(word, "CLAW_A", 6) == 0));
}

static int refuse(const struct claw_unit *unit, size_t at, size_t length,
		  char *error, size_t error_size)
{
	struct claw_place place;

	claw_unit_place(unit, at, &place);
	snprintf(error, error_size, "%s:%u:%u: %.*s: a name of ours",
		 place.file, place.line, place.column, (int)length,
		 unit->text + at);
	return -1;
}

int claw_guard_text(const struct claw_unit *unit, char *error,
		    size_t error_size)
{
	const char *text = unit->text;

	for (size_t at = claw_unit_skip_blank(unit, 0); at < unit->bytes;) {
		size_t length = 0;
		unsigned char c = (unsigned char)text[at];

		if (c == '"' || c == '\'') {
			at = claw_unit_skip_quoted(unit, at);
		} else if (isalpha(c) || c == '_') {
			while (isalnum((unsigned char)text[at + length]) ||
			       text[at + length] == '_')
				length++;
			if (is_ours(text + at, length))
				return refuse(unit, at, length, error,
					      error_size);
			at += length;
		} else {
			at++;
		}
		if (at < unit->bytes)
			at = claw_unit_skip_blank(unit, at);
	}
	return 0;
}
