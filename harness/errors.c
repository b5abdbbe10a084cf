/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of the host's error codes, and the two ways to say something went
 * wrong on stderr. */
#include "config.h"

#include "errors.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void print_message(const char *format, va_list args)
{
	fflush(stdout);
	fputs("openclaw: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
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
	print_message(format, args);
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
