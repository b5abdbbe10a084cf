/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of the host's error codes, and the two ways to say something went
 * wrong on stderr. */
#include "config.h"

#include "errors.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text_clean.h"

/* One line, whatever a user's word in it holds. False: there was no memory for
 * it, and it says that. */
static bool print_message(const char *format, va_list args)
{
	static const char none[] = "out of memory";
	char *text = NULL;
	bool has_text;

	fflush(stdout);
	has_text = vasprintf(&text, format, args) >= 0;
	fputs("openclaw: ", stderr);
	claw_text_put(stderr, has_text ? text : none,
		      strlen(has_text ? text : none), "");
	fputc('\n', stderr);
	if (has_text)
		free(text);
	return has_text;
}

const char *claw_error_text(int error)
{
	switch (error < 0 ? -error : error) {
#define ERR(name_, value_, text_) case value_: return text_;
#include "errors.def"
#undef ERR
	}
	return "unknown error";
}

void claw_die(int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!print_message(format, args))
		status = CLAW_EXIT_INFRA;
	va_end(args);
	exit(status);
}

void claw_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(format, args);
	va_end(args);
}

void claw_warn_lines(const char *text)
{
	while (text && *text) {
		size_t length = strcspn(text, "\n");

		claw_warn("%.*s", (int)length, text);
		text += length + (text[length] == '\n');
	}
}
